// Converts between values and places on an axis. Places are fractions: 0 is the lower (left) end, 1 the upper (right)
// one.
import type { CategoryAxis, NumberAxis, PlotAxis } from './axes.ts';
import type { PlotValue } from './brush.ts';

const clamp = (fraction: number): number => Math.min(1, Math.max(0, fraction));

/** Decides the place of a number. */
export type Scale = Pick<NumberAxis, 'scale' | 'from' | 'to'>;

/** Ratio of two differences that may each be too large for a number. */
function ratio(value: number, from: number, to: number): number {
  const span = to - from;
  // Logarithms of two neighbouring numbers can be one number.
  if (span === 0) return 0.5;
  return Number.isFinite(span) ? (value - from) / span : (value / 4 - from / 4) / (to / 4 - from / 4);
}

/** Clamped to the axis; numbers without a place on a logarithmic axis are at its lower end. */
export function toFraction(axis: Scale, value: number): number {
  if (axis.scale === 'linear') return clamp(ratio(value, axis.from, axis.to));
  return value > 0 ? clamp(ratio(Math.log(value), Math.log(axis.from), Math.log(axis.to))) : 0;
}

export function fromFraction(axis: Scale, fraction: number): number {
  const part = clamp(fraction);
  if (axis.scale === 'linear') return axis.from * (1 - part) + axis.to * part;
  const value = Math.exp(Math.log(axis.from) * (1 - part) + Math.log(axis.to) * part);
  return Math.min(axis.to, Math.max(axis.from, value));
}

/** The value at a place, with only the digits that `pixels` places can tell apart; whole if all values are. */
export function toEdge(axis: NumberAxis, fraction: number, pixels: number): number {
  const value = fromFraction(axis, fraction);
  if (axis.isWhole) return Math.round(value) + 0;
  const step = Math.abs(fromFraction(axis, fraction + 0.5 / pixels) - fromFraction(axis, fraction - 0.5 / pixels));
  if (value === 0 || !(step > 0) || !Number.isFinite(step)) return value;
  const digits = Math.floor(Math.log10(Math.abs(value))) - Math.floor(Math.log10(step)) + 1;
  return Number(value.toPrecision(Math.min(17, Math.max(1, digits)))) + 0;
}

/** Categories are in the middle of bands of one size, the first at the top (at the left if `isAcross`). */
export function toCategoryFraction(axis: CategoryAxis, index: number, isAcross = false): number {
  const fraction = (index + 0.5) / axis.categories.length;
  return isAcross ? fraction : 1 - fraction;
}

/** Places of all values of an axis; null for a missing one. */
export function toFractions(axis: PlotAxis, isAcross = false): readonly (number | null)[] {
  if (axis.kind === 'number')
    return axis.values.map((value) => (typeof value === 'number' ? toFraction(axis, value) : null));
  const places = new Map<PlotValue, number>(
    axis.categories.map((category, index) => [category, toCategoryFraction(axis, index, isAcross)]),
  );
  return axis.values.map((value) => (value === null ? null : (places.get(value) ?? null)));
}
