// Which Host headers this service answers to: the guard against DNS rebinding. Pure.
import { isIP } from 'node:net';

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '[::1]']);

/** True for names and addresses of this machine that no other machine can reach. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase();
  return LOOPBACK_NAMES.has(name) || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

/** `host:port`, `[v6]:port` or a bare name -> lower-case host without port and trailing dot; null when malformed. */
export function toHostname(header: string): string | null {
  const found = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(header);
  // No address has a higher port, and a URL with one can't be read.
  if (!found?.[1] || Number(found[2] ?? 0) > 65_535) return null;
  return found[1].toLowerCase().replace(/\.$/, '');
}

const isAddress = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;

const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::' || host === '[::]';

/**
 * The check for a service bound to `configured`. Loopback names, the configured host and the name of the public URL
 * pass. Bound to every address (0.0.0.0, ::), it also accepts any literal address (ASSUMED: ours): rebinding needs a
 * name, and the data still needs the token.
 */
export function toHostCheck(configured: string, publicUrl: URL | null = null): (header: string | undefined) => boolean {
  const own = configured.toLowerCase().replace(/\.$/, '');
  const takesAddresses = isWildcard(own);
  const publicName = publicUrl === null ? null : toHostname(publicUrl.host);
  return (header) => {
    const hostname = header === undefined ? null : toHostname(header);
    if (hostname === null) return false;
    if (isLoopback(hostname) || hostname === own || hostname === `[${own}]` || hostname === publicName) return true;
    return takesAddresses && isAddress(hostname);
  };
}
