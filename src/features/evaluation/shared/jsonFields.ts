// The fields of a JSON answer beside those of the expected one, each judged by itself. Pure.
import { isObject } from '#core/contract/readJson.ts';
import { toValueText } from '#core/json/jsonValues.ts';
import type { CheckPart } from './checkPart.ts';
import { isJsonEqual } from './jsonEqual.ts';

/** Objects deeper than this are one value. */
const MAX_DEPTH = 20;
/** A value of a field that is not an object with names. */
const WHOLE = '(the whole)';

const toName = (path: string, key: string): string => {
  const name = key === '' || key.includes('.') ? `[${JSON.stringify(key)}]` : key;
  return path === '' ? name : `${path}.${name}`;
};

/** The values of a JSON object by the path of their names, such as `address.city`. A list is one value. */
function toFields(value: unknown, path = '', depth = 0, fields = new Map<string, unknown>()): Map<string, unknown> {
  if (isObject(value) && depth === 0 && Object.keys(value).length === 0) return fields;
  if (!isObject(value) || depth === MAX_DEPTH || Object.keys(value).length === 0)
    return fields.set(path || WHOLE, value);
  for (const [key, inner] of Object.entries(value)) toFields(inner, toName(path, key), depth + 1, fields);
  return fields;
}

const isIn = (name: string, chosen: readonly string[]): boolean =>
  chosen.some((each) => name === each || name.startsWith(`${each}.`));

/** `chosen`: the fields that count, with all that they hold; empty: all of both. */
export function toFieldParts(actual: unknown, expected: unknown, chosen: readonly string[]): readonly CheckPart[] {
  const [own, wanted] = [toFields(actual), toFields(expected)];
  const names = [...new Set([...wanted.keys(), ...own.keys()])];
  return names
    .filter((name) => chosen.length === 0 || isIn(name, chosen))
    .map((name) => ({
      name,
      state: own.has(name) && wanted.has(name) && isJsonEqual(own.get(name), wanted.get(name)) ? 'pass' : 'fail',
      expected: wanted.has(name) ? toValueText(wanted.get(name)) : null,
      actual: own.has(name) ? toValueText(own.get(name)) : null,
    }));
}
