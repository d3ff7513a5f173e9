import { useEffect, useState } from 'react';
import { toGridTitle } from '#features/evaluation/web/gridEntry.ts';
import { listStoredGrids, openListedGrid, RUNNING, type ListedGrid } from '#features/evaluation/web/gridList.ts';
import { GridsRow } from '#features/evaluation/web/GridsRow.tsx';
import { useGrid } from '#features/evaluation/web/gridStore.ts';
import { SessionsView } from '#features/playground/web/sessions/SessionsView.tsx';
import { showToast } from '#ui/kit/toast.ts';

interface SessionsAndGridsProps {
  onClose: () => void;
  /** Shows the grid. */
  onGrid: () => void;
}

const showError = (reason: string): void => showToast(reason, { tone: 'error' });

/** The stored conversations and the stored grids in one list. */
export function SessionsAndGrids({ onClose, onGrid }: SessionsAndGridsProps) {
  const [grids, setGrids] = useState<readonly ListedGrid[]>([]);
  const runningReason = useGrid((state) => (state.run.phase === 'idle' ? null : RUNNING));
  useEffect(
    () =>
      void listStoredGrids().then(setGrids, () =>
        showError('The stored grids could not be read. Reload the page to try again.'),
      ),
    [],
  );
  const open = async (grid: ListedGrid): Promise<void> => {
    const reason = await openListedGrid(grid);
    if (reason !== null) return showError(reason);
    onGrid();
    onClose();
  };
  const others = grids.map((grid) => ({
    id: grid.id,
    savedAt: grid.savedAt,
    text: [toGridTitle(grid), ...grid.columns].join('\n'),
    row: (
      <GridsRow
        key={grid.id}
        grid={grid.isCurrent ? { ...grid, isCurrent: false } : grid}
        project={null}
        runningReason={grid.isCurrent ? null : runningReason}
        onOpen={() => void open(grid)}
        onCopy={() => void open(grid)}
      />
    ),
  }));
  return <SessionsView onClose={onClose} others={others} />;
}
