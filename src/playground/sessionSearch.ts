// The search through sessions: titles and models first, then their texts, one session at a time. What is kept in memory
// is bounded, however many sessions there are. It must not know where sessions are stored, nor how they are shown.
import type { ListedSession } from './sessions';
import type { SessionSummary } from './sessionSummary';

/** Of texts that stay in memory for the next query, in characters. */
const MOST_KEPT = 16_000_000;
/** Around what was found. */
const CONTEXT = 40;

export interface Hit {
  readonly id: string;
  /** The words around what the text has and the title has not; null where title and models have it all. */
  readonly excerpt: string | null;
}

type Reader = (session: ListedSession) => Promise<string>;

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

export const toWords = (query: string): readonly string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

/** The words that neither title nor models have: they are looked for in the text. */
export function findOpenWords({ title, models }: SessionSummary, words: readonly string[]): readonly string[] {
  const head = `${title} ${models.join(' ')}`.toLowerCase();
  return words.filter((word) => !head.includes(word));
}

/** A few words around the first of these, in one line; null where the text lacks one of them. */
export function findExcerpt(text: string, words: readonly string[]): string | null {
  const lower = text.toLowerCase();
  const [first] = words;
  if (first === undefined || !words.every((word) => lower.includes(word))) return null;
  const at = lower.indexOf(first);
  const from = Math.max(0, at - CONTEXT);
  const to = Math.min(text.length, at + first.length + CONTEXT);
  return `${from > 0 ? '…' : ''}${text.slice(from, to).replace(/\s+/g, ' ').trim()}${to < text.length ? '…' : ''}`;
}

interface SearchOptions {
  readonly readText: Reader;
  readonly signal: AbortSignal;
  /** Called with each session that has every word of the query. */
  readonly onHit: (hit: Hit) => void;
}

/** Resolves when all were looked through, or the search is no longer wanted. */
export async function searchSessions(sessions: readonly ListedSession[], query: string, { readText, signal, onHit }: SearchOptions): Promise<void> {
  const words = toWords(query);
  for (const session of sessions) {
    const open = findOpenWords(session, words);
    const excerpt = open.length === 0 ? null : findExcerpt(await readText(session), open);
    if (signal.aborted) return;
    if (open.length === 0 || excerpt !== null) onHit({ id: session.id, excerpt });
  }
}
