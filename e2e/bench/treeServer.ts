// Builds the three pages of the tree benchmark as the product is built, and serves them beside one large answer.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { makeFolder } from '../startStudio';
import { REMOTE_IDS, toLargeProject } from '../remoteTree';

const ROOT = resolve(import.meta.dirname, '../..');
const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' };

export const TREE_PATH = `/api/v1/public/projects/${REMOTE_IDS.largeProject}`;

export interface TreeServer {
  readonly url: string;
  /** Size of the answer. */
  readonly bytes: number;
  /** Changes the label of one node in the middle: the next answer has it. */
  change(): void;
  close(): Promise<void>;
}

/** Serves `/ours`, `/flat` and `/arborist` on a free port. */
export async function openTreeServer(nodes: number): Promise<TreeServer> {
  const outDir = makeFolder('bench-tree');
  const entry = (name: string): string => resolve(import.meta.dirname, `${name}.tsx`);
  await build({
    root: ROOT,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: true,
      rollupOptions: {
        input: { ours: entry('treeOurs'), flat: entry('treeFlat'), arborist: entry('treeArborist') },
        output: { entryFileNames: 'assets/[name].js' },
      },
    },
  });
  const styles = readdirSync(join(outDir, 'assets')).filter((file) => file.endsWith('.css'));
  const toPage = (name: string): string =>
    `<!doctype html><title>${name}</title>${name === 'ours' ? styles.map((file) => `<link rel="stylesheet" href="/assets/${file}">`).join('') : ''}` +
    `<div id="root"></div><script type="module" src="/assets/${name}.js"></script>`;

  let body = Buffer.from(JSON.stringify({ project: toLargeProject(nodes) }));
  const bytes = body.length;
  let changes = 0;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://bench');
    if (pathname === TREE_PATH) {
      // As the product's service answers, in gateway mode too: tagged, and not sent again while it is the same.
      const etag = `"tree-${changes}"`;
      if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
      else response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length, etag }).end(body);
      return;
    }
    const file = join(outDir, pathname);
    if (pathname.startsWith('/assets/') && existsSync(file)) {
      response.writeHead(200, { 'content-type': TYPES[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream' }).end(readFileSync(file));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html' }).end(toPage(pathname.slice(1)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    bytes,
    change() {
      changes += 1;
      body = Buffer.from(JSON.stringify({ project: toLargeProject(nodes) }).replace('"label":"Snapshot 7"', `"label":"Snapshot 7, changed ${changes}"`));
    },
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      rmSync(outDir, { recursive: true, force: true });
    },
  };
}
