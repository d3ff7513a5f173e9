// The built dashboard, read into memory at start. A path is looked up by its exact name, so no request leaves the
// folder, and a build that replaces the folder does not disturb a running service.
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { matchesEtag, toEtag } from './etag.ts';
import type { RouteContext } from './route.ts';

type Bytes = Buffer<ArrayBuffer>;

export interface StaticFile {
  readonly type: string;
  readonly body: Bytes;
  /** The same, compressed at build time. */
  readonly encoded: Readonly<Partial<Record<'br' | 'gzip', Bytes>>>;
  readonly etag: string;
  /** True when the name holds a hash of the content. */
  readonly isImmutable: boolean;
}

export type StaticFiles = ReadonlyMap<string, StaticFile>;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

export const typeOf = (name: string): string => TYPES[extname(name)] ?? 'application/octet-stream';

const COMPRESSED: ReadonlySet<string> = new Set(['.br', '.gz']);

/** Reads a built folder. Keys are URL paths such as `/assets/index-1a2b.js`; dot files are left out. */
export function readStaticFiles(folder: string): StaticFiles {
  const files = new Map<string, StaticFile>();
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name));
  const present = new Set(names);
  const readIfPresent = (name: string): Bytes | undefined => (present.has(name) ? readFileSync(name) : undefined);
  for (const name of names) {
    if (COMPRESSED.has(extname(name))) continue;
    const path = name.slice(folder.length).replaceAll('\\', '/');
    const body = readFileSync(name);
    files.set(path, {
      type: typeOf(name),
      body,
      encoded: { br: readIfPresent(`${name}.br`), gzip: readIfPresent(`${name}.gz`) },
      // Weak: the plain and the compressed bytes share this tag.
      etag: `W/${toEtag(body)}`,
      isImmutable: path.startsWith('/assets/'),
    });
  }
  return files;
}

/** Whether an Accept-Encoding header accepts an encoding (`q=0` refuses one). */
export function acceptsEncoding(header: string | undefined, name: string): boolean {
  return (header ?? '').split(',').some((part) => {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const quality = parameters.find((text) => text.startsWith('q='))?.slice(2);
    return coding === name && (quality === undefined || Number(quality) > 0);
  });
}

/**
 * Sends one file in the best encoding that the reader accepts. It writes to Node's own response, so that all readers
 * share one buffer: a `Response` would copy it for each, and many slow readers would keep many copies.
 */
export function sendStatic(file: StaticFile, context: RouteContext): Response {
  const { outgoing } = context.env;
  const headers: Record<string, string | number> = {
    ETag: file.etag,
    Vary: 'Accept-Encoding',
    'Cache-Control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
  if (matchesEtag(context.req.header('If-None-Match'), file.etag)) {
    outgoing.writeHead(304, headers).end();
    return RESPONSE_ALREADY_SENT;
  }
  const accept = context.req.header('Accept-Encoding');
  const encoding = (['br', 'gzip'] as const).find((name) => file.encoded[name] && acceptsEncoding(accept, name));
  const body = (encoding && file.encoded[encoding]) ?? file.body;
  headers['Content-Type'] = file.type;
  headers['Content-Length'] = body.length;
  if (encoding) headers['Content-Encoding'] = encoding;
  outgoing.writeHead(200, headers).end(body);
  return RESPONSE_ALREADY_SENT;
}
