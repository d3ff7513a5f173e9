import { useEffect, useRef } from 'react';
import { parseGridAddress } from '#ui/address/gridAddress.ts';
import { readUrl, updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { showToast } from '#ui/kit/toast.ts';
import { copyGrid, openAddressedGrid } from './gridList.ts';
import { useGrid } from './gridStore.ts';
import type { HeldOut } from './useHeldOut.ts';

const NO_SUCH_ROWS =
  'The link asks for validation rows of a snapshot that is not in this project, or that the service does not give. Import ' +
  'rows from a file instead.';

const showProblem = (reason: string): void => showToast(reason, { tone: 'error', kind: 'grid-address' });

/** The id of the grid on show, for the address. An empty grid has none: nobody needs a link to it. */
const toShownId = ({ setup, storedAs }: ReturnType<typeof useGrid.getState>): string | null =>
  setup.rows.length > 0 && storedAs.id !== '' ? storedAs.id : null;

const writeAddress = (id = toShownId(useGrid.getState())): void => updateUrl({ grid: id }, { replace: true });

async function openCopy(id: string): Promise<void> {
  const reason = await copyGrid(id);
  if (reason !== null) showProblem(reason);
}

async function openStored(id: string): Promise<void> {
  const failed = await openAddressedGrid(id);
  if (failed === null) return;
  if (!failed.isElsewhere) return showProblem(failed.problem);
  showToast(failed.problem, {
    action: { label: 'Open a copy', onSelect: () => void openCopy(id) },
    kind: 'grid-address',
  });
}

/** Opens the grid that the address names, and keeps the address of the grid on show up to date. */
export function useGridAddress(heldOut: HeldOut): void {
  const { grid } = useUrlState();
  const isLoaded = useGrid((state) => state.isLoaded);
  const id = useGrid(toShownId);
  const isOpening = useRef(false);
  const { isOffered, sources, take } = heldOut;
  useEffect(() => {
    const address = parseGridAddress(grid);
    if (!isLoaded || isOpening.current || address === null) return;
    if (address.kind === 'rows') {
      if (isOffered === null) return;
      const source = sources.find(({ snapshotId }) => snapshotId === address.snapshotId);
      writeAddress();
      if (source) take(source);
      else showProblem(NO_SUCH_ROWS);
      return;
    }
    if (address.id === useGrid.getState().storedAs.id) return;
    isOpening.current = true;
    void openStored(address.id).finally(() => {
      isOpening.current = false;
      writeAddress();
    });
  }, [grid, isLoaded, isOffered, sources, take]);
  useEffect(() => {
    const isPending = isOpening.current || parseGridAddress(readUrl().grid)?.kind === 'rows';
    if (isLoaded && !isPending) writeAddress(id);
  }, [id, isLoaded]);
}
