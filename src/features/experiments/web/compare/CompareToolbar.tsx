import { ListX, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { choosePlot, PLOT_OPTIONS } from '#features/experiments/web/compareState/changePlot.ts';
import { isOnlyDifferences } from '#features/experiments/web/compareState/compareSet.ts';
import type { PlotChoice } from '#features/experiments/web/compareState/plotChoice.ts';
import { removeCompared } from '#features/experiments/web/compareState/removeCompared.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { formatCounted } from '#ui/kit/format.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { keepFocus } from '#ui/kit/keepFocus.ts';
import { Select } from '#ui/fields/Select.tsx';
import { showUndo } from '#ui/kit/toast.ts';
import { Toggle } from '#ui/fields/Toggle.tsx';
import { AS_LISTED, type OrderWords } from './columnOrder.ts';
import type { ColumnNames } from './columnNames.ts';
import type { ReadyColumn } from './compareColumns.ts';

interface CompareToolbarProps {
  /** How many refs are compared, those without a candidate included. */
  count: number;
  columns: readonly ReadyColumn[];
  naming: Pick<ColumnNames, 'names' | 'place'>;
  baseline: string | null;
  order: OrderWords;
  onOrderClear: () => void;
  /** The plot on show. */
  kind: PlotChoice['kind'];
  hasLosses: boolean;
  /** Copies the candidates. */
  exportMenu: ReactNode;
}

/** Baseline, order, choice of rows and plot, export. */
export function CompareToolbar({
  count,
  columns,
  naming: { names, place },
  baseline,
  order,
  onOrderClear,
  kind,
  hasLosses,
  exportMenu,
}: CompareToolbarProps) {
  const url = useUrlState();
  const plots = PLOT_OPTIONS.map(({ value, label }) => ({
    value,
    label,
    hint: value === 'loss' && !hasLosses ? 'none given' : undefined,
  }));
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1.5 px-3 py-2">
      <h2 className="font-semibold whitespace-nowrap">Compare {count}</h2>
      <IconButton
        label="Remove all from the comparison"
        icon={<ListX aria-hidden size={15} />}
        onClick={(event) => {
          keepFocus(event.currentTarget);
          showUndo(
            `${formatCounted(url.compare.length, 'candidate')} removed from the comparison.`,
            removeCompared(url.compare, true),
          );
        }}
        className="-ml-2 print:hidden"
      />
      {place !== null && (
        <span className="min-w-0 truncate text-sm text-soft" title={place}>
          runs of {place}
        </span>
      )}
      {order && (
        <span className="inline-flex min-w-0 items-center text-sm text-soft">
          {order === AS_LISTED ? (
            'in your order'
          ) : (
            <span className="min-w-0 truncate">
              by {order.label}, {order.isDescending ? 'descending' : 'ascending'}
            </span>
          )}
          <IconButton
            label={
              order === AS_LISTED
                ? 'Columns are in your order: show the best runs first again'
                : `Columns are sorted by ${order.label}: show the best runs first again`
            }
            icon={<X aria-hidden size={13} />}
            onClick={onOrderClear}
            className="-my-1 print:hidden"
          />
        </span>
      )}
      <div className="ml-auto flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5 print:hidden">
        {baseline !== null && (
          <Select
            label="Baseline"
            value={baseline}
            options={columns.map(({ ref }) => ({ value: ref, label: names.get(ref) ?? ref }))}
            onChange={(ref) => updateUrl({ baseline: ref })}
          />
        )}
        <Toggle
          label="Only differences"
          value={isOnlyDifferences(url)}
          onChange={(isOn) => updateUrl({ diff: isOn ? '1' : '0' }, { replace: true })}
        />
        <Select label="Plot" isLabelHidden value={kind} options={plots} onChange={choosePlot} />
        {exportMenu}
      </div>
    </div>
  );
}
