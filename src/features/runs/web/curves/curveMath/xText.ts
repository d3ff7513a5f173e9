// How a place on the x axis is written. Pure.
import { formatPlotValue, toTicks, type Tick } from '#ui/plots/scales/ticks.ts';
import { formatClock, formatDuration, formatMinute, toCountText, makeOnce } from '#ui/kit/format.ts';
import type { XAxis } from './curveView.ts';
import type { XRange } from './xRange.ts';

const day = makeOnce(() => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' }));
const dayAndClock = makeOnce(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    }),
);

/** "step 310", "epoch 1.25", "3 min 05 s", "20 Nov, 14:02:11". */
export function toXText(axis: XAxis, x: number): string {
  if (!Number.isFinite(x)) return 'unknown';
  switch (axis) {
    case 'step':
      return `step ${toCountText(Math.round(x))}`;
    case 'share':
      return `${Math.round(x)} % of the run`;
    case 'epoch':
      return `epoch ${Number(x.toFixed(3))}`;
    case 'tokens':
      return `${toCountText(Math.round(x))} tokens`;
    case 'elapsed':
      return formatDuration(x * 1000);
    case 'time':
      return dayAndClock().format(x);
    default:
      return axis satisfies never;
  }
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAYS = 24 * HOUR;
const TIME_STEPS = [1, 2, 5, 10, 30].flatMap((n) => [n * SECOND, n * MINUTE]);
const STEPS: readonly number[] = [
  ...TIME_STEPS,
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365].map((n) => n * DAYS),
].toSorted((a, b) => a - b);
const MOST_TICKS = 6;

function toTimes(fromMs: number, toMs: number, offsetMs: number): readonly number[] {
  const step = STEPS.find((size) => (toMs - fromMs) / size <= MOST_TICKS) ?? (toMs - fromMs) / MOST_TICKS;
  const first = Math.ceil((fromMs + offsetMs) / step) * step - offsetMs;
  const count = Math.max(0, Math.floor((toMs - first) / step) + 1);
  return Array.from({ length: Math.min(count, 2 * MOST_TICKS) }, (_, index) => first + index * step);
}

/** Short text of a tick; `spanMs`: of the whole axis. */
const toTimeLabel = (at: number, spanMs: number): string =>
  spanMs > 2 * DAYS ? day().format(at) : spanMs > 5 * MINUTE ? formatMinute(at) : formatClock(at);

/** Ticks inside the range. Labels are distinct. */
export function toXTicks(axis: XAxis, { from, to }: XRange): readonly Tick[] {
  if (axis === 'time' || axis === 'elapsed') {
    const unit = axis === 'elapsed' ? 1000 : 1;
    const offset = axis === 'time' ? -new Date(from).getTimezoneOffset() * MINUTE : 0;
    const ticks = toTimes(from * unit, to * unit, offset).map((at) => ({
      value: at / unit,
      label: axis === 'elapsed' ? (at === 0 ? '0' : formatDuration(at)) : toTimeLabel(at, to - from),
    }));
    return ticks.filter(({ label }, index) => ticks.findIndex((tick) => tick.label === label) === index);
  }
  const { ticks } = toTicks({ min: from, max: to, scale: 'linear', isWhole: axis !== 'epoch' });
  return ticks
    .filter(({ value }) => value >= from && value <= to)
    .map(({ value, label }) => ({
      value,
      label: axis === 'epoch' ? label : axis === 'share' ? `${label} %` : toShort(value),
    }));
}

/** 12000 -> "12k", 2500000 -> "2.5M". */
function toShort(value: number): string {
  for (const [size, unit] of [
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const)
    if (Math.abs(value) >= 10 * size || (Math.abs(value) >= size && unit !== 'k'))
      return `${formatPlotValue(Number((value / size).toPrecision(6)))}${unit}`;
  return formatPlotValue(value);
}
