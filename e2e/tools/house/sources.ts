// Every source text of the project, for the rules and for the drawing of the floors.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Source } from './architecture.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

function list(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? list(`${folder}${entry.name}/`) : [`${folder}${entry.name}`],
  );
}

const isText = (path: string): boolean => /\.(tsx?|mjs|css|html|json|sql|md|sse)$/.test(path);

/** Files of src and e2e with those at the top that belong to them; paths are from the project's root. */
export function readSources(): Source[] {
  const paths = [...list('src/'), ...list('e2e/'), 'vite.config.ts', 'vitest.config.ts', 'index.html'];
  return paths.filter(isText).map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}
