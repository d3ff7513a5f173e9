// Builds the dashboard when its sources have changed since the last build. Safe beside other starts of the same folder:
// each builds in a place of its own and moves the result in.
import { fork } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { StartError } from '#server/studio/studio.ts';
import { hashInputs } from './buildHash.ts';

const MARK = '.build-hash';

function readMark(folder: string): string | null {
  const file = join(folder, MARK);
  return existsSync(file) && existsSync(join(folder, 'index.html')) ? readFileSync(file, 'utf8') : null;
}

const firstLines = (text: string): string =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, 3)
    .join(' ');

/** Runs the bundler in a process of its own. Throws StartError with the bundler's first lines. */
function runBuild(outDir: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(join(dirname(fileURLToPath(import.meta.url)), 'buildWorker.ts'), [outDir], {
      signal,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const lines: string[] = [];
    child.stderr?.on('data', (data: Buffer) => lines.push(data.toString()));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else
        reject(
          new StartError(
            'The dashboard could not be built: ' +
              `${firstLines(lines.join('')) || `the bundler ended with code ${code}`}. Correct the sources, or run ` +
              '"npm ci" again.',
          ),
        );
    });
  });
}

const TRIES = 5;

/** Renames; false when another start was quicker. */
function tryRename(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}

/** Puts `made` in the place of `dist`. Losing a race to another start of the same sources is fine. */
function moveIn(made: string, dist: string, wanted: string): void {
  const old = `${made}.old`;
  try {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      tryRename(dist, old);
      if (tryRename(made, dist) || readMark(dist) === wanted) return;
      rmSync(old, { recursive: true, force: true });
    }
    throw new StartError(
      `The dashboard was built but ${dist} could not be replaced. End other starts of the studio and try again.`,
    );
  } finally {
    rmSync(old, { recursive: true, force: true });
    rmSync(made, { recursive: true, force: true });
  }
}

export interface BuildOptions {
  readonly root: string;
  readonly signal: AbortSignal;
  /** Told when a build begins: it takes seconds in which nothing else can be seen. */
  readonly onBuild?: () => void;
  readonly run?: (outDir: string, signal: AbortSignal) => Promise<void>;
}

/** The folder with the built dashboard, made anew when needed (seconds) or as it was (milliseconds). */
export async function ensureBuilt({ root, signal, onBuild, run = runBuild }: BuildOptions): Promise<string> {
  const dist = join(root, 'dist');
  const wanted = hashInputs(root);
  if (readMark(dist) === wanted) return dist;
  onBuild?.();
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const made = mkdtempSync(join(cache, 'model-studio-'));
  try {
    await run(made, signal);
    writeFileSync(join(made, MARK), wanted);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw error;
  }
  moveIn(made, dist, wanted);
  return dist;
}
