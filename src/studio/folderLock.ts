// Keeps a data folder to one process at a time: `<folder>/lock` names the holder, which keeps touching it.
// It must not know what the folder holds.
import { randomUUID } from 'node:crypto';
import { link, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isObject } from '../contract/reading';
import { findProcess, readOwnIdentity, type ProcessIdentity } from './processIdentity';
import { StartError } from './studio';

/** How often the holder touches its lock, and how long a holder that can't be looked up is watched for it. */
export interface LockTimes {
  readonly heartbeatMs: number;
  readonly watchMs: number;
}

const TIMES: LockTimes = { heartbeatMs: 1000, watchMs: 4000 };

function parseIdentity(text: string): ProcessIdentity | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return null;
    const { pid, started, space } = value;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1 || typeof space !== 'string') return null;
    return { pid, started: typeof started === 'string' ? started : null, space };
  } catch {
    return null;
  }
}

const readText = (path: string): Promise<string | null> => readFile(path, 'utf8').catch(() => null);
const readTouched = (path: string): Promise<number | null> =>
  stat(path).then(
    (found) => found.mtimeMs,
    () => null,
  );

/** A holder in another container or on another machine is judged by whether it still touches the lock. */
async function isTouched(path: string, watchMs: number): Promise<boolean> {
  const before = await readTouched(path);
  await wait(watchMs);
  const after = await readTouched(path);
  return after !== null && after !== before;
}

async function isHeld(path: string, holder: ProcessIdentity, watchMs: number): Promise<boolean> {
  const found = findProcess(holder);
  return found === 'unknown' ? isTouched(path, watchMs) : found === 'running';
}

/** Removing takes milliseconds; a mark that is this old was left by a process that died over it. */
const REMOVAL_MS = 10_000;
const RETRY_MS = 5;

/**
 * Takes away a lock that nobody holds. Another process may do the same: one at a time removes, and only the text that
 * was judged. May also do nothing, when another is at it; whoever wants the lock looks again.
 */
export async function removeStale(path: string, judged: string): Promise<void> {
  const mark = `${path}.removal`;
  try {
    await writeFile(mark, '', { mode: 0o600, flag: 'wx' });
  } catch {
    const touched = await readTouched(mark);
    if (touched !== null && Date.now() - touched > REMOVAL_MS) await rm(mark, { force: true });
    await wait(RETRY_MS);
    return;
  }
  try {
    if ((await readText(path)) === judged) await rm(path, { force: true });
  } finally {
    await rm(mark, { force: true });
  }
}

/** Puts the whole text in place at once; false when there is a lock already. */
async function place(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
    await link(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Takes the folder's lock and gives back what releases it. A lock left by a killed process is taken over, also when
 * its pid is in use again. Throws StartError while another process (or this one) holds it.
 */
export async function lockFolder(folder: string, times: LockTimes = TIMES): Promise<() => Promise<void>> {
  const path = join(folder, 'lock');
  const text = `${JSON.stringify({ ...readOwnIdentity(), key: randomUUID() })}\n`;
  while (!(await place(path, text))) {
    const found = await readText(path);
    if (found === null) continue;
    const holder = parseIdentity(found);
    if (holder && (await isHeld(path, holder, times.watchMs))) {
      throw new StartError(
        `The data folder ${folder} is in use by another Model Studio (process ${holder.pid}). Stop that one, or choose another folder with --data.`,
      );
    }
    await removeStale(path, found);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, times.heartbeatMs);
  heartbeat.unref();
  return async () => {
    clearInterval(heartbeat);
    if ((await readText(path)) === text) await rm(path, { force: true });
  };
}
