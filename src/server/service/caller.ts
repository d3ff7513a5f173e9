// Who asks, as far as answers are shared out fairly: one text for each caller.
import type { IncomingMessage } from 'node:http';

/**
 * The address, and how the caller proves itself: there is one token, so a program (bearer) and a dashboard (cookie) on
 * one machine are two callers, and two programs on it are one.
 */
export function toCaller(incoming: IncomingMessage): string {
  const proof = incoming.headers.authorization === undefined ? 'session' : 'bearer';
  return `${proof} ${incoming.socket.remoteAddress ?? ''}`;
}
