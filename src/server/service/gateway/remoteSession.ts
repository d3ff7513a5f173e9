// What a remote studio says of itself at `/api/session`. SPEC doesn't have that path: a studio of another make may not
// answer it.
import { isObject, ownField } from '#shared/contract/reading.ts';
import { ROUTES } from '#shared/contract/routes.ts';
import { readText } from '#server/engine/upstream/upstreamHttp.ts';
import type { Upstream } from './upstream.ts';

const MAX_BYTES = 16 * 1024;
/** The dashboard's first view waits for this. */
const WAIT_MS = 1_500;

/** true or false as the remote says it; null: it answers, and doesn't say. Throws when it can't be asked. */
async function ask(upstream: Upstream, waitMs: number): Promise<boolean | null> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), waitMs);
  try {
    const answer = await upstream.send({
      method: 'GET',
      path: ROUTES.session,
      headers: { accept: 'application/json' },
      signal: stop.signal,
      firstByteMs: waitMs,
    });
    const status = answer.statusCode ?? 502;
    const text = await readText(answer, MAX_BYTES);
    if (status >= 500 || status === 429) throw new Error(`status ${status}`);
    if (status !== 200) return null;
    const body: unknown = JSON.parse(text.trimStart().startsWith('{') ? text : 'null');
    const said = isObject(body) ? ownField(body, 'learning_rate_is_absolute') : null;
    return typeof said === 'boolean' ? said : null;
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

/**
 * Whether `learning_rate_multiplier` is the rate itself at the remote. It is asked once; again only when it could not
 * be asked. null: not known. Never throws.
 */
export function openRateMeaning(upstream: Upstream, waitMs = WAIT_MS): () => Promise<boolean | null> {
  let asked: Promise<boolean | null> | null = null;
  return async () => {
    const answer = (asked ??= ask(upstream, waitMs));
    try {
      return await answer;
    } catch {
      if (asked === answer) asked = null;
      return null;
    }
  };
}
