import { useEffect, useMemo } from 'react';
import { countAnswers, type GridColumn } from '#features/evaluation/web/grid/gridBook.ts';
import { findAllPrompts, isSameColumns, isSameRequests } from '#features/evaluation/web/grid/gridSetup.ts';
import { chooseColumns, type ColumnOffer } from '#features/evaluation/web/grid/sampling.ts';
import { followPanes } from './gridActions.ts';
import { readBook, useGrid } from './gridStore.ts';

export interface PaneColumns {
  readonly columns: readonly GridColumn[];
  /** Whether the grid keeps other columns, because answers would be lost. */
  readonly areOthers: boolean;
}

/** The columns of the panes. The grid follows them as long as no answer is lost. */
export function usePaneColumns(offers: readonly ColumnOffer[]): PaneColumns {
  const setup = useGrid((state) => state.setup);
  const isLoaded = useGrid((state) => state.isLoaded);
  const isIdle = useGrid((state) => state.run.phase === 'idle');
  useGrid((state) => state.pulse);
  const columns = useMemo(() => chooseColumns(offers, setup), [offers, setup]);
  const book = readBook();
  const areOthers = isLoaded && columns.length > 0 && !isSameColumns(setup.columns, columns);
  const keepsAnswers = countAnswers(book.counts) === 0 || isSameRequests(setup.columns, columns, findAllPrompts(book));
  const canFollow = areOthers && keepsAnswers && isIdle;
  useEffect(() => {
    if (canFollow) followPanes(columns);
  }, [canFollow, columns]);
  return { columns, areOthers: areOthers && !keepsAnswers };
}
