// The search through sessions: titles and models first, then their texts, one session at a time. What is kept in memory
// is bounded, however many sessions there are.
import type { ListedSession } from './sessions.ts';
import type { SessionSummary } from './sessionSummary.ts';

/** Of texts that stay in memory for the next query, in characters. */
const MOST_KEPT = 16_000_000;
/** Around what was found. */
const CONTEXT = 40;

export interface Hit {
  readonly id: string;
  /** The words around what the text has and the title has not; null where title and models have it all. */
  readonly excerpt: string | null;
}

export type Reader = (session: ListedSession) => Promise<string>;

/**
 * Reads texts, and keeps them up to a bound: the first ones, for a search goes through all of them in the same order.
 * What may still change is read each time.
 */
export function openTextCache(read: (id: string) => Promise<string>, most = MOST_KEPT): Reader {
  const texts = new Map<string, string>();
  let size = 0;
  return async ({ id, savedAt, isCurrent, isElsewhere }) => {
    const key = `${id} ${savedAt}`;
    const known = texts.get(key);
    if (known !== undefined) return known;
    const text = await read(id);
    if (!isCurrent && !isElsewhere && size + text.length <= most && !texts.has(key)) {
      texts.set(key, text);
      size += text.length;
    }
    return text;
  };
}

/** Texts are searched as they are: in lower case some letters are longer, and no place would be right behind them. */
export const toPatterns = (query: string): readonly RegExp[] =>
  query
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => new RegExp(word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'iu'));

/** The words that neither title nor models have: they are looked for in the text. */
function findOpenWords({ title, models }: SessionSummary, words: readonly RegExp[]): readonly RegExp[] {
  const head = `${title} ${models.join(' ')}`;
  return words.filter((word) => !word.test(head));
}

/** A few words around the first of these, in one line; null where the text lacks one of them. */
export function findExcerpt(text: string, words: readonly RegExp[]): string | null {
  const found = words[0]?.exec(text);
  if (!found || !words.every((word) => word.test(text))) return null;
  const from = Math.max(0, found.index - CONTEXT);
  const to = Math.min(text.length, found.index + found[0].length + CONTEXT);
  // Without the half of a character at either end.
  const around = text.slice(from, to).replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
  return `${from > 0 ? '…' : ''}${around.replaceAll(/\s+/g, ' ').trim()}${to < text.length ? '…' : ''}`;
}

interface SearchOptions {
  readonly readText: Reader;
  readonly signal: AbortSignal;
  /** Called once, before any text is read, with the sessions whose title and models have every word of the query. */
  readonly onHeads: (hits: readonly Hit[]) => void;
  /** Called with each other session that has them. */
  readonly onHit: (hit: Hit) => void;
}

/** Resolves when all were looked through, or the search is no longer wanted, to how many texts could not be read. */
export async function searchSessions(
  sessions: readonly ListedSession[],
  query: string,
  { readText, signal, onHeads, onHit }: SearchOptions,
): Promise<number> {
  const words = toPatterns(query);
  const asked = sessions.map((session) => ({ session, open: findOpenWords(session, words) }));
  onHeads(asked.flatMap(({ session, open }) => (open.length === 0 ? [{ id: session.id, excerpt: null }] : [])));
  let unreadCount = 0;
  for (const { session, open } of asked) {
    if (open.length === 0) continue;
    const text = await readText(session).catch(() => null);
    if (signal.aborted) break;
    const excerpt = text === null ? null : findExcerpt(text, open);
    if (text === null) unreadCount += 1;
    if (excerpt !== null) onHit({ id: session.id, excerpt });
  }
  return unreadCount;
}
