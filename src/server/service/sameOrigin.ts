// Whether a request comes from the studio's own page (against cross-site request forgery). Pure.
import type { IncomingHttpHeaders } from 'node:http';
import { toHostname } from './hosts.ts';

export const isSafeMethod = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD';

/** Under the public name only the public origin counts: its page over plain http may be anybody's. */
function isOwnOrigin(headers: IncomingHttpHeaders, publicUrl: URL | null): boolean | null {
  const { origin, host } = headers;
  if (origin === undefined) return null;
  if (origin === publicUrl?.origin) return true;
  if (publicUrl !== null && toHostname(host ?? '') === publicUrl.hostname) return false;
  return origin === `http://${host}` || origin === `https://${host}`;
}

function isOwnSite(headers: IncomingHttpHeaders): boolean | null {
  const site = headers['sec-fetch-site'];
  if (site === undefined) return null;
  return site === 'same-origin' || site === 'none';
}

/**
 * True when a header says that another site sent the request. A script sends neither header and is not foreign.
 * `publicUrl`: where people open the studio, when a proxy stands before it.
 */
export function isForeign(headers: IncomingHttpHeaders, publicUrl: URL | null = null): boolean {
  return isOwnOrigin(headers, publicUrl) === false || isOwnSite(headers) === false;
}

/** True for a page that is opened as such, not loaded by another one (as an image, a frame, a script). */
export function isPageRequest(headers: IncomingHttpHeaders): boolean {
  const mode = headers['sec-fetch-mode'];
  const destination = headers['sec-fetch-dest'];
  return (mode === undefined || mode === 'navigate') && (destination === undefined || destination === 'document');
}

/** True when at least one header vouches for the studio's own page and none speaks against it. */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: URL | null = null): boolean {
  return !isForeign(headers, publicUrl) && (isOwnOrigin(headers, publicUrl) === true || isOwnSite(headers) === true);
}
