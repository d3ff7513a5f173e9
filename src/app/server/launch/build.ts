// Builds the dashboard when its sources have changed since the last build. Several starts on one folder are safe: each
// builds in its own folder and then renames the result.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { openProcess } from '#service/threads/isolated.ts';
import { openAsks } from '#service/threads/threadRequests.ts';
import { StartError } from '#service/database/startError.ts';
import type { BuildProcess } from './buildEntry.ts';
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
async function runBuild(outDir: string, signal: AbortSignal): Promise<void> {
  const { isolated, ask } = openAsks<BuildProcess>(
    (onMessage) => openProcess({ entry: new URL('./buildEntry.ts', import.meta.url), onMessage }),
    { refusal: Error },
  );
  signal.addEventListener('abort', () => void isolated.end());
  try {
    await ask('build', outDir);
  } catch (error) {
    signal.throwIfAborted();
    throw new StartError(
      `The dashboard could not be built: ${firstLines((error as Error).message)} Correct the sources, or run "npm ci" again.`,
    );
  } finally {
    await isolated.end();
  }
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

/** Replaces `dist` with `built`. Losing a race to another start with the same sources is fine. */
function replaceDist(built: string, dist: string, hash: string): void {
  const old = `${built}.old`;
  try {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      tryRename(dist, old);
      if (tryRename(built, dist) || readMark(dist) === hash) return;
      rmSync(old, { recursive: true, force: true });
    }
    throw new StartError(
      `The dashboard was built but ${dist} could not be replaced. End other starts of the studio and try again.`,
    );
  } finally {
    rmSync(old, { recursive: true, force: true });
    rmSync(built, { recursive: true, force: true });
  }
}

export interface BuildOptions {
  readonly root: string;
  readonly signal: AbortSignal;
  /** Called when a build begins: it takes seconds, and nothing else is visible meanwhile. */
  readonly onBuild?: () => void;
  readonly run?: (outDir: string, signal: AbortSignal) => Promise<void>;
}

/** The folder with the built dashboard. Takes seconds when a build is needed, otherwise milliseconds. */
export async function ensureBuilt({ root, signal, onBuild, run = runBuild }: BuildOptions): Promise<string> {
  const dist = join(root, 'dist');
  const hash = hashInputs(root);
  if (readMark(dist) === hash) return dist;
  onBuild?.();
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const built = mkdtempSync(join(cache, 'model-studio-'));
  try {
    await run(built, signal);
    writeFileSync(join(built, MARK), hash);
  } catch (error) {
    rmSync(built, { recursive: true, force: true });
    throw error;
  }
  replaceDist(built, dist, hash);
  return dist;
}
