import { TriangleAlert } from 'lucide-react';
import { useUrlState } from '#ui/address/urlState.ts';
import { Button } from '#ui/kit/Button.tsx';
import { showToast } from '#ui/kit/toast.ts';
import { openProjectGrid } from './gridList.ts';
import { useGrid } from './gridStore.ts';

/** Says that the open grid belongs to another project. */
export function ForeignNotice() {
  const { project } = useUrlState();
  const ownProject = useGrid((state) => state.storedAs.project);
  const isBusy = useGrid((state) => state.run.phase !== 'idle');
  if (ownProject === null || project === null || ownProject === project) return null;
  const toOwn = () =>
    void openProjectGrid(project).then((reason) => reason !== null && showToast(reason, { tone: 'bad' }));
  return (
    <output className="mt-2 flex items-center gap-2 border-t border-line bg-wait-soft px-3 py-1 text-sm text-wait">
      <TriangleAlert aria-hidden size={14} className="shrink-0" />
      <p className="min-w-0 flex-1">This grid belongs to another project.</p>
      <Button size="small" onClick={toOwn} disabledReason={isBusy ? 'Pause the run first.' : null}>
        Open a grid of this project
      </Button>
    </output>
  );
}
