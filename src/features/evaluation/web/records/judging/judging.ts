// Where a person stands among the items to judge: what was fetched, what they said, and which one is on show. Pure.
import type {
  JudgementItem,
  JudgementKind,
  JudgementOutcome,
  JudgementQueue,
} from '#features/evaluation/shared/contract/judgements.ts';

export interface Said {
  readonly outcome: JudgementOutcome;
  readonly comment: string | null;
  readonly correction: string | null;
}

export interface Judging {
  readonly items: readonly JudgementItem[];
  /** The item on show; behind the last one: there are no more. */
  readonly at: number;
  readonly said: ReadonlyMap<string, Said>;
  /** Ids, the last one at the end. */
  readonly order: readonly string[];
  /** Judged by this person, also before. */
  readonly judged: number;
  readonly total: number;
  readonly people: number;
  /** The item that was judged last before. */
  readonly last: string | null;
  /** The service had no others when it was asked last. */
  readonly isWhole: boolean;
  /** The run had ended by then, so that there will be no others. */
  readonly hasEnded: boolean;
}

/** What a person has written of an item; null: the field is closed. */
export interface Draft {
  readonly comment: string | null;
  readonly correction: string | null;
}

export const NO_DRAFT: Draft = { comment: null, correction: null };
const isBlank = (text: string | null): boolean => text === null || text.trim() === '';

/** Whether a text can stand for the answer. */
export const isCorrectable = ({ answers }: Pick<JudgementItem, 'answers'>): boolean =>
  answers.length === 1 && answers[0]?.tool_calls.length === 0;

/** A correction that changes nothing is none. */
export function toSaid(
  item: Pick<JudgementItem, 'answers'>,
  outcome: JudgementOutcome,
  { comment, correction }: Draft,
): Said {
  const isChanged = isCorrectable(item) && !isBlank(correction) && correction !== item.answers[0]?.text;
  return { outcome, comment: isBlank(comment) ? null : comment, correction: isChanged ? correction : null };
}

export const QUEUE_ITEMS = 20;

export const toJudging = ({ items, judged, total, people, last, has_ended: hasEnded }: JudgementQueue): Judging => ({
  items,
  at: 0,
  said: new Map(),
  order: [],
  judged,
  total,
  people,
  last,
  isWhole: judged + items.length >= total,
  hasEnded,
});

/** The first item from a place on that was not judged, else the first of all; behind the last: all are judged. */
function findOpen({ items, said }: Pick<Judging, 'items' | 'said'>, from: number): number {
  const isOpen = ({ id }: JudgementItem): boolean => !said.has(id);
  const after = items.findIndex((item, at) => at >= from && isOpen(item));
  if (after >= 0) return after;
  const any = items.findIndex(isOpen);
  return any >= 0 ? any : items.length;
}

/** With more items of the service. Those that were skipped come again, and are known. */
export function addItems(state: Judging, queue: JudgementQueue): Judging {
  const { items, total, people, has_ended: hasEnded } = queue;
  const known = new Set(state.items.map(({ id }) => id));
  const added = items.filter(({ id }) => !known.has(id));
  const all = [...state.items, ...added];
  const judged = Math.max(state.judged, queue.judged);
  return { ...state, items: all, judged, total, people, isWhole: added.length === 0, hasEnded };
}

/** Whether nothing is left, nor will be. */
export const isDone = ({ judged, total, isWhole, hasEnded }: Judging): boolean =>
  isWhole && hasEnded && judged >= total;

/** An item is judged, and the next open one is shown. */
export function sayOf(state: Judging, id: string, said: Said): Judging {
  const place = state.items.findIndex((item) => item.id === id);
  if (place < 0) return state;
  const all = new Map(state.said).set(id, said);
  return {
    ...state,
    said: all,
    order: [...state.order.filter((each) => each !== id), id],
    judged: state.judged + (state.said.has(id) ? 0 : 1),
    people: Math.max(1, state.people),
    at: findOpen({ items: state.items, said: all }, place + 1),
  };
}

/** What was said of an item was not stored. The item on show stays; it is shown where there is none. */
export function forget(state: Judging, id: string, what: Said): Judging {
  if (state.said.get(id) !== what) return state;
  const said = new Map(state.said);
  said.delete(id);
  const at = state.at < state.items.length ? state.at : findOpen({ items: state.items, said }, 0);
  return { ...state, said, order: state.order.filter((each) => each !== id), judged: state.judged - 1, at };
}

/** What was said of an item is taken back, and it is shown. One that was judged before is not here to show. */
export function takeBack(state: Judging, id: string): Judging {
  const what = state.said.get(id);
  if (!what) return state.last === id ? { ...state, last: null } : state;
  return { ...forget(state, id, what), at: state.items.findIndex((item) => item.id === id) };
}

export const move = (state: Judging, by: number): Judging => ({
  ...state,
  at: Math.min(Math.max(0, state.at + by), Math.max(0, state.items.length - 1)),
});

/** How many of the items that were fetched are not judged. */
export const countOpen = ({ items, said }: Judging): number => items.length - said.size;

export interface KeyAction {
  readonly keys: readonly string[];
  readonly label: string;
  readonly outcome: JudgementOutcome;
}

/** The first key is named on the button. */
export const ACTIONS: Readonly<Record<JudgementKind, readonly KeyAction[]>> = {
  pair: [
    { keys: ['1', 'a'], label: 'Left is better', outcome: 'left' },
    { keys: ['0', 't'], label: 'Tie', outcome: 'tie' },
    { keys: ['2', 'b'], label: 'Right is better', outcome: 'right' },
  ],
  rating: [
    { keys: ['p'], label: 'Pass', outcome: 'pass' },
    { keys: ['f'], label: 'Fail', outcome: 'fail' },
  ],
};
