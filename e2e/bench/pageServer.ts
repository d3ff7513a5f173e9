// Builds the pages of a benchmark as the product is built, and serves them beside what they ask for.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { makeFolder } from '../startStudio.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const REACT_WINDOW = resolve(ROOT, 'node_modules/react-window/dist/index.esm.js');
const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' };

export interface PageServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Answers a request of a page; false where it is not one of its own. */
type Answer = (pathname: string, request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Serves each page on a free port under its name, `/ours` with the product's styles. `entries`: page -> file beside
 * this one.
 */
export async function openPages(entries: Readonly<Record<string, string>>, answer: Answer): Promise<PageServer> {
  const outDir = makeFolder('bench-pages');
  for (const [name, file] of Object.entries(entries)) {
    const input = { [name]: resolve(import.meta.dirname, file) };
    await build({
      root: ROOT,
      logLevel: 'warn',
      // react-arborist draws all rows it is given unless it has its own list (vite.config.ts).
      ...(name !== 'ours' && { resolve: { alias: { 'react-window': REACT_WINDOW } } }),
      build: { outDir, emptyOutDir: false, rollupOptions: { input, output: { entryFileNames: 'assets/[name].js' } } },
    });
  }
  const styles = readdirSync(join(outDir, 'assets')).filter((file) => file.endsWith('.css'));
  const toPage = (name: string): string =>
    `<!doctype html><title>${name}</title>${name === 'ours' ? styles.map((file) => `<link rel="stylesheet" href="/assets/${file}">`).join('') : ''}` +
    `<main id="root"></main><script type="module" src="/assets/${name}.js"></script>`;

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://bench');
    if (answer(pathname, request, response)) return;
    const file = join(outDir, pathname);
    const isAsset = pathname.startsWith('/assets/') && existsSync(file);
    response
      .writeHead(200, {
        'content-type': isAsset ? (TYPES[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream') : 'text/html',
      })
      .end(isAsset ? readFileSync(file) : toPage(pathname.slice(1)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      rmSync(outDir, { recursive: true, force: true });
    },
  };
}
