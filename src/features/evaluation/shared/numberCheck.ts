// Whether the number of an answer is the expected one. Pure.
import { fail, noCheck, PASS, type CheckResult } from './checkResult.ts';
import { findNumbers, readOnlyNumber, type ProseNumber } from './proseNumbers.ts';

/** The slack makes a difference that equals the tolerance pass: decimals such as 0.1 are not exact in binary. */
function isNear(actual: number, expected: number, tolerance: number): boolean {
  const slack = Number.EPSILON * Math.max(Math.abs(actual), Math.abs(expected), tolerance) * 4;
  return Math.abs(actual - expected) <= tolerance + slack;
}

const toUnitText = ({ value, isPercent }: ProseNumber): string => `${value}${isPercent ? '%' : ''}`;

/** 50% against 0.5: the units differ, the number may be right. */
function toUnitReason(actual: ProseNumber, expected: ProseNumber, tolerance: number): string {
  const [one, other] = [actual, expected].map((each) => (each.isPercent ? each.value / 100 : each.value));
  const isSame = one !== undefined && other !== undefined && isNear(one, other, tolerance);
  const units = actual.isPercent
    ? 'one is a percentage, the other a plain number'
    : 'one is a plain number, the other a percentage';
  const hint = isSame ? ` Write the expected answer as ${toUnitText(actual)}, or ask for the other unit.` : '';
  return `${toUnitText(actual)}, expected ${toUnitText(expected)}: the units differ, ${units}.${hint}`;
}

/**
 * The last number of an answer counts, because answers state their result at the end. The expected answer is one
 * number. If only another reading of a number matches, there is no verdict.
 */
export function compareNumber(answer: string, expectedText: string, tolerance: number): CheckResult {
  const expected = readOnlyNumber(expectedText);
  if (expected === null) return noCheck('Not checked: the expected answer is not a number.');
  const actual = findNumbers(answer).at(-1);
  if (actual === undefined) return fail('The answer holds no number.');
  if (actual.text === expected.text || isNear(actual.value, expected.value, tolerance)) return PASS;
  const isAmbiguous = [actual.value, ...actual.others].some((one) =>
    [expected.value, ...expected.others].some((other) => isNear(one, other, tolerance)),
  );
  if (!isAmbiguous && actual.isPercent !== expected.isPercent) return fail(toUnitReason(actual, expected, tolerance));
  if (!isAmbiguous) return fail(`${actual.value}, expected ${expected.value}${tolerance > 0 ? ` ± ${tolerance}` : ''}`);
  const [unclear, word] = actual.others.length > 0 ? [actual, 'The answer'] : [expected, 'The expected answer'];
  return noCheck(
    `${word} has “${unclear.text}”, which can be read as ${[unclear.value, ...unclear.others].join(' or as ')}. ` +
      'Judge it yourself, or ask for plain digits.',
  );
}
