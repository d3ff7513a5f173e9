// How the rows of two snapshots or datasets differ. Pure.

export interface ComparedRow {
  /** Of `toContentHash`. */
  readonly hash: string;
  /** Of `toQuestionHash`. */
  readonly question: string;
}

export interface RowComparison<Row> {
  /** Rows that are in both, with the same content. */
  readonly same: number;
  readonly added: readonly Row[];
  readonly gone: readonly Row[];
  /** The same question with another answer. */
  readonly changed: readonly { readonly before: Row; readonly after: Row }[];
}

/** Takes pairs of rows with the same key out of both lists. Rows with one key are paired in their order. */
function takePairs<Row>(
  before: readonly Row[],
  after: readonly Row[],
  toKey: (row: Row) => string,
): { pairs: { before: Row; after: Row }[]; before: Row[]; after: Row[] } {
  const waiting = new Map<string, Row[]>();
  for (const row of before.toReversed()) {
    const list = waiting.get(toKey(row));
    if (list) list.push(row);
    else waiting.set(toKey(row), [row]);
  }
  const taken = new Set<Row>();
  const pairs: { before: Row; after: Row }[] = [];
  const rest = after.filter((row) => {
    const partner = waiting.get(toKey(row))?.pop();
    if (partner === undefined) return true;
    taken.add(partner);
    pairs.push({ before: partner, after: row });
    return false;
  });
  return { pairs, before: before.filter((row) => !taken.has(row)), after: rest };
}

/** Rows are compared by content, whatever their order; what is left is paired by question. Equal rows count one by one. */
export function compareRows<Row extends ComparedRow>(
  before: readonly Row[],
  after: readonly Row[],
): RowComparison<Row> {
  const same = takePairs(before, after, ({ hash }) => hash);
  const changed = takePairs(same.before, same.after, ({ question }) => question);
  return { same: same.pairs.length, added: changed.after, gone: changed.before, changed: changed.pairs };
}
