import { Columns3, Pin } from 'lucide-react';
import { useState } from 'react';
import { updateUrl } from '#ui/address/urlState.ts';
import { splitFigures, toMoreText } from '#features/experiments/shared/manyFigures.ts';
import { Button } from '#ui/kit/Button.tsx';
import { isHeldOutMeasure, type ExperimentColumn } from '#features/experiments/web/rows/column.ts';
import { NAME_COLUMN } from '#features/experiments/web/rows/columns.ts';
import { MoreFigures } from '#ui/kit/MoreFigures.tsx';
import { FilterPopover } from './FilterPopover.tsx';
import { reduceColumns, reducePins } from '#features/experiments/web/rows/tableState.ts';
import type { ExperimentTableState } from './useExperimentTable.ts';

interface ColumnChooserProps {
  table: ExperimentTableState;
}

/** Why the columns that come from jobs have no values. */
function toEmptyReason({ answers, isDeferred }: ExperimentTableState): string {
  if (answers.isHidden) return 'This service doesn’t send the hyperparameters of runs.';
  if (isDeferred) return 'The jobs are not loaded yet.';
  return answers.pending.size > 0 ? 'The jobs are being loaded.' : NO_VALUE;
}

const NO_VALUE = 'No run here has a value.';

/** Which columns are shown, and which of them are pinned at the left edge. */
export function ColumnChooser({ table }: ColumnChooserProps) {
  const { columns, filled, shownIds: shown, pinnedIds: pinned } = table;
  const [opened, setOpened] = useState<{ readonly anchor: HTMLElement; readonly shown: readonly string[] } | null>(
    null,
  );
  // Columns that were shown on opening stay outside the fold, so a ticked box doesn't move.
  const { shown: few, more } = splitFigures(columns, isHeldOutMeasure, ({ id }) => opened?.shown.includes(id) ?? false);
  const toItem = (column: ExperimentColumn) => {
    const isShown = shown.includes(column.id);
    const isPinned = pinned.includes(column.id);
    const reason = filled.has(column.id) || isShown ? null : column.source === 'job' ? toEmptyReason(table) : NO_VALUE;
    return (
      <li key={column.id} className="flex min-h-7 items-center gap-1 rounded-md px-2 hover:bg-accent-soft">
        <label
          className={`flex min-w-0 flex-1 items-center gap-2 py-0.5 ${reason === null ? 'cursor-pointer' : 'text-faint'}`}
        >
          <input
            type="checkbox"
            checked={isShown}
            disabled={reason !== null || column.id === NAME_COLUMN}
            onChange={() =>
              updateUrl({ columns: reduceColumns(shown, column.id, columns, table.usual.ids) }, { replace: true })
            }
            className="size-3.5 shrink-0 accent-accent"
          />
          <span className="min-w-0">
            {column.label}
            {reason !== null && <span className="block text-sm">{reason}</span>}
          </span>
        </label>
        {isShown && (
          <button
            type="button"
            aria-pressed={isPinned}
            aria-label={`Pin ${column.label}`}
            title={isPinned ? 'Unpin' : 'Pin at the left edge'}
            onClick={() => updateUrl({ pins: reducePins(pinned, column.id) }, { replace: true })}
            className={
              'flex size-6 shrink-0 items-center justify-center rounded ' +
              `${isPinned ? 'text-accent' : 'text-faint hover:text-ink'}`
            }
          >
            <Pin aria-hidden size={13} />
          </button>
        )}
      </li>
    );
  };
  return (
    <>
      <Button
        aria-haspopup="dialog"
        aria-expanded={opened !== null}
        onClick={(event) => setOpened({ anchor: event.currentTarget, shown })}
      >
        <Columns3 aria-hidden size={14} />
        Columns
      </Button>
      {opened && (
        <FilterPopover title="Columns" anchor={opened.anchor} onClose={() => setOpened(null)}>
          <ul className="min-h-0 overflow-y-auto p-1">
            {few.map(toItem)}
            {more.length > 0 && (
              <li className="px-2">
                <MoreFigures title={toMoreText(more.length)}>
                  <ul className="-mx-2">{more.map(toItem)}</ul>
                </MoreFigures>
              </li>
            )}
          </ul>
          <div className="flex justify-end border-t border-line p-2">
            <Button
              size="small"
              variant="quiet"
              onClick={() => updateUrl({ columns: [], pins: [] }, { replace: true })}
            >
              Reset columns
            </Button>
          </div>
        </FilterPopover>
      )}
    </>
  );
}
