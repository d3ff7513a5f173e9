// Turns fields that SPEC does not have into parameters. A nested field has a path of escaped names, so paths are
// unique.
import { isObject, type JsonObject } from '#core/contract/readJson.ts';
import type { ParameterKind, ParameterValue } from './delta.ts';

export interface ExtraParameter {
  /** `optimizer.beta\.1`, `targets[0]`: as in JavaScript, with `\` before a `.`, `[` or `\` inside a name. */
  readonly name: string;
  readonly kind: ParameterKind;
  /** null: the service sent null. */
  readonly value: ParameterValue;
  /** True for a result of training: advice and proposals can't have it. */
  readonly isResult?: boolean;
  /** True for a result that was measured on rows: other rows would give another value. */
  readonly isMeasured?: boolean;
}

/** Deeper values are shown as JSON text. */
const MAX_DEPTH = 6;
/** A list or a field with more values is shown as one JSON text: nobody reads so many rows. */
const MAX_LEAVES = 64;

/** A name as part of a path. */
export const toPathName = (name: string): string => name.replace(/[\\.[]/g, String.raw`\$&`);

/** A path for people. */
export const toShownName = (path: string): string => path.replace(/\\([\\.[])/g, '$1');

/** Names of rates, which are compared by their ratio. Other numbers are compared by their difference. */
const RATE = /(?:^|[._])(?:lr|rate)(?:$|[._])|learning_rate|weight_decay/i;

function toLeaf(name: string, value: unknown): ExtraParameter {
  if (typeof value === 'number') return { name, kind: RATE.test(name) ? 'rate' : 'number', value };
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return { name, kind: 'text', value };
  return { name, kind: 'text', value: JSON.stringify(value) ?? null };
}

/** The inner values with their paths; none if the value is simple, or is shown as JSON text. */
function toEntries(name: string, value: unknown, depth: number): readonly (readonly [name: string, value: unknown])[] {
  if (depth >= MAX_DEPTH) return [];
  if (Array.isArray(value))
    return value.length > MAX_LEAVES ? [] : value.map((entry: unknown, index) => [`${name}[${index}]`, entry]);
  if (!isObject(value)) return [];
  const keys = Object.keys(value);
  return keys.length > MAX_LEAVES ? [] : keys.map((key) => [`${name}.${toPathName(key)}`, value[key]]);
}

/** The values of one field; null if there are too many. */
function flatten(name: string, value: unknown): readonly ExtraParameter[] | null {
  const leaves: ExtraParameter[] = [];
  const visit = (path: string, entry: unknown, depth: number): boolean => {
    const entries = toEntries(path, entry, depth);
    if (entries.length > 0) return entries.every(([below, inner]) => visit(below, inner, depth + 1));
    return leaves.push(toLeaf(path, entry)) <= MAX_LEAVES;
  };
  return visit(name, value, 1) ? leaves : null;
}

/** One parameter for each value, in the order of the fields. A field with too many values is one JSON text. */
export function toExtraParameters(fields: JsonObject): readonly ExtraParameter[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    const name = toPathName(key);
    return flatten(name, value) ?? [toLeaf(name, value)];
  });
}
