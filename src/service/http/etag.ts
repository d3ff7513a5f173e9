// Strong entity tags over the bytes of an answer, so that an unchanged poll costs no body (SPEC 4.1).
import { createHash } from 'node:crypto';

export function toEtag(bytes: string | Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
}

/** Whether an If-None-Match header names `etag` (RFC 9110 13.1.2: weak comparison, `*` matches anything). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const plain = etag.replace(/^W\//, '');
  return header.split(',').some((part) => {
    const tag = part.trim();
    return tag === '*' || tag.replace(/^W\//, '') === plain;
  });
}

/** JSON bytes with their tag, or 304 without a body. Pass `etag` if an upstream has made one. */
export function sendTagged(
  body: string | Buffer<ArrayBuffer>,
  ifNoneMatch: string | undefined,
  etag: string = toEtag(body),
): Response {
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' };
  if (matchesEtag(ifNoneMatch, etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { status: 200, headers: { ...headers, 'Content-Type': 'application/json' } });
}
