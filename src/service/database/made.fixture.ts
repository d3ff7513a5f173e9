// For tests: folders that are costly to make, kept between runs. Apart from the databases in them, since the
// configuration of the tests reads this file: it would read the whole service with it.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/model-studio/', import.meta.url));

/** Notes that a folder is in use; false if there is none. */
const touch = (path: string, now = new Date()): Promise<boolean> =>
  utimes(path, now, now).then(
    () => true,
    () => false,
  );

const ROOT = new URL('../../../', import.meta.url);
const IS_SOURCE = /\.(tsx?|mjs|css|sql|jsonl?)$/;
const IS_TEST = /\.test\.ts$/;
const OLD_MS = 3_600_000;
/** How folders begin that are being filled. */
const DRAFT = 'draft-';

/** Changes with any file of code below `sources`, which are paths from the root of the project. */
function toCodeDigest(sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const source of sources) {
    const path = fileURLToPath(new URL(source, ROOT));
    const files = IS_SOURCE.test(source) ? [''] : readdirSync(path, { recursive: true, encoding: 'utf8' }).toSorted();
    for (const file of files)
      if (file === '' || (IS_SOURCE.test(file) && !IS_TEST.test(file)))
        hash
          .update(file)
          .update('\0')
          .update(readFileSync(join(path, file)))
          .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

const digests = new Map<string, string>();

/** Longer than anybody makes a folder. */
const LOCK_MS = 180_000;

/** Whether the process that made a lock was ended before it could remove it. Its id may be another's by now. */
function isLeft(lock: string): boolean {
  const stats = statSync(lock, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (Date.now() - stats.mtimeMs > LOCK_MS) return true;
  try {
    // 0, this process's own group, while the id is not written yet.
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/**
 * Whether the caller is the one who makes `made`, and removes `lock` after that. Otherwise somebody else has made it:
 * workers that begin together would each take seconds of processor time for the same.
 */
async function takeTurn(lock: string, made: string): Promise<boolean> {
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      if (!(await touch(made))) return true;
      rmSync(lock, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (await touch(made)) return false;
    if (isLeft(lock)) rmSync(lock, { force: true });
    await setTimeout(50);
  }
}

/** Removes what nobody has used for an hour: other runs may still use folders of other states. */
function removeOld(kind: string, made: string): void {
  const others = readdirSync(CACHE).filter((name) => name.startsWith(`${kind}-`) || name.startsWith(DRAFT));
  for (const path of others.map((name) => join(CACHE, name)).filter((each) => each !== made)) {
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > OLD_MS) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * A folder that `make` fills, once for each state of `sources` and of the packages: it is kept between test runs. Nobody
 * writes to it. Folders of its kind of other states go when they are old; those of other kinds may be about to be used.
 */
export async function findMade(
  kind: string,
  sources: readonly string[],
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const key = sources.join(' ');
  const digest = digests.get(key) ?? toCodeDigest([...sources, 'package-lock.json']);
  digests.set(key, digest);
  const made = join(CACHE, `${kind}-${digest}`);
  if (await touch(made)) return made;
  await mkdir(CACHE, { recursive: true });
  const lock = `${made}.lock`;
  if (!(await takeTurn(lock, made))) return made;
  const draft = await mkdtemp(join(CACHE, DRAFT));
  try {
    await make(draft);
  } catch (error) {
    rmSync(lock, { force: true });
    throw error;
  }
  try {
    await rename(draft, made);
    removeOld(kind, made);
  } catch {
    // Another process was quicker.
    rmSync(draft, { recursive: true, force: true });
  }
  rmSync(lock, { force: true });
  return made;
}
