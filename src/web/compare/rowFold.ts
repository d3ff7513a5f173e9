// Which rows of the compare table stand at once, and which are folded away. Pure.
import { PARAMETERS, type CompareRow } from '#shared/training/compareTable.ts';
import { splitFigures, type Figures } from '#shared/training/manyFigures.ts';
import { RESULT_NAMES } from '#shared/training/runCandidates.ts';

/** What every service is asked for, and what most tell of a run: never folded. */
const KNOWN: ReadonlySet<string> = new Set([...PARAMETERS.map(({ id }) => id), ...RESULT_NAMES]);

export interface Fold {
  readonly isOpen: boolean;
  /**
   * The row that ordered the columns when it was last closed: it stays, so that it can be walked to and clicked again.
   */
  readonly kept: string | null;
}

/** Opens or closes. `sorted`: the row that orders the columns. */
export const reduceFold = ({ isOpen }: Fold, sorted: string | null): Fold => ({ isOpen: !isOpen, kept: sorted });

/** While the fold is open no row moves, whichever orders the columns: it would lose the focus. */
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
