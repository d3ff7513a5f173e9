// Which JSON schema keywords restrict which values, and which restrict nothing. The parser reads this table.

export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';

export const JSON_TYPES: readonly JsonType[] = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];

/** Whether a value has a type as JSON schema defines it. */
export function isOfType(value: unknown, type: JsonType): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** Keywords that only describe. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
]);

/** Keywords that restrict values of one kind and that the grammar can express. */
const KIND_KEYWORDS = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
} as const;

export type Kind = keyof typeof KIND_KEYWORDS;

const KIND_OF: ReadonlyMap<string, Kind> = new Map(
  (Object.keys(KIND_KEYWORDS) as Kind[]).flatMap((kind) =>
    KIND_KEYWORDS[kind].map((keyword) => [keyword, kind] as const),
  ),
);

/** The kind of value that a keyword restricts; undefined for other keywords. */
export function kindOf(keyword: string): Kind | undefined {
  return KIND_OF.get(keyword);
}

/** Keywords that are a whole schema, so that no other restriction may stand beside them. */
export const WHOLE_SCHEMA_KEYWORDS: readonly string[] = ['$ref', 'enum', 'const', 'anyOf', 'oneOf', 'allOf'];

const CASES = 'Use anyOf with one object for each case.';

/** What to do instead of common keywords that can't be enforced. */
export const ADVICE: ReadonlyMap<string, string> = new Map([
  ['not', 'Say what is allowed instead, with enum, const or anyOf.'],
  ['if', CASES],
  ['then', CASES],
  ['else', CASES],
  ['dependentRequired', CASES],
  ['dependentSchemas', CASES],
  ['patternProperties', 'Name the members in properties, or use additionalProperties for all of them.'],
  ['propertyNames', 'Name the members in properties.'],
  ['unevaluatedProperties', 'Use additionalProperties.'],
  ['unevaluatedItems', 'Use items.'],
  ['contains', 'Describe each item with items or prefixItems.'],
]);
