// A hash over everything that goes into the built dashboard: unchanged inputs need no new build.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Files and folders that the build reads. */
const BUILD_INPUTS = ['index.html', 'vite.config.ts', 'package-lock.json', 'public', 'src'] as const;

/** Code of the service alone. The page knows what the built-in trainer can train. */
const OF_THE_SERVICE = /[\\/]src[\\/](?:engine|service|trainer(?![\\/](?:shared|protocol))|.*[\\/]server)[\\/]/;

function listFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !OF_THE_SERVICE.test(file));
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
