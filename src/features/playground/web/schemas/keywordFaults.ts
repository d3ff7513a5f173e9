// Faults of single keywords of a JSON schema: unknown ones and wrong values. Pure. Without the compiler of schemas, which
// only the editor needs.
import { isObject } from '#core/contract/readJson.ts';
import type { JsonPath } from '#core/contract/jsonPlaces.ts';

export interface JsonFault {
  readonly path: JsonPath;
  readonly message: string;
  /** The schema is still sent, and may work. */
  readonly isWarning: boolean;
}

type Kind =
  | 'schema'
  | 'schemas'
  | 'schemaMap'
  | 'items'
  | 'type'
  | 'texts'
  | 'choices'
  | 'count'
  | 'number'
  | 'flag'
  | 'text'
  | 'pattern'
  | 'list'
  | 'map'
  | 'any';

const KINDS: Readonly<Record<Kind, string>> = {
  schema:
    'additionalProperties additionalItems contains contentSchema else if not propertyNames then unevaluatedItems ' +
    'unevaluatedProperties',
  schemas: 'allOf anyOf oneOf prefixItems',
  schemaMap: '$defs definitions dependentSchemas patternProperties properties',
  items: 'items',
  type: 'type',
  texts: 'required',
  choices: 'enum',
  count: 'maxContains maxItems maxLength maxProperties minContains minItems minLength minProperties',
  number: 'exclusiveMaximum exclusiveMinimum maximum minimum multipleOf',
  flag: 'deprecated nullable readOnly uniqueItems writeOnly',
  text:
    '$anchor $comment $dynamicAnchor $dynamicRef $id $ref $schema contentEncoding contentMediaType description ' +
    'format title',
  pattern: 'pattern',
  list: 'examples',
  map: '$vocabulary dependencies dependentRequired',
  any: 'const default',
};

const KEYWORDS = new Map(
  (Object.keys(KINDS) as Kind[]).flatMap((kind) => KINDS[kind].split(' ').map((keyword) => [keyword, kind] as const)),
);
const TYPES: readonly unknown[] = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

const isText = (value: unknown): value is string => typeof value === 'string';
const isSchema = (value: unknown): boolean => isObject(value) || typeof value === 'boolean';
const isListOf = (value: unknown, isFit: (entry: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isFit);

function isExpression(value: unknown): boolean {
  try {
    return isText(value) && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** For each kind of value: a test, and the words for what the value must be. */
const RULES: Readonly<Record<Kind, readonly [(value: unknown) => boolean, string]>> = {
  schema: [isSchema, 'a schema: an object, true or false'],
  schemas: [(value) => isListOf(value, isSchema) && (value as unknown[]).length > 0, 'a list of one or more schemas'],
  schemaMap: [
    (value) => isObject(value) && Object.values(value).every(isSchema),
    'an object with a schema for each name',
  ],
  items: [(value) => isSchema(value) || isListOf(value, isSchema), 'a schema'],
  type: [
    (value) =>
      TYPES.includes(value) || (isListOf(value, (entry) => TYPES.includes(entry)) && (value as unknown[]).length > 0),
    `one of ${TYPES.join(', ')}, or a list of them`,
  ],
  texts: [(value) => isListOf(value, isText), 'a list of names'],
  choices: [(value) => Array.isArray(value) && value.length > 0, 'a list with at least one value'],
  count: [(value) => Number.isInteger(value) && (value as number) >= 0, 'a whole number, 0 or more'],
  number: [(value) => typeof value === 'number', 'a number'],
  flag: [(value) => typeof value === 'boolean', 'true or false'],
  text: [isText, 'a text'],
  pattern: [isExpression, 'a regular expression'],
  list: [Array.isArray, 'a list'],
  map: [isObject, 'an object'],
  any: [() => true, ''],
};

/** The schemas inside a value, each with its path. */
function innerSchemas(kind: Kind, value: unknown): readonly (readonly [JsonPath, unknown])[] {
  if (kind === 'schema') return [[[], value]];
  if (kind === 'schemas' || (kind === 'items' && Array.isArray(value)))
    return (value as unknown[]).map((entry, index) => [[index], entry] as const);
  if (kind === 'items') return [[[], value]];
  if (kind === 'schemaMap' && isObject(value))
    return Object.entries(value).map(([name, entry]) => [[name], entry] as const);
  return [];
}

function findRequiredFaults(schema: Readonly<Record<string, unknown>>, at: JsonPath): JsonFault[] {
  const { required, properties } = schema;
  if (!Array.isArray(required) || !isObject(properties) || schema['patternProperties'] !== undefined) return [];
  return required.flatMap((name: unknown, index) =>
    isText(name) && !Object.hasOwn(properties, name)
      ? [
          {
            path: [...at, 'required', index],
            message: `“${name}” is required, but not among the properties.`,
            isWarning: true,
          },
        ]
      : [],
  );
}

/** The faults of a schema at the path `at`, and of those inside it. */
export function findKeywordFaults(schema: unknown, at: JsonPath = []): readonly JsonFault[] {
  if (!isObject(schema)) return [];
  const faults = Object.entries(schema).flatMap(([keyword, value]): readonly JsonFault[] => {
    const kind = KEYWORDS.get(keyword);
    const path = [...at, keyword];
    if (kind === undefined) {
      const message = `“${keyword}” is not a keyword of JSON Schema. It will have no effect, or be refused.`;
      return [{ path, message, isWarning: true }];
    }
    const [isFit, words] = RULES[kind];
    if (!isFit(value)) return [{ path, message: `“${keyword}” must be ${words}.`, isWarning: false }];
    return innerSchemas(kind, value).flatMap(([inner, entry]) => findKeywordFaults(entry, [...path, ...inner]));
  });
  return [...faults, ...findRequiredFaults(schema, at)];
}
