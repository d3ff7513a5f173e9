// Bounds of numbers in a JSON schema. The service refuses a schema that allows no number, and the editor warns of it
// by the same rule. Pure.

/** A bound of a range of numbers. */
export interface Bound {
  readonly value: number;
  readonly isExclusive: boolean;
}

/** The stricter of the inclusive and the exclusive bound; `sign` 1 for lower bounds, -1 for upper ones. */
export function toBound(inclusive: number | null, exclusive: number | null, sign: 1 | -1): Bound | null {
  if (exclusive !== null && (inclusive === null || exclusive * sign >= inclusive * sign))
    return { value: exclusive, isExclusive: true };
  return inclusive === null ? null : { value: inclusive, isExclusive: false };
}

/** The first whole number inside a bound; `sign` 1 for lower bounds, -1 for upper ones. */
export function toIntegerBound({ value, isExclusive }: Bound, sign: 1 | -1): number {
  const inside = sign === 1 ? Math.ceil(value) : Math.floor(value);
  return isExclusive && inside === value ? inside + sign : inside;
}

export function isEmptyRange(min: Bound | null, max: Bound | null, isInteger: boolean): boolean {
  if (min === null || max === null) return false;
  if (!isInteger) return min.value > max.value || (min.value === max.value && (min.isExclusive || max.isExclusive));
  return toIntegerBound(min, 1) > toIntegerBound(max, -1);
}
