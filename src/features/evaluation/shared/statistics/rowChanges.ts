// Where a model is worse and better than a baseline, row by row. Pure.
import { toMean } from './estimate.ts';
import { toRowValues, type JudgedAnswer } from './verdict.ts';

interface RowChange {
  readonly row: string | number;
  readonly kind: 'regression' | 'improvement';
  /** Means of the row's answers. */
  readonly before: number;
  readonly after: number;
}

export interface RowChanges {
  /** Regressions first, then improvements; of each, the largest first. */
  readonly changes: readonly RowChange[];
  readonly unchanged: number;
  /** Rows that only one of them has a value of. */
  readonly unpaired: number;
}

/** `better`: which values are better. */
export function toRowChanges(options: {
  readonly answers: readonly JudgedAnswer[];
  readonly measure: string;
  readonly better: 'high' | 'low';
  readonly baseline: string;
  readonly model: string;
}): RowChanges {
  const { answers, measure, better, baseline, model } = options;
  const [before, after] = [baseline, model].map(
    (name) =>
      toRowValues(
        answers.filter((answer) => answer.model === name),
        measure,
      ).rows,
  );
  const shared = [...(before ?? [])].flatMap(([row, values]) => {
    const own = after?.get(row);
    return own ? [{ row, before: toMean(values), after: toMean(own) }] : [];
  });
  const toGain = (change: { readonly before: number; readonly after: number }): number =>
    better === 'high' ? change.after - change.before : change.before - change.after;
  const changed = shared.filter((each) => toGain(each) !== 0);
  const pick = (kind: RowChange['kind'], sign: 1 | -1): readonly RowChange[] =>
    changed
      .filter((each) => toGain(each) * sign > 0)
      .toSorted((a, b) => (toGain(b) - toGain(a)) * sign)
      .map(({ row, before, after }) => ({ row, kind, before, after }));
  return {
    changes: [...pick('regression', -1), ...pick('improvement', 1)],
    unchanged: shared.length - changed.length,
    unpaired: (before?.size ?? 0) + (after?.size ?? 0) - 2 * shared.length,
  };
}
