import { Table2, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useUrlState } from '#web/session/urlState.ts';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { showToast } from '#web/ui/toast.ts';
import { ToastRegion } from '#web/ui/ToastRegion.tsx';
import { toGridTitle } from './gridEntry.ts';
import { openProjectGrid } from './gridList.ts';
import { GridsView } from './GridsView.tsx';
import { useGrid } from './gridStore.ts';

/** Names the open grid, opens the list of grids, and says if the grid belongs to another project. */
export function GridsBar() {
  const { project } = useUrlState();
  const { name, project: ownProject } = useGrid((state) => state.storedAs);
  const rows = useGrid((state) => state.setup.rows.length);
  const isBusy = useGrid((state) => state.run.phase !== 'idle');
  const [isOpen, setOpen] = useState(false);
  const title = toGridTitle({ name, rows, isReadable: true });
  const isForeign = ownProject !== null && project !== null && ownProject !== project;
  const toOwn = (id: string) =>
    openProjectGrid(id).then((reason) => reason !== null && showToast(reason, { tone: 'bad' }));
  return (
    <>
      <div className="flex items-center gap-2 px-3 pt-2">
        <Button
          size="small"
          onClick={() => setOpen(true)}
          aria-label={`Grids, on show: ${title}`}
          title={title}
          className="max-w-96 min-w-0 shrink!"
        >
          <Table2 aria-hidden size={13} className="shrink-0" /> <span className="min-w-0 truncate">{title}</span>
        </Button>
      </div>
      {isForeign && (
        <output className="mt-2 flex items-center gap-2 border-t border-line bg-wait-soft px-3 py-1 text-sm text-wait">
          <TriangleAlert aria-hidden size={14} className="shrink-0" />
          <p className="min-w-0 flex-1 break-words">This grid belongs to another project.</p>
          <Button
            size="small"
            onClick={() => void toOwn(project)}
            disabledReason={isBusy ? 'Pause the run first.' : null}
          >
            Open a grid of this project
          </Button>
        </output>
      )}
      <Dialog title="Grids" isOpen={isOpen} onClose={() => setOpen(false)}>
        <GridsView onClose={() => setOpen(false)} />
        <ToastRegion />
      </Dialog>
    </>
  );
}
