// Ends and ticks of a numeric axis, and how its numbers are written. Pure.
import { toScientificText } from '#core/contract/numberNotation.ts';
import type { PlotValue } from './brush.ts';

export interface Tick {
  readonly value: number;
  /** Unique among the ticks of an axis. */
  readonly label: string;
}

export interface Ticks {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly Tick[];
}

interface TickInput {
  readonly min: number;
  readonly max: number;
  readonly scale: 'linear' | 'log';
  readonly isWhole: boolean;
  /** Losses and the like are written as in the tables. */
  readonly isMeasure?: boolean;
}

const isScientific = (value: number, isMeasure = false): boolean => {
  const size = Math.abs(value);
  return size !== 0 && (isMeasure ? size < 1e-3 || size >= 1e6 : size < 0.01 || size >= 100_000);
};

/**
 * Whole numbers and scientific ones have six significant digits, fractions such as losses four; never rounded to 0.
 * Scientific below 0.01 and from 100,000; a text is itself.
 */
export function formatPlotValue(value: PlotValue): string {
  if (typeof value !== 'number') return value ?? '';
  const rounded = Number.isFinite(value)
    ? Number(value.toPrecision(Number.isInteger(value) || isScientific(value) ? 6 : 4))
    : value;
  return isScientific(rounded) ? toScientificText(rounded) : String(rounded);
}

/** The fewest digits that keep all labels distinct and true; each is written as the same number is elsewhere. */
function toLabels(values: readonly number[], isMeasure: boolean): readonly Tick[] {
  const write = (value: number): string => (isScientific(value, isMeasure) ? toScientificText(value) : String(value));
  for (let digits = 2; digits <= 17; digits += 1) {
    const rounded = values.map((value) => Number(value.toPrecision(digits)));
    const isTrue = rounded.every((value, index) => Math.abs(value - (values[index] ?? 0)) <= Math.abs(value) * 1e-9);
    if (isTrue && new Set(rounded).size === rounded.length)
      return values.map((value, index) => ({ value, label: write(rounded[index] ?? value) }));
  }
  const labels = new Map(values.map((value) => [write(value), value]));
  return [...labels].map(([label, value]) => ({ value, label }));
}

const MOST = 5;

/** The smallest of 1, 2, 5 times a power of ten that is not below `size`. */
function toNiceStep(size: number): number {
  const power = Math.floor(Math.log10(size));
  return (
    [1, 2, 5, 10].map((mantissa) => Number(`${mantissa}e${power}`)).find((step) => step >= size * (1 - 1e-9)) ?? size
  );
}

/** Multiples of a nice step around the values; only the ends if numbers are too large or too close for steps. */
function toLinearTicks({ min, max, isWhole, isMeasure = false }: TickInput): Ticks {
  const isPoint = min === max;
  const around = isPoint ? (isWhole ? 1 : Math.abs(min) / 10 || 1) : 0;
  const [low, high] = [min - around, max + around];
  const step = Math.max(toNiceStep((high - low) / (MOST - 1)), isWhole ? 1 : 0);
  const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
  const [from, to] = [first * step, last * step];
  if (
    !Number.isFinite(from) ||
    !Number.isFinite(to) ||
    last - first > 2 * MOST ||
    !(from < to) ||
    !Number.isSafeInteger(first) ||
    !Number.isSafeInteger(last)
  ) {
    return toEnds(min, max, 'linear', isMeasure);
  }
  const values = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
  return {
    from: Math.min(values[0] ?? from, min),
    to: Math.max(values.at(-1) ?? to, max),
    ticks: toLabels(isPoint ? [min] : [...new Set(values)], isMeasure),
  };
}

/** Around one huge or tiny number there may be no other on one side. */
function toEnds(min: number, max: number, scale: 'linear' | 'log', isMeasure: boolean): Ticks {
  if (min !== max) return { from: min, to: max, ticks: toLabels([min, max], isMeasure) };
  const around = Math.abs(min) / 2 || 1;
  const from = scale === 'log' ? min / 2 || min : Math.max(-Number.MAX_VALUE, min - around);
  const to = Math.min(Number.MAX_VALUE, scale === 'log' ? min * 2 : min + around);
  return { from, to, ticks: toLabels([min], isMeasure) };
}

/** 1, 2 and 5 of each decade while there is room, then only decades, then each second, third... */
function toLogTicks({ min, max, isMeasure = false }: TickInput): Ticks {
  const [low, high] = [Math.floor(Math.log10(min)), Math.floor(Math.log10(max)) + 1];
  const candidates = Array.from({ length: high - low + 1 }, (_, index) => low + index).flatMap((power) =>
    [1, 2, 5].map((mantissa) => Number(`${mantissa}e${power}`)),
  );
  const from = candidates.findLast((value) => value <= min && (value < min || min < max)) ?? candidates[0] ?? min;
  const to = candidates.find((value) => value >= max && (value > max || min < max)) ?? max;
  const inside = candidates.filter((value) => value >= from && value <= to);
  if (!(from > 0) || !Number.isFinite(to) || !(from < to)) return toEnds(min, max, 'log', isMeasure);
  if (min === max) return { from, to, ticks: toLabels([min], isMeasure) };
  const decades = inside.filter((value) => value.toExponential().startsWith('1e'));
  const every = Math.ceil(decades.length / (MOST + 1));
  const shown =
    inside.length <= MOST + 2
      ? inside
      : decades.length >= 3
        ? decades.filter((_, index) => index % every === 0)
        : inside;
  return { from, to, ticks: toLabels(shown, isMeasure) };
}

/** Ends and ticks for values from `min` to `max` (finite; above 0 where the scale is logarithmic). */
export function toTicks(input: TickInput): Ticks {
  return input.scale === 'log' ? toLogTicks(input) : toLinearTicks(input);
}
