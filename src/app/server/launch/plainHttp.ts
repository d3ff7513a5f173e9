// What others can read or change where there is no TLS. Pure.
import { isLoopback } from '#service/http/allowedHosts.ts';

/** Warns where what is sent to a server can be read, or changed, on the way. `what` is at risk. */
export function toPlainHttpWarnings({ protocol, hostname, origin }: URL, what: string): readonly string[] {
  if (protocol === 'https:' || isLoopback(hostname)) return [];
  return [`${origin} has no TLS: on the way ${what}. Use an https:// address.`];
}

/** Warns when somebody on the network can read or try the token. */
export function toListenWarnings({
  host,
  publicUrl,
}: {
  readonly host: string;
  readonly publicUrl: URL | null;
}): readonly string[] {
  if (publicUrl?.protocol === 'https:') return [];
  if (publicUrl !== null && !isLoopback(publicUrl.hostname)) {
    return [
      `${publicUrl.origin} has no TLS: the token and all data can be read on the way. ` +
        'Use a proxy with TLS and an https:// address.',
    ];
  }
  if (isLoopback(host)) return [];
  return [
    `The studio listens on ${host} without TLS: the token and all data can be read on the way. ` +
      'Put a proxy with TLS before it, and give its address with --public-url https://...',
  ];
}
