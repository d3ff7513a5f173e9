import { Search, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { MAX_TEXT, updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { formatCount } from '#ui/kit/format.ts';
import { Select } from '#ui/fields/Select.tsx';
import { SEARCHED } from '#features/experiments/web/rows/rowFilter.ts';
import { GROUPS } from '#features/experiments/web/rows/columns.ts';
import { parseGroup } from '#features/experiments/web/rows/tableState.ts';

interface ExperimentsToolbarProps {
  /** The text filter. */
  find: string;
  onFind: (text: string) => void;
  total: number;
  shownCount: number;
  plotSelect: ReactNode;
  columnChooser: ReactNode;
  exportMenu: ReactNode;
}

const GROUP_OPTIONS = [
  { value: '', label: 'No groups' },
  ...GROUPS.map(({ id, label }) => ({ value: id, label: `By ${label.toLowerCase()}` })),
];

/** Count of runs, text filter, grouping, and the menus for plot, columns and export. */
export function ExperimentsToolbar({
  find,
  onFind,
  total,
  shownCount,
  plotSelect,
  columnChooser,
  exportMenu,
}: ExperimentsToolbarProps) {
  const url = useUrlState();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h2 className="font-semibold whitespace-nowrap" aria-live="polite">
        {shownCount === total ? formatCount(total) : `${formatCount(shownCount)} of ${formatCount(total)}`}{' '}
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
          value={find}
          onChange={(event) => onFind(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && onFind('')}
          className="h-7 w-full min-w-0 rounded-md border border-line2 bg-surface pr-7 pl-7.5 hover:border-faint"
        />
        {find !== '' && (
          <button
            type="button"
            aria-label="Clear filter"
            onClick={() => onFind('')}
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
          value={parseGroup(url.group) ?? ''}
          options={GROUP_OPTIONS}
          onChange={(group) => updateUrl({ group: group === '' ? null : group }, { replace: true })}
        />
        {plotSelect}
        {columnChooser}
        {exportMenu}
      </div>
    </div>
  );
}
