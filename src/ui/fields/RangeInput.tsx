import type { CSSProperties, KeyboardEvent } from 'react';
import type { NumberLimit } from '#core/contract/limits.ts';
import { stepNumber } from './numberText.ts';

interface RangeInputProps {
  limit: NumberLimit;
  /** undefined: not set; the thumb is at the default, hollow and grey. */
  value: number | undefined;
  onChange: (value: number) => void;
}

const STEPS: Readonly<Record<string, 1 | -1>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  PageUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageDown: -1,
};

/** The browser's slider. Shift with an arrow key moves as far as Page Up and Page Down: a tenth of the range. */
export function RangeInput({ limit, value, onChange }: RangeInputProps) {
  const { label, min, max, step, fallback, fallbackText = String(fallback) } = limit;
  const isSet = value !== undefined;
  const filled: CSSProperties & { '--filled': number } = { '--filled': ((value ?? fallback) - min) / (max - min) };
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = STEPS[event.key];
    // Browsers use different page steps, and none handles Shift.
    if (direction === undefined || !(event.shiftKey || event.key.startsWith('Page'))) return;
    event.preventDefault();
    const next = stepNumber(value ?? fallback, (max - min) / 10, direction, limit);
    if (next !== value) onChange(next);
  };
  return (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={isSet ? String(value) : `not set, default ${fallbackText}`}
      min={min}
      max={max}
      step={step}
      value={value ?? fallback}
      onChange={(event) => onChange(Number(event.target.value))}
      onKeyDown={onKeyDown}
      data-unset={isSet ? undefined : ''}
      style={isSet ? filled : undefined}
      className="slider"
    />
  );
}
