// Reads `/api/session` of the remote studio. SPEC doesn't have that path, so another implementation may not answer it.
import { isObject, ownField } from '#core/contract/readJson.ts';
import { readText } from '#engine/upstream/upstreamHttp.ts';
import type { Upstream } from './upstream.ts';

const MAX_BYTES = 16 * 1024;
/** The dashboard's first view waits for this. */
const WAIT_MS = 1_500;

/** true or false as the remote reports it; null when it answers without it. Throws when it can't be reached. */
async function requestRateMeaning(upstream: Upstream, waitMs: number): Promise<boolean | null> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), waitMs);
  try {
    const answer = await upstream.send({
      method: 'GET',
      path: '/api/session',
      headers: { accept: 'application/json' },
      signal: stop.signal,
      firstByteMs: waitMs,
    });
    const status = answer.statusCode ?? 502;
    const text = await readText(answer, MAX_BYTES);
    if (status >= 500 || status === 429) throw new Error(`status ${status}`);
    if (status !== 200) return null;
    const body: unknown = JSON.parse(text.trimStart().startsWith('{') ? text : 'null');
    const isAbsolute = isObject(body) ? ownField(body, 'learning_rate_is_absolute') : null;
    return typeof isAbsolute === 'boolean' ? isAbsolute : null;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

/**
 * Whether `learning_rate_multiplier` is the rate itself at the remote; null when unknown. The request is sent once, and
 * again only after a failure. Never throws.
 */
export function openRateMeaning(upstream: Upstream, waitMs = WAIT_MS): () => Promise<boolean | null> {
  let request: Promise<boolean | null> | null = null;
  return async () => {
    const current = (request ??= requestRateMeaning(upstream, waitMs));
    try {
      return await current;
    } catch {
      if (request === current) request = null;
      return null;
    }
  };
}
