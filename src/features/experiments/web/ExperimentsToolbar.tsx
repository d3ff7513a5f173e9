import { Search, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { MAX_TEXT } from '#ui/address/urlState.ts';
import { formatCount } from '#ui/kit/format.ts';
import { Select } from '#ui/fields/Select.tsx';
import { choosePlot, PLOT_OPTIONS } from '#features/experiments/web/compareState/changePlot.ts';
import type { PlotChoice } from '#features/experiments/web/compareState/plotChoice.ts';
import { SEARCHED } from '#features/experiments/web/rows/rowFilter.ts';
import { GROUPS } from '#features/experiments/web/rows/columns.ts';
import { SEED_GROUP } from '#features/experiments/web/rows/seedGroups.ts';
import { ColumnChooser } from './ColumnChooser.tsx';
import type { ExperimentTableState } from './useExperimentTable.ts';

interface ExperimentsToolbarProps {
  table: ExperimentTableState;
  plot: PlotChoice['kind'];
  exportMenu: ReactNode;
}

const GROUP_OPTIONS = [
  { value: '', label: 'No groups' },
  ...[...GROUPS, SEED_GROUP].map(({ id, label }) => ({ value: id, label: `By ${label.toLowerCase()}` })),
];

/** Count of runs, text filter, grouping, and the menus for plot, columns and export. */
export function ExperimentsToolbar({ table, plot, exportMenu }: ExperimentsToolbarProps) {
  const { typed, onType, rows, shown, group } = table;
  const [count, total] = [shown.length, rows.length];
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h2 className="font-semibold whitespace-nowrap" aria-live="polite">
        {count === total ? formatCount(total) : `${formatCount(count)} of ${formatCount(total)}`}{' '}
        {total === 1 ? 'run' : 'runs'}
      </h2>
      <div className="relative flex min-w-40 flex-1 items-center print:hidden">
        <Search aria-hidden size={14} className="pointer-events-none absolute left-2 text-faint" />
        <input
          type="text"
          role="searchbox"
          aria-label="Filter runs"
          placeholder="Filter runs"
          title={`Searches ${SEARCHED}. Every word must match`}
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_TEXT}
          value={typed}
          onChange={(event) => onType(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && onType('')}
          className="h-7 w-full min-w-0 rounded-md border border-line-strong bg-surface pr-7 pl-7.5 hover:border-faint"
        />
        {typed !== '' && (
          <button
            type="button"
            aria-label="Clear filter"
            onClick={() => onType('')}
            className="absolute right-0.5 flex size-6 items-center justify-center rounded text-faint hover:text-ink"
          >
            <X aria-hidden size={13} />
          </button>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2 print:hidden">
        <Select
          label="Group"
          isLabelHidden
          value={group ?? ''}
          options={GROUP_OPTIONS}
          onChange={(next) => table.onGroup(next === '' ? null : next)}
        />
        <Select label="Plot" isLabelHidden value={plot} options={PLOT_OPTIONS} onChange={choosePlot} />
        <ColumnChooser table={table} />
        {exportMenu}
      </div>
    </div>
  );
}
