// How often each field of JSON answers, or each argument of tool calls, is right, and what it is taken for. Pure.
import type { CheckPart } from './checkPart.ts';
import { toEstimate, type Estimate } from './statistics/estimate.ts';

/** Of a field with few values. */
interface Confusion {
  /** The expected values as JSON, the most frequent first. */
  readonly values: readonly string[];
  /** Of each expected value how often each of `values` was answered, then how often another value, then how often none. */
  readonly counts: readonly (readonly number[])[];
}

export interface FieldTally {
  readonly name: string;
  /** How often it was right. */
  readonly passed: number;
  readonly total: number;
  readonly estimate: Estimate;
  /** null: the field has too many expected values, or is never expected. */
  readonly confusion: Confusion | null;
}

/** The parts of an answer to a row. */
export interface JudgedParts {
  readonly row: number;
  readonly parts: readonly CheckPart[];
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

/** Names of fields that answers make up are many. */
const MAX_FIELDS = 100;

interface Field {
  readonly parts: CheckPart[];
  readonly rows: Map<number, { passed: number; total: number }>;
}

/** By field, in the order in which they appear. Repeated answers to a row count as one for the interval. */
export function toFieldTallies(answers: readonly JudgedParts[]): readonly FieldTally[] {
  const fields = new Map<string, Field>();
  for (const { row, parts } of answers)
    for (const part of parts) {
      if (!fields.has(part.name) && fields.size === MAX_FIELDS) continue;
      const field = fields.get(part.name) ?? { parts: [], rows: new Map<number, { passed: number; total: number }>() };
      fields.set(part.name, field);
      field.parts.push(part);
      const own = field.rows.get(row) ?? { passed: 0, total: 0 };
      field.rows.set(row, own);
      own.passed += part.state === 'pass' ? 1 : 0;
      own.total += 1;
    }
  return [...fields].map(([name, { parts, rows }]) => ({
    name,
    passed: parts.filter(({ state }) => state === 'pass').length,
    total: parts.length,
    estimate: toEstimate(
      {
        sums: Float64Array.from(rows.values(), ({ passed }) => passed),
        counts: Uint16Array.from(rows.values(), ({ total }) => total),
      },
      'rate',
    ),
    confusion: toConfusion(parts),
  }));
}
