// Where the product's own files are, whatever the working directory is.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An installed package holds no TypeScript: all of the service is in its folder `lib` (e2e/buildPackage.ts). */
export const IS_PACKAGED = !import.meta.url.endsWith('.ts');

export const PROJECT_ROOT = fileURLToPath(new URL(IS_PACKAGED ? '../' : '../../../../', import.meta.url));

/** How people start the studio, for messages. */
export const COMMAND = IS_PACKAGED ? 'model-studio' : 'npm start --';

/** The version in package.json. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8'));
  const version = typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : null;
  return typeof version === 'string' ? version : 'unknown';
}
