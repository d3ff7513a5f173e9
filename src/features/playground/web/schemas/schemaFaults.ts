// Faults of a typed JSON schema: unknown keywords, wrong values, references without a target, bounds that no value
// satisfies, patterns that the studio's own engine can't enforce, exceeded limits. Pure. Each service decides what else
// it enforces.
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { isObject } from '#core/contract/reading.ts';
import { findSchemaTarget } from '#core/contract/schemaPointer.ts';
import type { JsonPath } from '#core/contract/jsonPlaces.ts';
import { isRiskyPattern } from '#core/json/riskyPattern.ts';
import { findUnenforced } from './schemaPatterns.ts';
import { findEmptyBounds } from './schemaBounds.ts';
import { toLoopFinder } from './schemaLoops.ts';

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
const MAX_FAULTS = 50;

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

/** The facts about the whole schema that the checks of its parts need. */
interface Document {
  readonly root: unknown;
  readonly isEndless: (schema: unknown) => boolean;
  /** Too much depth is reported once, however many branches are as deep. */
  isDepthReported: boolean;
}

const MAX_PATH_END = 32;

/** Cuts the middle out of a long path. */
function toPathText(path: JsonPath): string {
  const text = `/${path.join('/')}`;
  return text.length <= 2 * MAX_PATH_END ? text : `${text.slice(0, MAX_PATH_END)}…${text.slice(-MAX_PATH_END)}`;
}

/**
 * A path without a target, or one that leads only back to itself, is an error. An `$anchor` or another document is a
 * warning: the studio's own engine refuses it, other services may not.
 */
function findRefFaults(
  { $ref }: Readonly<Record<string, unknown>>,
  at: JsonPath,
  { root, isEndless }: Document,
): JsonFault[] {
  if (!isText($ref)) return [];
  const path = [...at, '$ref'];
  const target = findSchemaTarget(root, $ref);
  if (!target.ok) return [{ path, message: target.reason, isWarning: $ref !== '#' && !$ref.startsWith('#/') }];
  return isEndless(target.value.schema)
    ? [
        {
          path,
          message: `The reference "${$ref}" leads only back to itself. Describe a value there.`,
          isWarning: false,
        },
      ]
    : [];
}

const RISKY =
  'Matching this pattern may never finish, so answers are not checked against it. Don’t repeat a group whose ' +
  'content is repeated or has a choice.';

/** Only warnings, because other services may enforce the pattern. */
function findPatternFaults(schema: Readonly<Record<string, unknown>>, at: JsonPath): JsonFault[] {
  const { pattern, patternProperties } = schema;
  const names = isObject(patternProperties) ? Object.keys(patternProperties).filter(isRiskyPattern) : [];
  const faults = names.map((name): JsonFault => ({
    path: [...at, 'patternProperties', name],
    message: RISKY,
    isWarning: true,
  }));
  if (!isText(pattern) || !isExpression(pattern)) return faults;
  const path = [...at, 'pattern'];
  const found = findUnenforced(pattern);
  if (isRiskyPattern(pattern)) faults.push({ path, message: RISKY, isWarning: true });
  return found === null
    ? faults
    : [
        ...faults,
        {
          path,
          message:
            `This pattern has ${found}, which the studio’s own engine can’t enforce. Use letters, classes, groups, ` +
            '“|” and counts.',
          isWarning: true,
        },
      ];
}

function visit(schema: unknown, at: JsonPath, depth: number, found: JsonFault[], document: Document): void {
  if (!isObject(schema) || found.length >= MAX_FAULTS) return;
  if (depth > REQUEST_LIMITS.schemaDepth) {
    if (document.isDepthReported) return;
    document.isDepthReported = true;
    found.push({
      path: at,
      message:
        `More than ${REQUEST_LIMITS.schemaDepth} schemas inside one another: services refuse that. The first that ` +
        `is too deep is ${toPathText(at)}.`,
      isWarning: false,
    });
    return;
  }
  for (const [keyword, value] of Object.entries(schema)) {
    const kind = KEYWORDS.get(keyword);
    const path = [...at, keyword];
    if (kind === undefined) {
      found.push({
        path,
        message: `“${keyword}” is not a keyword of JSON Schema. It will have no effect, or be refused.`,
        isWarning: true,
      });
      continue;
    }
    const [isFit, words] = RULES[kind];
    if (!isFit(value)) found.push({ path, message: `“${keyword}” must be ${words}.`, isWarning: false });
    else
      for (const [inner, entry] of innerSchemas(kind, value))
        visit(entry, [...path, ...inner], depth + 1, found, document);
  }
  const bounds = findEmptyBounds(schema).map(({ keyword, message, isWarning }): JsonFault => ({
    path: [...at, keyword],
    message,
    isWarning,
  }));
  found.push(
    ...findRefFaults(schema, at, document),
    ...findRequiredFaults(schema, at),
    ...bounds,
    ...findPatternFaults(schema, at),
  );
}

/** The faults of a schema at the path `at`, in its order, 50 at most. */
export function findSchemaFaults(schema: unknown, at: JsonPath = []): readonly JsonFault[] {
  if (!isObject(schema)) return [{ path: at, message: 'The schema must be an object, { … }.', isWarning: false }];
  const found: JsonFault[] = [];
  const bytes = new TextEncoder().encode(JSON.stringify(schema)).length;
  // Following references one by one takes too long in a schema that is too large.
  const isEndless = bytes > REQUEST_LIMITS.schemaBytes ? () => false : toLoopFinder(schema);
  visit(schema, at, 1, found, { root: schema, isEndless, isDepthReported: false });
  if (bytes > REQUEST_LIMITS.schemaBytes)
    found.push({
      path: at,
      message: `The schema has ${bytes} bytes; ${REQUEST_LIMITS.schemaBytes} is the most that is taken.`,
      isWarning: false,
    });
  return found.slice(0, MAX_FAULTS);
}
