// Where the product's own files are, whatever the working directory is.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT_ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The version in package.json. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8'));
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : null;
  return typeof version === 'string' ? version : 'unknown';
}

/** How people start the studio, for messages: from its sources, or as an installed package, which holds no TypeScript. */
export const COMMAND = import.meta.url.endsWith('.ts') ? 'npm start --' : 'model-studio';
