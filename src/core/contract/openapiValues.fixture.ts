// For tests: values that the OpenAPI document allows. They are made from the shapes of its schemas; a validator of JSON Schema
// then leaves those that keep to all rules.
import { dereference, validate, type Schema } from '@cfworker/json-schema';
import * as fc from 'fast-check';

type Json = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const numberOr = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback);

/** Of one, two, three and four bytes; the last one is two UTF-16 units. */
const CHARACTERS = ['x', '\u00fc', '\u4e2d', '\u{1f600}'];

/** Any character but half of a pair. */
const anyCharacter = fc
  .nat(0x10ffff)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code));

/** fast-check can't make texts for a lookahead; the validator leaves those that keep to it. */
const withoutLookahead = (pattern: string): string => pattern.replaceAll(/\(\?[=!][^)]*\)/g, '');

function toTexts(schema: Json): fc.Arbitrary<unknown> {
  const { format, minLength, maxLength } = schema;
  const [min, max] = [numberOr(minLength, 0), numberOr(maxLength, 100)];
  if (format === 'binary') return fc.constant('{"messages":[{"role":"user","content":"Hi"}]}\n');
  // Texts for patterns that only leave some characters out are found, others are made.
  const patterns = [schema, ...listOf(schema['allOf'])].flatMap(({ pattern }) =>
    typeof pattern === 'string' && !pattern.includes('[^') ? [new RegExp(withoutLookahead(pattern), 'u')] : [],
  );
  return fc.oneof(
    ...patterns.map((pattern) => fc.stringMatching(pattern)),
    fc.string({ unit: anyCharacter, minLength: min, maxLength: Math.min(max, min + 30) }),
    fc.constantFrom(...CHARACTERS).map((character) => character.repeat(max)),
  );
}

export function openDocumentValues(document: object): (schema: object) => fc.Arbitrary<unknown> {
  const lookup = dereference(document);

  function toObjects({ properties, required, additionalProperties, propertyNames, maxProperties }: Json) {
    const names = Object.keys(objectOf(properties));
    const own = fc.record(
      Object.fromEntries(names.map((name) => [name, toValues(objectOf(objectOf(properties)[name]))])),
      { requiredKeys: names.filter((name) => Array.isArray(required) && required.includes(name)) },
    );
    if (additionalProperties === false) return own;
    const keys =
      propertyNames === undefined ? fc.string() : (toValues(objectOf(propertyNames)) as fc.Arbitrary<string>);
    const more = fc.dictionary(
      keys.filter((name) => !names.includes(name)),
      toValues(objectOf(additionalProperties)),
      { maxKeys: Math.min(2, numberOr(maxProperties, 2)) },
    );
    return fc.tuple(more, own).map(([others, known]) => Object.assign(others, known));
  }

  function toLists(schema: Json) {
    const min = numberOr(schema['minItems'], 0);
    const max = numberOr(schema['maxItems'], Infinity);
    return fc.array(toValues(objectOf(schema['items'])), { minLength: min, maxLength: Math.min(max, min + 2) });
  }

  function toNumbers({ type, minimum, maximum }: Json) {
    const [min, max] = [numberOr(minimum, -1e15), numberOr(maximum, 1e15)];
    const ends = fc.constantFrom(min, max);
    return type === 'integer'
      ? fc.oneof(ends, fc.integer({ min: Math.max(min, -1e9), max: Math.min(max, 1e9) }))
      : fc.oneof(ends, fc.double({ min, max, noNaN: true }));
  }

  function toShape(schema: Json): fc.Arbitrary<unknown> {
    if ('const' in schema) return fc.constant(schema['const']);
    if ('enum' in schema) return fc.constantFrom(...(schema['enum'] as readonly unknown[]));
    // Beside fields they only say which of them go together.
    const choices = 'properties' in schema ? [] : listOf(schema['anyOf'] ?? schema['oneOf']);
    if (choices.length > 0) return fc.oneof(...choices.map(toValues));
    if (Array.isArray(schema['type'])) return fc.oneof(...schema['type'].map((type) => toShape({ ...schema, type })));
    const other = listOf(schema['allOf']).find((each) => '$ref' in each);
    if (other) return toValues(other);
    switch (schema['type']) {
      case 'string':
        return toTexts(schema);
      case 'integer':
      case 'number':
        return toNumbers(schema);
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return toLists(schema);
      case 'object':
        return toObjects(schema);
      default:
        return fc.jsonValue({ maxDepth: 2 });
    }
  }

  /** The schema that a reference names. */
  function resolve(schema: Json): Json {
    const { $ref } = schema;
    if (typeof $ref !== 'string') return schema;
    const [, ...path] = $ref.split('/');
    return path.reduce((at, name) => objectOf(at[name]), objectOf(document));
  }

  function toValues(schema: Json): fc.Arbitrary<unknown> {
    const named = resolve(schema);
    return toShape(named).filter((value) => validate(value, named as Schema, '2020-12', lookup).valid);
  }
  return (schema) => toValues(schema as Json);
}
