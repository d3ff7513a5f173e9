// Development: the bundler serves the dashboard's sources on the same server and port, behind the same perimeter.
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Front } from '#service/http/dashboardFiles.ts';
import { toHostCheck } from '#service/http/allowedHosts.ts';
import { NONCE_MARK, sendIndex } from '#service/http/page.ts';

const OWN_PATHS = ['/api', '/healthz', '/readyz', '/reference'];

/** Paths that the service answers itself; the bundler answers all others. */
export function isOwnPath(url: string): boolean {
  const path = url.split('?')[0] ?? '/';
  return path === '/' || OWN_PATHS.some((own) => path === own || path.startsWith(`${own}/`));
}

/** Opens the bundler. Its socket for reloads shares `server`; upgrades with other Host headers are refused. */
export async function openDevFront(options: {
  readonly root: string;
  readonly server: Server;
  readonly host: string;
  readonly publicUrl: URL | null;
}): Promise<Front> {
  const { root, server, host, publicUrl } = options;
  const isHostAllowed = toHostCheck(host, publicUrl);
  server.prependListener('upgrade', (incoming, socket) => {
    if (!isHostAllowed(incoming.headers.host)) socket.destroy();
    // The server's limit on silent connections is for answers.
    else if (socket instanceof Socket) socket.setTimeout(0);
  });
  const { createServer } = await import('vite');
  const vite = await createServer({
    root,
    appType: 'custom',
    logLevel: 'warn',
    html: { cspNonce: NONCE_MARK },
    server: { middlewareMode: true, hmr: { server }, cors: false, allowedHosts: true },
  });
  return {
    async sendIndex(visitor) {
      const html = await vite.transformIndexHtml('/', await readFile(join(root, 'index.html'), 'utf8'));
      return sendIndex(html, visitor, { scripts: true });
    },
    find: () => undefined,
    intercept(incoming, outgoing, next) {
      if (isOwnPath(incoming.url ?? '/')) next();
      else vite.middlewares(incoming, outgoing, next);
    },
    close: () => vite.close(),
  };
}
