// Which rows of the compare table are shown at once, and which are folded. Pure.
import { PARAMETERS } from '#features/experiments/shared/parameters.ts';
import { type CompareRow } from './comparison.ts';
import { splitFigures, type Figures } from '#features/experiments/shared/manyFigures.ts';
import { RESULT_NAMES } from '#features/experiments/shared/runCandidates.ts';

/** Parameters and results that most services give: never folded. */
const KNOWN: ReadonlySet<string> = new Set([...PARAMETERS.map(({ id }) => id), ...RESULT_NAMES]);

export interface Fold {
  readonly isOpen: boolean;
  /** The row that ordered the columns when the fold last closed: it stays, so keys and clicks still reach it. */
  readonly kept: string | null;
}

/** Opens or closes. `sorted`: the row that orders the columns. */
export const reduceFold = ({ isOpen }: Fold, sorted: string | null): Fold => ({ isOpen: !isOpen, kept: sorted });

/** While the fold is open, no order of the columns moves a row: a moved row would lose the focus. */
export function toFoldedRows(
  rows: readonly CompareRow[],
  { isOpen, kept }: Fold,
  sorted: string | null,
): Figures<CompareRow> {
  return splitFigures(
    rows,
    ({ parameter }) => !KNOWN.has(parameter.id),
    ({ parameter }) => !isOpen && (parameter.id === kept || parameter.id === sorted),
  );
}
