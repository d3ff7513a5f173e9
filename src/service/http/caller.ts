// Names the caller of a request, so that callers can take fair turns.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

const isLoopback = (address: string): boolean => address === '::1' || /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);

/**
 * The address of a program. A proxy on this machine hides it, but writes it as the last entry of X-Forwarded-For.
 * Earlier entries come from the program itself.
 */
function toAddress({ headers, socket }: IncomingMessage, isBehindProxy: boolean): string {
  const peer = socket.remoteAddress ?? '';
  if (!isBehindProxy || !isLoopback(peer)) return peer;
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').at(-1)?.trim() ?? '';
  return isIP(forwarded) > 0 ? forwarded : peer;
}

/** A signed-in browser is one caller, whatever its address. */
export const toSessionCaller = (sessionId: string): string => `session ${sessionId}`;

/** All programs share one token, so two programs at one address are one caller. */
export const toBearerCaller = (incoming: IncomingMessage, isBehindProxy: boolean): string =>
  `bearer ${toAddress(incoming, isBehindProxy)}`;

/** The holder of a named token is one caller, from wherever. */
export const toTokenCaller = (name: string): string => `token ${name}`;

/** The hash of the named token that a session began with (sessions.ts); null: it is the owner's, or no session. */
export const toTokenKey = (caller: string): string | null => /^session [\w-]{22}([\w-]{43})$/.exec(caller)?.[1] ?? null;
