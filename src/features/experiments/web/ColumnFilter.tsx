import { reduceBrush, type AxisBrush, type Brush } from '#ui/plots/scales/brush.ts';
import { Button } from '#ui/kit/Button.tsx';
import { isNumberColumn, type ExperimentColumn } from '#features/experiments/web/rows/column.ts';
import { FacetRange } from './FacetRange.tsx';
import { FacetValues } from './FacetValues.tsx';
import { FilterPopover } from './FilterPopover.tsx';
import type { ExperimentRow } from '#features/experiments/web/rows/experimentRows.ts';
import { toExtent, toFacet } from '#features/experiments/web/rows/rowFilter.ts';

interface ColumnFilterProps {
  column: ExperimentColumn;
  columns: readonly ExperimentColumn[];
  /** Rows that match the text filter. */
  rows: readonly ExperimentRow[];
  brush: Brush;
  anchor: HTMLElement;
  onBrush: (next: Brush) => void;
  onClose: () => void;
}

/** The filter of one column: the same brush that the plots draw. */
export function ColumnFilter({ column, columns, rows, brush, anchor, onBrush, onClose }: ColumnFilterProps) {
  const now = brush.get(column.id);
  const set = (next: AxisBrush) => onBrush(reduceBrush(brush, { type: 'set', axisId: column.id, brush: next }));
  const clear = () => onBrush(reduceBrush(brush, { type: 'clear', axisId: column.id }));
  return (
    <FilterPopover title={`Filter ${column.label}`} anchor={anchor} onClose={onClose}>
      {isNumberColumn(column) ? (
        <FacetRange
          label={column.label}
          from={now?.kind === 'range' ? now.from : null}
          to={now?.kind === 'range' ? now.to : null}
          extent={toExtent(rows, column)}
          onChange={(from, to) => (from === null && to === null ? clear() : set({ kind: 'range', from, to }))}
        />
      ) : (
        <FacetValues
          label={column.label}
          values={toFacet(rows, column, columns, brush)}
          isStatus={column.kind === 'status'}
          onChange={(values) => (values.length === 0 ? clear() : set({ kind: 'values', values }))}
        />
      )}
      <div className="flex justify-end border-t border-line p-2">
        <Button size="small" variant="quiet" disabledReason={now ? null : 'This column has no filter.'} onClick={clear}>
          Clear
        </Button>
      </div>
    </FilterPopover>
  );
}
