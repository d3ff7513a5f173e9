// Turns a recorded request into one that can be sent again. Pure.
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import { isObject, numberOr, parseJson } from '#core/contract/readJson.ts';
import { SEED_LIMITS } from '#core/contract/limits.ts';
import type { Exchange } from '#features/playground/web/storage/exchange.ts';

/**
 * `recorded`: unchanged, and only if it has a seed, because a repeat without one proves little. `anyway`: unchanged,
 * even without a seed. A number: with this seed.
 */
export type RepeatWith = 'recorded' | 'anyway' | number;

export type Repeat =
  | { readonly ok: true; readonly request: ChatRequest; readonly seed: number | null }
  | { readonly ok: false; readonly reason: 'no-record' | 'no-seed' };

/** The minimal shape of a request that this page sent. The service validates the rest. */
const isSent = (value: unknown): value is ChatRequest =>
  isObject(value) && typeof value['model'] === 'string' && Array.isArray(value['messages']);

/** The recorded request, unchanged except for a newly chosen seed. */
export function toRepeat(exchange: Exchange | null, how: RepeatWith): Repeat {
  // A damaged record counts as missing.
  const body = exchange && parseJson(exchange.requestBody);
  if (!isSent(body)) return { ok: false, reason: 'no-record' };
  if (typeof how === 'number') return { ok: true, request: { ...body, seed: how }, seed: how };
  const seed = numberOr(body.seed, null);
  return seed === null && how === 'recorded' ? { ok: false, reason: 'no-seed' } : { ok: true, request: body, seed };
}

/** The request with a sample's own seed; null: unchanged. */
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
