// Fields that SPEC does not have, as parameters: nested ones under a path whose names are escaped, so that no two meet.
import { isObject, type JsonObject } from '#shared/contract/reading.ts';
import type { ParameterKind, ParameterValue } from './delta.ts';

export interface ExtraParameter {
  /** `optimizer.beta\.1`, `targets[0]`: as in JavaScript, with `\` before a `.`, `[` or `\` that belongs to a name. */
  readonly name: string;
  readonly kind: ParameterKind;
  /** null: the service said null. */
  readonly value: ParameterValue;
  /** True for what comes of training: what is only recommended can't have it. */
  readonly isResult?: boolean;
  /** True for a result that was measured on rows: on other rows it would be another one. */
  readonly isMeasured?: boolean;
}

/** Deeper than this a value is shown as JSON text. */
const MAX_DEPTH = 6;
/** More than so many values, of a list or of a whole field, are shown as one JSON text: nobody reads so many rows. */
const MAX_LEAVES = 64;

/** A name as part of a path. */
export const toPathName = (name: string): string => name.replace(/[\\.[]/g, String.raw`\$&`);

/** Rates are compared by their ratio, all other numbers by their difference. */
const RATE = /(?:^|[._])(?:lr|rate)(?:$|[._])|learning_rate|weight_decay/i;

function toLeaf(name: string, value: unknown): ExtraParameter {
  if (typeof value === 'number') return { name, kind: RATE.test(name) ? 'rate' : 'number', value };
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return { name, kind: 'text', value };
  return { name, kind: 'text', value: JSON.stringify(value) ?? null };
}

/** What a value holds, to be shown one by one; nothing where it is a value of its own, or to be shown as JSON text. */
function toEntries(name: string, value: unknown, depth: number): readonly (readonly [name: string, value: unknown])[] {
  if (depth >= MAX_DEPTH) return [];
  if (Array.isArray(value))
    return value.length > MAX_LEAVES ? [] : value.map((entry: unknown, index) => [`${name}[${index}]`, entry]);
  if (!isObject(value)) return [];
  const keys = Object.keys(value);
  return keys.length > MAX_LEAVES ? [] : keys.map((key) => [`${name}.${toPathName(key)}`, value[key]]);
}

/** The values of one field; null when they are too many. */
function flatten(name: string, value: unknown): readonly ExtraParameter[] | null {
  const leaves: ExtraParameter[] = [];
  const visit = (path: string, entry: unknown, depth: number): boolean => {
    const entries = toEntries(path, entry, depth);
    if (entries.length > 0) return entries.every(([below, inner]) => visit(below, inner, depth + 1));
    return leaves.push(toLeaf(path, entry)) <= MAX_LEAVES;
  };
  return visit(name, value, 1) ? leaves : null;
}

/** One parameter for each value, in the order of the fields; a field of very many values is one JSON text. */
export function toExtraParameters(fields: JsonObject): readonly ExtraParameter[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    const name = toPathName(key);
    return flatten(name, value) ?? [toLeaf(name, value)];
  });
}
