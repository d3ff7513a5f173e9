// A recorded request as one that can be sent again. Pure.
import type { ChatRequest } from '#shared/contract/chatRequest.ts';
import { isObject, numberOr } from '#shared/contract/reading.ts';
import { SEED_LIMITS } from '#shared/contract/limits.ts';
import type { Exchange } from '#web/playground/storage/exchange.ts';

/**
 * `recorded`: exactly as it was, which needs a seed to be worth it. `anyway`: also without one. A number: with that
 * seed.
 */
export type RepeatWith = 'recorded' | 'anyway' | number;

export type Repeat =
  | { readonly ok: true; readonly request: ChatRequest; readonly seed: number | null }
  | { readonly ok: false; readonly reason: 'no-record' | 'no-seed' };

/** What this page sent once; the service is the judge of everything else in it. */
const isSent = (value: unknown): value is ChatRequest =>
  isObject(value) && typeof value['model'] === 'string' && Array.isArray(value['messages']);

/** The recorded request; the same text goes on the wire again, but for a seed that is chosen now. */
export function toRepeat(exchange: Exchange | null, how: RepeatWith): Repeat {
  let body: unknown = null;
  try {
    body = exchange && (JSON.parse(exchange.requestBody) as unknown);
  } catch {
    // A damaged record is none.
  }
  if (!isSent(body)) return { ok: false, reason: 'no-record' };
  if (typeof how === 'number') return { ok: true, request: { ...body, seed: how }, seed: how };
  const seed = numberOr(body.seed, null);
  return seed === null && how === 'recorded' ? { ok: false, reason: 'no-seed' } : { ok: true, request: body, seed };
}

/** A request with a sample's own seed; null: as it is. */
export function withSeed(
  request: ChatRequest,
  seed: number | null,
): { readonly ok: true; readonly request: ChatRequest } | { readonly ok: false; readonly problem: string } {
  if (seed === null) return { ok: true, request };
  if (seed <= SEED_LIMITS.max) return { ok: true, request: { ...request, seed } };
  return {
    ok: false,
    problem: `The seed of this sample would be larger than ${SEED_LIMITS.max}. Choose a smaller seed to begin with.`,
  };
}
