import { formatCount } from '#ui/kit/format.ts';
import { StatusBadge } from '#ui/kit/StatusBadge.tsx';
import type { FacetValue } from '#features/experiments/web/rows/rowFilter.ts';

interface FacetValuesProps {
  label: string;
  values: readonly FacetValue[];
  isStatus: boolean;
  onChange: (chosen: readonly string[]) => void;
}

const MOST_SHOWN = 200;

/** The values of a column to choose from, with the number of rows that have each. */
export function FacetValues({ label, values, isStatus, onChange }: FacetValuesProps) {
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
