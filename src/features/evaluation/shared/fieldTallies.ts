// How often each field of JSON answers, or each argument of tool calls, is right, and what it is taken for. Pure.
import type { CheckPart } from './checkPart.ts';
import { EVALUATION_LIMITS } from './contract/evaluationLimits.ts';
import { addValue, toEmptyRows, toEstimate, type Estimate, type RowValues } from './statistics/estimate.ts';

/** Of a field with few values. */
interface Confusion {
  /** The expected values as JSON, the most frequent first. */
  readonly values: readonly string[];
  /** Of each expected value how often each of `values` was answered, then how often another value, then how often none. */
  readonly counts: readonly (readonly number[])[];
}

interface FieldTally {
  readonly name: string;
  /** How often it was right. */
  readonly passed: number;
  readonly total: number;
  readonly estimate: Estimate;
  /** null: the field has too many expected values, or is never expected. */
  readonly confusion: Confusion | null;
}

interface FieldTallies {
  /** In the order in which they appeared. Repeated answers to a row count as one for the interval. */
  readonly fields: readonly FieldTally[];
  /** Further fields, of which nothing is said. Names that answers make up are many: `fieldsLeftOut` are the most that are counted. */
  readonly leftOut: number;
}

/** A matrix of more values can't be read. */
const MAX_VALUES = 20;

/** Of an expected value how often each value was answered; null: none. */
type Answered = Map<string | null, number>;

interface Field {
  readonly rows: RowValues;
  passed: number;
  total: number;
  /** By the expected value; null: there are too many. */
  answered: Map<string, Answered> | null;
}

function countAnswered(field: Field, { state, expected, actual }: CheckPart): void {
  if (expected === null || field.answered === null) return;
  const counts: Answered = field.answered.get(expected) ?? new Map();
  field.answered.set(expected, counts);
  // An equal value may be written otherwise, as 1.0 is.
  const value = state === 'pass' ? expected : actual;
  counts.set(value, (counts.get(value) ?? 0) + 1);
  if (field.answered.size > MAX_VALUES) field.answered = null;
}

const sumOf = (counts: Answered): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

function toConfusion({ answered }: Field): Confusion | null {
  if (answered === null || answered.size === 0) return null;
  const groups = [...answered].toSorted(([, a], [, b]) => sumOf(b) - sumOf(a));
  const values = groups.map(([value]) => value);
  return {
    values,
    counts: groups.map(([, counts]) => {
      const known = values.map((value) => counts.get(value) ?? 0);
      const none = counts.get(null) ?? 0;
      return known.concat(sumOf(counts) - none - known.reduce((sum, count) => sum + count, 0), none);
    }),
  };
}

/** Counts the parts of one answer after the other, and keeps none of them. `rowCount`: of all rows. */
export function openFieldTallies(rowCount: number) {
  const fields = new Map<string, Field>();
  const others = new Set<string>();
  const find = (name: string): Field | null => {
    const known = fields.get(name);
    if (known) return known;
    if (fields.size === EVALUATION_LIMITS.fields) {
      if (others.size < EVALUATION_LIMITS.fieldsLeftOut) others.add(name);
      return null;
    }
    const field: Field = { rows: toEmptyRows(rowCount), passed: 0, total: 0, answered: new Map() };
    fields.set(name, field);
    return field;
  };
  return {
    add(row: number, parts: readonly CheckPart[]): void {
      for (const part of parts) {
        const field = find(part.name);
        if (field === null) continue;
        const passed = part.state === 'pass' ? 1 : 0;
        addValue(field.rows, row, passed);
        field.passed += passed;
        field.total += 1;
        countAnswered(field, part);
      }
    },
    read: (): FieldTallies => ({
      fields: [...fields].map(([name, field]) => ({
        name,
        passed: field.passed,
        total: field.total,
        estimate: toEstimate(field.rows, 'rate'),
        confusion: toConfusion(field),
      })),
      leftOut: others.size,
    }),
  };
}
