// What a list of sessions shows of each, out of its stored record and its first message, and how the list is searched.
// Pure. It must not know where sessions are stored.
import { arrayOr, isObject, numberOr, textOr } from '../contract/reading';
import { toTitle, UNTITLED } from './sessionTitle';

export interface SessionSummary {
  readonly id: string;
  readonly title: string;
  /** A person gave the title. */
  readonly isNamed: boolean;
  /** Unix milliseconds; 0: not known. */
  readonly savedAt: number;
  /** Of the panes on show; closed ones don't count. */
  readonly turnCount: number;
  /** Each once, in the order of the panes. */
  readonly models: readonly string[];
  /** It can't be read. */
  readonly isDamaged: boolean;
}

interface StoredHead {
  readonly turnIds: readonly string[];
  readonly models: readonly string[];
}

/** Ids of the turns, pane by pane, and the models. */
export function toStoredHead(record: unknown): StoredHead {
  const panes = isObject(record) ? [...arrayOr(record['panes']), ...arrayOr(record['parked'])].filter(isObject) : [];
  const turnIds = panes.flatMap((pane) => arrayOr(pane['turnIds']).filter((id) => typeof id === 'string'));
  const models = panes.map((pane) => textOr(pane['model'], '')).filter((model) => model !== '');
  return { turnIds, models: [...new Set(models)] };
}

/** `first`: the text of the first message of a user, if there is one. */
export function toSummary(id: string, record: unknown, first: string | null): SessionSummary {
  const stored = isObject(record) ? record : {};
  const { models } = toStoredHead(record);
  const named = toTitle(textOr(stored['title'], ''));
  const title = named || toTitle(first ?? '') || toTitle(textOr(stored['draft'], '')) || UNTITLED;
  return { id, title, isNamed: named !== '', savedAt: numberOr(stored['savedAt'], 0), turnCount: toStoredHead({ panes: stored['panes'] }).turnIds.length, models, isDamaged: !Array.isArray(stored['panes']) };
}

/** Everything of a stored turn that a person may remember: texts, calls, models. */
export function toSearchText(turns: readonly unknown[]): string {
  const parts: string[] = [];
  const take = (value: unknown): void => {
    if (typeof value === 'string') parts.push(value);
  };
  for (const turn of turns.filter(isObject)) {
    take(turn['content']);
    for (const version of arrayOr(turn['versions']).filter(isObject)) {
      take(version['model']);
      if (!isObject(version['message'])) continue;
      take(version['message']['text']);
      for (const call of arrayOr(version['message']['toolCalls']).filter(isObject)) take(`${textOr(call['name'], '')} ${textOr(call['arguments'], '')}`);
    }
  }
  return parts.join('\n');
}

const toWords = (query: string): readonly string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

/** Sessions that have every word of the query in title, models or text; the order stays. `texts`: as far as they are read. */
export function searchSessions<Session extends SessionSummary>(sessions: readonly Session[], query: string, texts: ReadonlyMap<string, string>): readonly Session[] {
  const words = toWords(query);
  if (words.length === 0) return sessions;
  return sessions.filter(({ id, title, models }) => {
    const head = `${title} ${models.join(' ')}`.toLowerCase();
    let text: string | null = null;
    return words.every((word) => head.includes(word) || (text ??= (texts.get(id) ?? '').toLowerCase()).includes(word));
  });
}

const CONTEXT = 40;

/** Where the text has the first word that the title has not: a few words around it; null where the title has them all. */
export function findExcerpt({ title }: SessionSummary, query: string, text: string | undefined): string | null {
  const head = title.toLowerCase();
  const word = toWords(query).find((each) => !head.includes(each));
  const at = word === undefined || text === undefined ? -1 : text.toLowerCase().indexOf(word);
  if (word === undefined || text === undefined || at < 0) return null;
  const from = Math.max(0, at - CONTEXT);
  const to = Math.min(text.length, at + word.length + CONTEXT);
  return `${from > 0 ? '…' : ''}${text.slice(from, to).replace(/\s+/g, ' ').trim()}${to < text.length ? '…' : ''}`;
}
