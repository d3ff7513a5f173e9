// How a count is written. A service may send any number where SPEC says integer.
import { formatCount } from './format.ts';

const GROUPED_BELOW = 1e9;

/** `2,200`; a fraction or a number too long to read keeps its own shortest form, so that no digit is lost. */
export function toCountText(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < GROUPED_BELOW ? formatCount(value) : String(value);
}
