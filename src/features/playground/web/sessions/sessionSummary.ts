// The summary of a stored session for the list, and its text for the search. Pure.
import { arrayOr, isObject, numberOr, textOr } from '#core/contract/readJson.ts';
import { toTitle, UNTITLED } from '#features/playground/web/desk/sessionTitle.ts';

export interface SessionSummary {
  readonly id: string;
  readonly title: string;
  /** A person gave the title. */
  readonly isNamed: boolean;
  /** Unix milliseconds; 0: unknown. */
  readonly savedAt: number;
  /** Without closed panes. */
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

/** Turn ids, pane by pane, and the models. */
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
  return {
    id,
    title,
    isNamed: named !== '',
    savedAt: numberOr(stored['savedAt'], 0),
    turnCount: toStoredHead({ panes: stored['panes'] }).turnIds.length,
    models,
    isDamaged: !Array.isArray(stored['panes']),
  };
}

/** The searchable text of stored turns: messages, tool calls, models. */
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
      for (const call of arrayOr(version['message']['toolCalls']).filter(isObject))
        take(`${textOr(call['name'], '')} ${textOr(call['arguments'], '')}`);
    }
  }
  return parts.join('\n');
}
