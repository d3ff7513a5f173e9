// How often each field of JSON answers, or each argument of tool calls, is right, and what it is taken for. Pure.
import type { CheckPart } from './checkPart.ts';
import { toPassRate, type PassRate } from './passRate.ts';

/** Of a field with few values. */
interface Confusion {
  /** The expected values as JSON, the most frequent first. */
  readonly values: readonly string[];
  /** Of each expected value how often each of `values` was answered, then how often another value, then how often none. */
  readonly counts: readonly (readonly number[])[];
}

export interface FieldTally {
  readonly name: string;
  readonly rate: PassRate;
  /** null: the field has too many expected values, or is never expected. */
  readonly confusion: Confusion | null;
}

/** A matrix of more values can't be read. */
const MAX_VALUES = 20;

function toConfusion(parts: readonly CheckPart[]): Confusion | null {
  const counts = new Map<string, CheckPart[]>();
  for (const part of parts) {
    if (part.expected === null) continue;
    const found = counts.get(part.expected);
    if (found) found.push(part);
    else counts.set(part.expected, [part]);
  }
  if (counts.size === 0 || counts.size > MAX_VALUES) return null;
  const groups = [...counts].toSorted(([, a], [, b]) => b.length - a.length);
  const values = groups.map(([value]) => value);
  const places = new Map(values.map((value, at) => [value, at]));
  return {
    values,
    counts: groups.map(([value, group]) => {
      const line = Array.from({ length: values.length + 2 }, () => 0);
      for (const { state, actual } of group) {
        // An equal value may be written otherwise, as 1.0 is.
        const answered = state === 'pass' ? value : actual;
        const at = answered === null ? values.length + 1 : (places.get(answered) ?? values.length);
        line[at] = (line[at] ?? 0) + 1;
      }
      return line;
    }),
  };
}

/** By field, in the order in which they appear. `answers`: the parts of each answer. */
export function toFieldTallies(answers: readonly (readonly CheckPart[])[]): readonly FieldTally[] {
  const fields = new Map<string, CheckPart[]>();
  for (const part of answers.flat()) {
    const found = fields.get(part.name);
    if (found) found.push(part);
    else fields.set(part.name, [part]);
  }
  return [...fields].map(([name, parts]) => ({
    name,
    rate: toPassRate(parts.filter(({ state }) => state === 'pass').length, parts.length),
    confusion: toConfusion(parts),
  }));
}
