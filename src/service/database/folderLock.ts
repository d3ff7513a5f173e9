// Lets only one process at a time use a data folder: `<folder>/lock` names the holder, which keeps touching it.
import { randomUUID } from 'node:crypto';
import { link, open, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isObject, parseJson } from '#core/contract/readJson.ts';
import { toReason } from './database.ts';
import { findProcess, readOwnIdentity, type ProcessIdentity } from './processIdentity.ts';
import { StartError } from './startError.ts';

/**
 * How often the holder touches its lock, how long to watch for touches of a holder that can't be looked up, and how
 * long to retry while other processes take and release the lock.
 */
interface LockTimes {
  readonly heartbeatMs: number;
  readonly watchMs: number;
  readonly giveUpMs: number;
}

/** The watch is long because a busy holder touches its lock late, and a shared folder shows changes late. */
const TIMES: LockTimes = { heartbeatMs: 1000, watchMs: 30_000, giveUpMs: 60_000 };

export interface LockOptions {
  readonly times: LockTimes;
  /** Receives the reason when taking the lock takes long. */
  readonly onWarning: (text: string) => void;
}

function parseIdentity(text: string): ProcessIdentity | null {
  const value = parseJson(text);
  if (!isObject(value)) return null;
  const { pid, started, space } = value;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1 || typeof space !== 'string') return null;
  return { pid, started: typeof started === 'string' ? started : null, space };
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);

function refuse(path: string, doing: string, error: unknown): never {
  throw new StartError(
    `The lock ${path} can't be ${doing} (${toReason(error)}). Most likely another user started a studio here. ` +
      'Make sure that none runs on it and delete the lock, or choose another folder with --data.',
    { cause: error },
  );
}

/** Null when there is no lock. Throws StartError for a lock that can't be read, because it may be in use. */
async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? null : refuse(path, 'read', error);
  }
}

/** When the file was last touched. It is opened for that, because shared folders cache the times of closed files. */
async function readTouchTime(path: string): Promise<number | null> {
  const file = await open(path).catch(() => null);
  try {
    return file && (await file.stat()).mtimeMs;
  } finally {
    await file?.close();
  }
}

/** Whether a holder in another container or on another machine still touches the lock. */
async function isTouched(path: string, { heartbeatMs, watchMs }: LockTimes): Promise<boolean> {
  const before = await readTouchTime(path);
  for (let waited = 0; waited < watchMs; waited += heartbeatMs) {
    await wait(heartbeatMs);
    const after = await readTouchTime(path);
    if (after === null) return false;
    if (after !== before) return true;
  }
  return false;
}

async function isInUse(path: string, holder: ProcessIdentity, { times, onWarning }: LockOptions): Promise<boolean> {
  const found = findProcess(holder);
  if (found !== 'unknown') return found === 'running';
  const seconds = Math.ceil(times.watchMs / 1000);
  onWarning(
    'The data folder was last used in another container or on another machine. ' +
      `Looking for up to ${seconds} s whether it still is.`,
  );
  return isTouched(path, times);
}

/** The process of this machine that uses the folder now; null: none does, or it can't be looked up. */
export async function findHolder(folder: string): Promise<number | null> {
  const found = await readText(join(folder, 'lock'));
  const holder = found === null ? null : parseIdentity(found);
  return holder !== null && findProcess(holder) === 'running' ? holder.pid : null;
}

/** Removing takes milliseconds; a process that died meanwhile has left any mark that is older than this. */
const REMOVAL_MS = 10_000;
const RETRY_MS = 5;

/**
 * Removes a lock that nobody holds. Other processes may do the same, so only one at a time removes, and only if the
 * text is still `judged`. Does nothing while another process removes; the caller then tries again.
 */
export async function removeStale(path: string, judged: string): Promise<void> {
  const mark = `${path}.removal`;
  try {
    await writeFile(mark, '', { mode: 0o600, flag: 'wx' });
  } catch {
    const touched = await readTouchTime(mark);
    // Also removes a mark whose time is in the future because of a wrong clock.
    if (touched !== null && Math.abs(Date.now() - touched) > REMOVAL_MS) await rm(mark, { force: true });
    await wait(RETRY_MS);
    return;
  }
  try {
    if ((await readText(path)) === judged) await rm(path, { force: true });
  } catch (error) {
    if (error instanceof StartError) throw error;
    refuse(path, 'removed', error);
  } finally {
    await rm(mark, { force: true });
  }
}

/** Creates the lock with its whole text at once; false when there is a lock already. */
async function createLock(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
    await link(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Takes the folder's lock and returns a function that releases it. Takes over the lock of a killed process, even if its
 * pid is in use again. Throws StartError while another process (or this one) holds it, or when that can't be decided.
 */
export async function lockFolder(folder: string, options: Partial<LockOptions> = {}): Promise<() => Promise<void>> {
  const { times = TIMES, onWarning = () => undefined } = options;
  const path = join(folder, 'lock');
  const text = `${JSON.stringify({ ...readOwnIdentity(), key: randomUUID() })}\n`;
  const beganAt = performance.now();
  while (!(await createLock(path, text))) {
    const found = await readText(path);
    const holder = found === null ? null : parseIdentity(found);
    if (holder && (await isInUse(path, holder, { times, onWarning }))) {
      throw new StartError(
        `The data folder ${folder} is in use by another Model Studio (process ${holder.pid}). Stop that one, or ` +
          'choose another folder with --data.',
      );
    }
    if (performance.now() - beganAt > times.giveUpMs) {
      throw new StartError(
        `The lock ${path} could not be taken in ${Math.ceil(times.giveUpMs / 1000)} s, though nobody seems to ` +
          'hold it. ' +
          'Make sure that no studio runs on this folder, delete the lock and lock.removal in it, and start again.',
      );
    }
    if (found === null) await wait(RETRY_MS);
    else await removeStale(path, found);
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
