// Answers that a poller asks for again and again: a strong ETag, and 304 while nothing has changed (SPEC 4.1).
import { matchesEtag, toEtag } from './etag.ts';

/** JSON bytes with their tag, or 304 without a body. `etag` is given when someone upstream has made it. */
export function sendTagged(
  body: string | Buffer<ArrayBuffer>,
  ifNoneMatch: string | undefined,
  etag: string = toEtag(body),
): Response {
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' };
  if (matchesEtag(ifNoneMatch, etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { status: 200, headers: { ...headers, 'Content-Type': 'application/json' } });
}
