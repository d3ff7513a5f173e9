import { isLoopback } from '#service/http/hosts.ts';

/** Warns where what is sent to a server can be read, or changed, on the way. `what` is at risk. */
export function toPlainHttpWarnings({ protocol, hostname, origin }: URL, what: string): readonly string[] {
  if (protocol === 'https:' || isLoopback(hostname)) return [];
  return [`${origin} has no TLS: on the way ${what}. Use an https:// address.`];
}
