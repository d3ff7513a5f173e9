import { Table2 } from 'lucide-react';
import { formatCounted } from '#ui/kit/format.ts';
import { Button } from '#ui/kit/Button.tsx';
import { StoredRow } from '#ui/fields/StoredRow.tsx';
import { MAX_NAME, toGridTitle, toRateTexts } from './gridEntry.ts';
import type { ListedGrid } from './gridList.ts';

interface GridsRowProps {
  grid: ListedGrid;
  /** Name of the grid's project; null: it has none. */
  project: string | null;
  /** Why no other grid can be opened now; null: it can. */
  runningReason: string | null;
  onOpen: () => void;
  /** Opens a copy of a grid that another tab has open. */
  onCopy: () => void;
  /** Absent in lists of more than grids. */
  actions?: {
    /** An empty name: the title is made of the source and the rows instead. */
    readonly onRename: (name: string) => void;
    readonly onSave: () => void;
    readonly onDelete: () => void;
  };
}

/** One grid of the list. */
export function GridsRow({ grid, project, runningReason, onOpen, onCopy, actions }: GridsRowProps) {
  const title = toGridTitle(grid);
  const rates = toRateTexts(grid);
  return (
    <StoredRow
      title={title}
      icon={
        <>
          <Table2 aria-hidden size={13} className="shrink-0 text-faint" />
          {!actions && <span className="sr-only">Grid</span>}
        </>
      }
      savedAt={grid.savedAt}
      isCurrent={grid.isCurrent}
      isElsewhere={grid.isElsewhere}
      isUnreadable={!grid.isReadable}
      blocker={runningReason}
      damage={grid.isReadable ? null : 'It is damaged or comes from another version of the studio.'}
      about={[
        project ?? 'no project',
        formatCounted(grid.rows, 'row'),
        formatCounted(grid.answers, 'answer'),
        ...(rates.length > 0 ? rates : [grid.columns.join(', ')]),
      ]}
      onOpen={onOpen}
      actions={
        actions && {
          nameLabel: 'Name',
          name: grid.name,
          maxLength: MAX_NAME,
          placeholder: toGridTitle({ ...grid, name: '' }),
          saveLabel: `Save ${title} as JSON`,
          ...actions,
        }
      }
    >
      {grid.isElsewhere && grid.isReadable && (
        <Button size="small" onClick={onCopy} disabledReason={runningReason}>
          Open a copy
        </Button>
      )}
    </StoredRow>
  );
}
