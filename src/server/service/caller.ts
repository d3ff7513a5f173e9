// Who asks, as far as answers are shared out fairly: one text for each caller.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

const isLoopback = (address: string): boolean => address === '::1' || /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);

/**
 * The address that a program asks from. A proxy on this machine hides it and names it in the last entry of
 * X-Forwarded-For; earlier entries are what the program itself sent.
 */
function toAddress({ headers, socket }: IncomingMessage, isBehindProxy: boolean): string {
  const peer = socket.remoteAddress ?? '';
  if (!isBehindProxy || !isLoopback(peer)) return peer;
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').at(-1)?.trim() ?? '';
  return isIP(forwarded) > 0 ? forwarded : peer;
}

/** A signed-in browser is a caller wherever it asks from. */
export const toSessionCaller = (sessionId: string): string => `session ${sessionId}`;

/** There is one token for all programs, so two of them at one address are one caller. */
export const toBearerCaller = (incoming: IncomingMessage, isBehindProxy: boolean): string =>
  `bearer ${toAddress(incoming, isBehindProxy)}`;
