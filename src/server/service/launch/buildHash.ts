// A hash over everything that goes into the built dashboard: unchanged inputs need no new build.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Files and folders that the build reads. `src/server` is left out: it is not in the build. */
export const BUILD_INPUTS = [
  'index.html',
  'vite.config.ts',
  'package-lock.json',
  'public',
  'src/shared',
  'src/web',
] as const;

function listFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Hex SHA-256 over the names and bytes of all inputs below `root`. */
export function hashInputs(root: string): string {
  const hash = createHash('sha256');
  for (const file of BUILD_INPUTS.flatMap((input) => listFiles(join(root, input))).sort()) {
    hash
      // Not cut by the length of `root`, which may end with a slash.
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}
