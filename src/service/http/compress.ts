// Compresses the built files once, so that serving them costs nothing.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TEXT: ReadonlySet<string> = new Set(['.js', '.css', '.svg', '.json', '.txt']);
/** Below this, compression saves no packet. */
const MIN_BYTES = 1024;
/**
 * Brotli's qualities. Its best takes three times as long as the one below and saves 2 %: whoever starts the studio for the
 * first time waits for it. What every page loads is worth that, the rest is not.
 */
const BEST = 11;
const GOOD = 10;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

async function compressFile(file: string, quality: number): Promise<void> {
  const bytes = await readFile(file);
  if (bytes.length < MIN_BYTES) return;
  const [br, gz] = await Promise.all([
    toBrotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
    toGzip(bytes, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
}

/** Writes `.br` and `.gz` beside every text file of a folder. What its `index.html` names gets the best compression. */
export async function compressFolder(folder: string): Promise<void> {
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && TEXT.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(files.map((file) => compressFile(file, page.includes(basename(file)) ? BEST : GOOD)));
}
