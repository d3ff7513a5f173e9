// JSON schema's keywords for texts and numbers.
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { isEmptyRange, toBound } from './numberBounds.ts';
import type { JsonObject } from '#core/contract/readJson.ts';
import { readPattern } from './patternRules.ts';
import { SchemaProblem, STRING_FORMATS, type SchemaNode, type SchemaPath } from './schemaNode.ts';
import type { WorkBudget } from './workBudget.ts';

/** A count such as `minLength`: a whole number within the cap on repeats. */
function readCount(schema: JsonObject, keyword: string, path: SchemaPath): number | null {
  const value = schema[keyword];
  if (value === undefined) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    throw new SchemaProblem([...path, keyword], `"${keyword}" must be a whole number of at least 0.`);
  }
  if (value > REQUEST_LIMITS.schemaRepeats) {
    throw new SchemaProblem(
      [...path, keyword],
      `"${keyword}" is ${value}; at most ${REQUEST_LIMITS.schemaRepeats} can be enforced. Lower it or leave it out.`,
    );
  }
  return value;
}

/** The counts of a pair of keywords. The first must not exceed the second. */
export function readCounts(
  schema: JsonObject,
  minName: string,
  maxName: string,
  path: SchemaPath,
): { min: number; max: number | null } {
  const min = readCount(schema, minName, path) ?? 0;
  const max = readCount(schema, maxName, path);
  if (max !== null && min > max)
    throw new SchemaProblem(
      [...path, minName],
      `"${minName}" is larger than "${maxName}", so nothing can satisfy both. Correct one of them.`,
    );
  return { min, max };
}

export function parseString(schema: JsonObject, path: SchemaPath, budget: WorkBudget): SchemaNode {
  const { format, pattern } = schema;
  const counts = readCounts(schema, 'minLength', 'maxLength', path);
  const hasCounts = schema['minLength'] !== undefined || schema['maxLength'] !== undefined;
  if (format === undefined && pattern === undefined) return { kind: 'string', ...counts };
  const keyword = pattern === undefined ? 'format' : 'pattern';
  if (hasCounts || (format !== undefined && pattern !== undefined)) {
    throw new SchemaProblem(
      [...path, keyword],
      `"${keyword}" can't be enforced together with another restriction of the same text. Keep one of them.`,
    );
  }
  if (pattern !== undefined) {
    if (typeof pattern !== 'string') throw new SchemaProblem([...path, 'pattern'], '"pattern" must be a text.');
    return parsePattern(pattern, path, budget);
  }
  const known = STRING_FORMATS.find((name) => name === format);
  if (known === undefined) {
    throw new SchemaProblem(
      [...path, 'format'],
      `The format ${JSON.stringify(format)} can't be enforced. Use ${STRING_FORMATS.join(', ')}, or leave it out.`,
    );
  }
  return { kind: 'format', format: known };
}

function parsePattern(pattern: string, path: SchemaPath, budget: WorkBudget): SchemaNode {
  try {
    return { kind: 'pattern', pattern, automaton: readPattern(pattern, budget) };
  } catch (error) {
    throw error instanceof SchemaProblem ? new SchemaProblem([...path, 'pattern'], error.message) : error;
  }
}

function readBound(schema: JsonObject, keyword: string, path: SchemaPath): number | null {
  const value = schema[keyword];
  if (value === undefined) return null;
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw new SchemaProblem([...path, keyword], `"${keyword}" must be a number.`);
  return value;
}

export function parseNumber(schema: JsonObject, isInteger: boolean, path: SchemaPath): SchemaNode {
  const multiple = readBound(schema, 'multipleOf', path);
  if (multiple !== null && !(isInteger && multiple === 1)) {
    throw new SchemaProblem(
      [...path, 'multipleOf'],
      '"multipleOf" can\'t be enforced. Leave it out, or list the values with enum.',
    );
  }
  const min = toBound(readBound(schema, 'minimum', path), readBound(schema, 'exclusiveMinimum', path), 1);
  const max = toBound(readBound(schema, 'maximum', path), readBound(schema, 'exclusiveMaximum', path), -1);
  for (const [bound, names] of [
    [min, ['exclusiveMinimum', 'minimum']],
    [max, ['exclusiveMaximum', 'maximum']],
  ] as const) {
    const keyword = bound?.isExclusive === true ? names[0] : names[1];
    if (bound !== null && !isExact(bound.value)) {
      throw new SchemaProblem(
        [...path, keyword],
        `"${keyword}" must be within ±${MAX_BOUND} and have at most ${MAX_DECIMALS} decimals to be enforced.`,
      );
    }
  }
  if (isEmptyRange(min, max, isInteger)) {
    throw new SchemaProblem(
      [...path, min?.isExclusive === true ? 'exclusiveMinimum' : 'minimum'],
      'No number lies between the two bounds. Correct one of them.',
    );
  }
  return { kind: 'number', isInteger, min, max };
}

/** Bounds are written digit by digit, so they must have an exact short decimal form. */
const MAX_BOUND = 1e12;
export const MAX_DECIMALS = 6;

function isExact(value: number): boolean {
  return Math.abs(value) <= MAX_BOUND && Number(value.toFixed(MAX_DECIMALS)) === value;
}
