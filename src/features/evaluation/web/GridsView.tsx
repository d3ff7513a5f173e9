import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { projectsQuery } from '#ui/client/queries.ts';
import { readUrl } from '#ui/address/urlState.ts';
import { Button } from '#ui/kit/Button.tsx';
import { downloadText } from '#ui/kit/download.ts';
import { shortId } from '#ui/kit/format.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { useStoredList } from '#ui/storage/useStoredList.ts';
import { showToast } from '#ui/kit/toast.ts';
import { toGridTitle } from './gridEntry.ts';
import {
  copyGrid,
  listGrids,
  newGrid,
  NO_DATABASE,
  openGrid,
  readGridFile,
  removeGrid,
  renameGrid,
  RUNNING,
  type ListedGrid,
} from './gridList.ts';
import { grid } from './gridSaver.ts';
import { GridsRow } from './GridsRow.tsx';
import { useGrid } from './gridStore.ts';

interface GridsViewProps {
  onClose: () => void;
}

const showProblem = (reason: string): void => showToast(reason, { tone: 'error' });

/** All grids of this browser, the current project's first. A person opens, renames, deletes or saves them here. */
export function GridsView({ onClose }: GridsViewProps) {
  const { items: grids, ...list } = useStoredList(listGrids, 'grid', onClose);
  const runningReason = useGrid((state) => (state.run.phase === 'idle' ? null : RUNNING));
  const projects = useQuery(projectsQuery()).data ?? [];
  const problem = grid.findPlace() === null ? NO_DATABASE : null;
  const save = async ({ id }: ListedGrid) =>
    downloadText('stored-grid.json', 'application/json', await readGridFile(id));
  const toName = (project: string | null): string | null =>
    project === null ? null : (projects.find(({ id }) => id === project)?.name ?? shortId(project));
  const { project } = readUrl();
  const sorted = grids?.toSorted((a, b) => Number(b.project === project) - Number(a.project === project)) ?? null;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-48 flex-1 text-soft">Grids stay in this browser until they are deleted.</p>
        <Button variant="primary" onClick={() => void list.enter(newGrid())} disabledReason={problem ?? runningReason}>
          <Plus aria-hidden size={13} /> New grid
        </Button>
      </div>
      {problem !== null && <p className="text-soft">{problem}</p>}
      {runningReason !== null && <p className="text-sm text-soft">{runningReason} Then you can open another grid.</p>}
      {sorted === null ? (
        <Skeleton rows={3} />
      ) : (
        <ul aria-label="Grids" className="-mx-2 flex flex-col">
          {sorted.map((grid) => (
            <GridsRow
              key={grid.id}
              grid={grid}
              project={toName(grid.project)}
              runningReason={runningReason}
              onOpen={() => void list.enter(openGrid(grid.id))}
              onCopy={() => void list.enter(copyGrid(grid.id))}
              actions={{
                onRename: (name) => void list.rename(renameGrid(grid.id, name)),
                onSave: () =>
                  void save(grid).catch(() => showProblem('The grid could not be read. Reload the page to try again.')),
                onDelete: () => void list.remove(toGridTitle(grid), removeGrid(grid.id)),
              }}
            />
          ))}
        </ul>
      )}
    </div>
  );
}
