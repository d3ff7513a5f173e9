// Which answers a person is asked about, and in which order. Everything follows from run, person and row, so that nothing is
// stored, nobody sees the same order as somebody else, and each comes back to where they were. Pure.
import { createHash } from 'node:crypto';
import type { JudgementKind } from '#features/evaluation/shared/contract/judgements.ts';

/** The second model of a rating. */
const NO_MODEL = -1;

/** What is judged: places of models in the run, the lower one first. */
export interface JudgedItem {
  readonly kind: JudgementKind;
  readonly position: number;
  /** From 1. */
  readonly repeat: number;
  readonly first: number;
  readonly second: number;
}

/** An item as one person sees it. */
export interface ShownItem extends JudgedItem {
  readonly id: string;
  /** The second model stands at the left. */
  readonly isSwapped: boolean;
}

export interface ItemsOf {
  readonly runId: string;
  /** Empty: the owner. */
  readonly rater: string;
  readonly kind: JudgementKind;
  readonly models: number;
  readonly repeats: number;
}

const toHash = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(parts.join(' ')).digest('hex');

const shuffle = <Item>(items: readonly Item[], toKey: (item: Item) => string): readonly Item[] =>
  items
    .map((item) => ({ item, key: toKey(item) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ item }) => item);

const count = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);

/** The rows of a run, each once. */
export const toRowOrder = ({ runId, rater, kind }: ItemsOf, rowCount: number): readonly number[] =>
  shuffle(count(rowCount), (position) => toHash(runId, rater, kind, position));

/** All items of a row, as one person gets them. */
export function toRowItems(of: ItemsOf, position: number): readonly ShownItem[] {
  const { runId, rater, kind, models, repeats } = of;
  const pairs = count(models).flatMap((first) =>
    kind === 'rating'
      ? [{ first, second: NO_MODEL }]
      : count(models)
          .slice(first + 1)
          .map((second) => ({ first, second })),
  );
  const items = count(repeats).flatMap((at) =>
    pairs.map(({ first, second }) => ({ kind, position, repeat: at + 1, first, second })),
  );
  const hashOf = ({ repeat, first, second }: JudgedItem, what: string): string =>
    toHash(runId, rater, kind, position, repeat, first, second, what);
  return shuffle(items, (item) => hashOf(item, 'order')).map((item, slot) =>
    Object.assign(item, {
      id: `${kind}-${position}-${slot}`,
      isSwapped: kind === 'pair' && hashOf(item, 'side') < '8',
    }),
  );
}

/** The item that a person's id names; null: there is none. */
export function findItem(of: Omit<ItemsOf, 'kind'>, id: string): ShownItem | null {
  const [kind, position] = id.split('-');
  const items = toRowItems({ ...of, kind: kind === 'pair' ? 'pair' : 'rating' }, Number(position));
  return items.find((item) => item.id === id) ?? null;
}

export const toItemKey = ({ position, repeat, first, second }: Omit<JudgedItem, 'kind'>): string =>
  `${position} ${repeat} ${first} ${second}`;
