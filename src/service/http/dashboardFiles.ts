// Where the dashboard's files come from: the built folder, or the bundler in development.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendIndex, type PageVisitor } from './page.ts';
import type { StaticFile, StaticFiles } from './staticFiles.ts';

export interface Front {
  /** The page at `/`. */
  sendIndex(visitor: PageVisitor): Promise<Response>;
  find(path: string): StaticFile | undefined;
  /** Development only: answers the request itself, or calls `next`. */
  readonly intercept?: (incoming: IncomingMessage, outgoing: ServerResponse, next: () => void) => void;
  close(): Promise<void>;
}

/** The built dashboard. Throws when index.html is missing. */
export function toBuiltFront(files: StaticFiles): Front {
  const index = files.get('/index.html');
  if (!index) throw new Error('The built dashboard has no index.html.');
  const html = index.body.toString('utf8');
  return {
    sendIndex: async (visitor) => sendIndex(html, visitor),
    // The page is served at `/` alone, where it gets its nonce.
    find: (path) => (path === '/index.html' ? undefined : files.get(path)),
    close: async () => undefined,
  };
}
