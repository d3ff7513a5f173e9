// Whether a request comes from the studio's own page (against cross-site request forgery). Pure.
import type { IncomingHttpHeaders } from 'node:http';

export const isSafeMethod = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD';

function isOwnOrigin(headers: IncomingHttpHeaders): boolean | null {
  const { origin, host } = headers;
  if (origin === undefined) return null;
  return origin === `http://${host}` || origin === `https://${host}`;
}

function isOwnSite(headers: IncomingHttpHeaders): boolean | null {
  const site = headers['sec-fetch-site'];
  if (site === undefined) return null;
  return site === 'same-origin' || site === 'none';
}

/** True when a header says that another site sent the request. A script sends neither header and is not foreign. */
export function isForeign(headers: IncomingHttpHeaders): boolean {
  return isOwnOrigin(headers) === false || isOwnSite(headers) === false;
}

/** True when at least one header vouches for the studio's own page and none speaks against it. */
export function isSameOrigin(headers: IncomingHttpHeaders): boolean {
  return !isForeign(headers) && (isOwnOrigin(headers) === true || isOwnSite(headers) === true);
}
