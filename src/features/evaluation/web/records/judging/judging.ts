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
  /** The service has no others. */
  readonly isWhole: boolean;
}

export const QUEUE_ITEMS = 20;

export const toJudging = ({ items, judged, total, people, last }: JudgementQueue): Judging => ({
  items,
  at: 0,
  said: new Map(),
  order: [],
  judged,
  total,
  people,
  last,
  isWhole: items.length < QUEUE_ITEMS,
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
export function addItems(state: Judging, { items, total, people }: JudgementQueue): Judging {
  const known = new Set(state.items.map(({ id }) => id));
  const added = items.filter(({ id }) => !known.has(id));
  const all = [...state.items, ...added];
  return { ...state, items: all, total, people, isWhole: added.length === 0 };
}

/** The item on show is judged, and the next open one is shown. */
export function sayOf(state: Judging, said: Said): Judging {
  const item = state.items[state.at];
  if (!item) return state;
  const all = new Map(state.said).set(item.id, said);
  return {
    ...state,
    said: all,
    order: [...state.order.filter((id) => id !== item.id), item.id],
    judged: state.judged + (state.said.has(item.id) ? 0 : 1),
    people: Math.max(1, state.people),
    at: findOpen({ items: state.items, said: all }, state.at + 1),
  };
}

/** What was said of an item is taken back, and it is shown. */
export function takeBack(state: Judging, id: string): Judging {
  const said = new Map(state.said);
  if (!said.delete(id)) return state;
  const at = state.items.findIndex((item) => item.id === id);
  return { ...state, said, order: state.order.filter((each) => each !== id), judged: state.judged - 1, at };
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
