// Whether a request comes from the studio's own page (against cross-site request forgery). Pure.
import type { IncomingHttpHeaders } from 'node:http';
import { toHostname } from './allowedHosts.ts';

export const isSafeMethod = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD';

/** Under the public name only the public origin counts: over plain http anybody may have sent its page. */
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
 * `publicUrl`: the address that people open, when a proxy is in front of the studio.
 */
export function isForeign(headers: IncomingHttpHeaders, publicUrl: URL | null = null): boolean {
  return isOwnOrigin(headers, publicUrl) === false || isOwnSite(headers) === false;
}

/** True for a page that a person opens; false for one that another page loads (as an image, a frame, a script). */
export function isPageRequest(headers: IncomingHttpHeaders): boolean {
  const mode = headers['sec-fetch-mode'];
  const destination = headers['sec-fetch-dest'];
  return (mode === undefined || mode === 'navigate') && (destination === undefined || destination === 'document');
}

/** True when at least one header names the studio's own page and none names another site. */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: URL | null = null): boolean {
  return !isForeign(headers, publicUrl) && (isOwnOrigin(headers, publicUrl) === true || isOwnSite(headers) === true);
}
