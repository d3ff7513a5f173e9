// The result of a check of one answer.
import type { CheckPart } from './checkPart.ts';

/**
 * `note`: a caveat about a pass. `score`: 0 to 1, of checks that judge by degrees. `parts`: what was judged by itself, of json-fields and
 * tool-arguments.
 */
export type CheckResult = { readonly score?: number; readonly parts?: readonly CheckPart[] } & (
  | { readonly state: 'pass'; readonly note?: string }
  | { readonly state: 'fail' | 'no-check'; readonly reason: string }
);

export const PASS: CheckResult = { state: 'pass' };
export const fail = (reason: string): CheckResult => ({ state: 'fail', reason });
export const noCheck = (reason: string): CheckResult => ({ state: 'no-check', reason });

const MAX_SHOWN_PARTS = 5;
const MAX_SHOWN_CHARACTERS = 200;

const toPartText = ({ name, expected, actual }: CheckPart): string => {
  if (actual === null) return `${name}: missing, expected ${expected ?? ''}`;
  return expected === null ? `${name}: ${actual}, not expected` : `${name}: ${actual}, expected ${expected}`;
};

/** All parts have to pass; the score is the share that does. */
export function toPartsResult(parts: readonly CheckPart[]): CheckResult {
  const wrong = parts.filter(({ state }) => state === 'fail');
  const score = (parts.length - wrong.length) / parts.length;
  if (wrong.length === 0) return { state: 'pass', score, parts };
  const shown = wrong.slice(0, MAX_SHOWN_PARTS).map((part) => toPartText(part).slice(0, MAX_SHOWN_CHARACTERS));
  const rest = wrong.length > shown.length ? `; and ${wrong.length - shown.length} more` : '';
  return { state: 'fail', reason: `${shown.join('; ')}${rest}`, score, parts };
}
