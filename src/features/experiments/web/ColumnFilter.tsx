import { brushAxis, type AxisBrush, type Brush } from '#ui/plots/scales/brush.ts';
import { Button } from '#ui/kit/Button.tsx';
import { isNumberColumn, type ExperimentColumn } from '#features/experiments/web/rows/column.ts';
import { FilterPopover } from './FilterPopover.tsx';
import type { ExperimentRow } from '#features/experiments/web/rows/experimentRows.ts';
import { toExtent, toFacet, type FacetValue } from '#features/experiments/web/rows/rowFilter.ts';
import { useId, useState } from 'react';
import { FieldProblem } from '#ui/fields/FieldProblem.tsx';
import { NumberInput } from '#ui/fields/NumberInput.tsx';
import { toEntered, type Range } from '#features/experiments/web/rows/rangeEntry.ts';
import { formatCount } from '#ui/kit/format.ts';
import { StatusBadge } from '#ui/kit/StatusBadge.tsx';

interface FacetRangeProps extends Range {
  label: string;
  /** Smallest and largest value there is; null without any. */
  extent: { readonly min: number; readonly max: number } | null;
  onChange: (from: number | null, to: number | null) => void;
}

/** A typed range that does not apply yet, because its ends are reversed. */
interface Draft {
  readonly range: Range;
  readonly base: Range;
  readonly problem: string;
}

/** Fields for the ends of a range; both are inclusive, and either may be open. */
function FacetRange({ label, from, to, extent, onChange }: FacetRangeProps) {
  const id = useId();
  const [problems, setProblems] = useState<{ readonly from: string | null; readonly to: string | null }>({
    from: null,
    to: null,
  });
  const [typed, setTyped] = useState<Draft | null>(null);
  // A clear or a brush elsewhere discards the draft.
  const draft = typed && typed.base.from === from && typed.base.to === to ? typed : null;
  const shown = draft?.range ?? { from, to };
  const step = extent && extent.max > extent.min ? 10 ** Math.floor(Math.log10((extent.max - extent.min) / 10)) : 1;
  const enter = (end: 'from' | 'to', value: number | null) => {
    const { range, problem } = toEntered(shown, end, value);
    setTyped(problem === null ? null : { range, base: { from, to }, problem });
    if (problem === null) onChange(range.from, range.to);
  };
  const field = (name: 'from' | 'to') => (
    <>
      <div className="flex items-center gap-2">
        <label htmlFor={`${id}-${name}`} className="w-10 text-soft">
          {name}
        </label>
        <NumberInput
          id={`${id}-${name}`}
          rule={{ label: `${label} ${name}` }}
          value={shown[name] ?? undefined}
          step={step}
          origin={(name === 'from' ? extent?.min : extent?.max) ?? 0}
          placeholder={String((name === 'from' ? extent?.min : extent?.max) ?? '')}
          onProblem={(problem) => setProblems((last) => ({ ...last, [name]: problem }))}
          problemId={`${id}-${name}-problem ${id}-order`}
          onChange={(value) => enter(name, value ?? null)}
          className="flex-1"
        />
      </div>
      <FieldProblem id={`${id}-${name}-problem`} message={problems[name]} />
    </>
  );
  return (
    <div className="flex flex-col gap-1.5 p-3">
      {field('from')}
      {field('to')}
      <FieldProblem id={`${id}-order`} message={draft?.problem ?? null} />
    </div>
  );
}

interface FacetValuesProps {
  label: string;
  values: readonly FacetValue[];
  isStatus: boolean;
  onChange: (chosen: readonly string[]) => void;
}

const MOST_SHOWN = 200;

/** The values of a column to choose from, with the number of rows that have each. */
function FacetValues({ label, values, isStatus, onChange }: FacetValuesProps) {
  const chosen = values.filter((entry) => entry.isChosen).map((entry) => entry.value);
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);
  return (
    <fieldset className="flex min-h-0 flex-col overflow-y-auto p-1">
      <legend className="sr-only">Values of {label}</legend>
      {values.slice(0, MOST_SHOWN).map(({ value, count, isChosen }) => (
        <label
          key={value}
          className="flex min-h-7 shrink-0 cursor-pointer items-center gap-2 rounded-md px-2 hover:bg-accent-soft"
        >
          <input
            type="checkbox"
            checked={isChosen}
            onChange={() => toggle(value)}
            className="size-3.5 shrink-0 cursor-pointer accent-accent"
          />
          <span className="min-w-0 flex-1 truncate" title={value}>
            {value === '' ? (
              <span className="text-faint">not given</span>
            ) : isStatus ? (
              <StatusBadge status={value} />
            ) : (
              value
            )}
          </span>
          <span className="text-sm text-faint">{formatCount(count)}</span>
        </label>
      ))}
      {values.length > MOST_SHOWN && (
        <p className="px-2 py-1 text-sm text-soft">
          and {formatCount(values.length - MOST_SHOWN)} more. Use the text filter to find them.
        </p>
      )}
    </fieldset>
  );
}

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
  const set = (next: AxisBrush) => onBrush(brushAxis(brush, column.id, next));
  const clear = () => onBrush(brushAxis(brush, column.id, null));
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
