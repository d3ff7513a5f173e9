import { RotateCcw } from 'lucide-react';
import { useId, useState, type MouseEvent } from 'react';
import type { NumberLimit } from '#core/contract/limits.ts';
import { FieldProblem } from './FieldProblem.tsx';
import { NumberInput } from './NumberInput.tsx';
import { RangeInput } from './RangeInput.tsx';

interface SliderFieldProps {
  limit: NumberLimit;
  /** undefined: not set, so not sent; the default is shown hollow and grey. */
  value: number | undefined;
  onChange: (value: number | undefined) => void;
}

/** A bounded number with a slider, a number field and a reset to "not set". */
export function SliderField({ limit, value, onChange }: SliderFieldProps) {
  const id = useId();
  const [problem, setProblem] = useState<string | null>(null);
  const isSet = value !== undefined;
  const { label, step, fallback, fallbackText = String(fallback) } = limit;
  const take = (next: number | undefined) => {
    setProblem(null);
    onChange(next);
  };
  const unset = (event: MouseEvent<HTMLButtonElement>) => {
    // The button disappears, so the focus moves to the number field.
    event.currentTarget.parentElement?.querySelector<HTMLElement>('[role="spinbutton"]')?.focus();
    take(undefined);
  };
  return (
    <div className="@container">
      <div
        className={
          'grid min-h-7 items-center gap-x-1.5 ' +
          'grid-cols-[var(--label-width,7.9rem)_minmax(2.5rem,1fr)_3.75rem_1.5rem]'
        }
      >
        <span className={`truncate ${isSet ? '' : 'text-soft'}`} title={label}>
          {label} {!isSet && <span className="hidden text-xs text-faint @sm:inline">default</span>}
        </span>
        <RangeInput limit={limit} value={value} onChange={take} />
        <NumberInput
          rule={limit}
          value={value}
          onChange={take}
          onProblem={setProblem}
          problemId={`${id}-problem`}
          step={step}
          origin={fallback}
          placeholder={fallbackText}
        />
        {isSet ? (
          <button
            type="button"
            aria-label={`Unset ${label}`}
            title={`Unset ${label}: the service's default is used`}
            onClick={unset}
            className="flex size-6 items-center justify-center rounded-md text-faint hover:bg-neutral-soft hover:text-ink"
          >
            <RotateCcw aria-hidden size={12} />
          </button>
        ) : (
          <span />
        )}
        <FieldProblem id={`${id}-problem`} message={problem} />
      </div>
    </div>
  );
}
