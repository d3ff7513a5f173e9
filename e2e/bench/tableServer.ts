// Builds the two pages of the table benchmark as the product is built, and serves them beside a large project and its jobs.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { findRemoteJob } from '../remoteJobs';
import { REMOTE_IDS, toLargeProject } from '../remoteTree';
import { makeFolder } from '../startStudio';

const ROOT = resolve(import.meta.dirname, '../..');
const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css' };
const API = '/api/v1/public/';

export interface TableServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves `/ours` and `/flat` on a free port. */
export async function openTableServer(nodes: number): Promise<TableServer> {
  const outDir = makeFolder('bench-table');
  const entry = (name: string): string => resolve(import.meta.dirname, `${name}.tsx`);
  await build({
    root: ROOT,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: true,
      rollupOptions: { input: { ours: entry('tableOurs'), flat: entry('tableFlat') }, output: { entryFileNames: 'assets/[name].js' } },
    },
  });
  const styles = readdirSync(join(outDir, 'assets')).filter((file) => file.endsWith('.css'));
  const toPage = (name: string): string =>
    `<!doctype html><title>${name}</title>${name === 'ours' ? styles.map((file) => `<link rel="stylesheet" href="/assets/${file}">`).join('') : ''}` +
    `<main id="root"></main><script type="module" src="/assets/${name}.js"></script>`;
  const project = Buffer.from(JSON.stringify({ project: toLargeProject(nodes) }));
  const none = new Map<string, string>();

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://bench');
    const send = (body: string | Buffer, type: string, status = 200): void => void response.writeHead(status, { 'content-type': type }).end(body);
    if (pathname === `${API}projects/${REMOTE_IDS.largeProject}`) return send(project, 'application/json');
    if (pathname.startsWith(`${API}finetuning/`)) {
      const job = findRemoteJob(pathname.slice(`${API}finetuning/`.length), { statuses: none, nodes });
      return send(JSON.stringify(job ?? { error: 'Job not found.' }), 'application/json', job ? 200 : 404);
    }
    const file = join(outDir, pathname);
    if (pathname.startsWith('/assets/') && existsSync(file)) return send(readFileSync(file), TYPES[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
    return send(toPage(pathname.slice(1)), 'text/html');
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
