// JSON schema's keywords for lists and objects.
import { isObject, ownField, type JsonObject } from '#core/contract/readJson.ts';
import { SchemaProblem, type ObjectMember, type SchemaNode, type SchemaParser, type SchemaPath } from './schemaNode.ts';
import { readCounts } from './schemaScalars.ts';

export function parseArray(schema: JsonObject, path: SchemaPath, parser: SchemaParser): SchemaNode {
  const { min, max } = readCounts(schema, 'minItems', 'maxItems', path);
  if (schema['uniqueItems'] === true && (max === null || max > 1)) {
    throw new SchemaProblem(
      [...path, 'uniqueItems'],
      '"uniqueItems" can\'t be enforced. Leave it out and drop repeated items afterwards.',
    );
  }
  const prefixItems = schema['prefixItems'];
  if (prefixItems !== undefined && !Array.isArray(prefixItems))
    throw new SchemaProblem([...path, 'prefixItems'], '"prefixItems" must be a list of schemas.');
  if (Array.isArray(schema['items']))
    throw new SchemaProblem(
      [...path, 'items'],
      'A list of schemas in "items" is the form of older drafts. Use "prefixItems".',
    );
  const prefix = (prefixItems ?? []).map((item: unknown, index: number) =>
    parser.parse(item, [...path, 'prefixItems', index]),
  );
  const rest = schema['items'];
  const isFull = rest === false || (max !== null && max <= prefix.length);
  const items = isFull ? null : rest === undefined ? toOpenItems(prefix) : parser.parse(rest, [...path, 'items']);
  if (items === null && min > prefix.length) {
    throw new SchemaProblem(
      [...path, 'minItems'],
      '"minItems" asks for more items than the schema allows. Correct one of them.',
    );
  }
  return { kind: 'array', prefix: max === null ? prefix : prefix.slice(0, max), items, min, max };
}

/** A list without `items` may contain anything. After a prefix, no more items are written. */
function toOpenItems(prefix: readonly SchemaNode[]): SchemaNode | null {
  return prefix.length === 0 ? { kind: 'any' } : null;
}

function readRequired(schema: JsonObject, path: SchemaPath): ReadonlySet<string> {
  const required = schema['required'];
  if (required === undefined) return new Set();
  if (!Array.isArray(required) || required.some((name) => typeof name !== 'string')) {
    throw new SchemaProblem([...path, 'required'], '"required" must be a list of names.');
  }
  return new Set(required as readonly string[]);
}

/**
 * ASSUMED: ours. An object with named members is written without other members and in the schema's order. Every schema
 * allows that.
 */
export function parseObject(schema: JsonObject, path: SchemaPath, parser: SchemaParser): SchemaNode {
  const properties = schema['properties'] ?? {};
  if (!isObject(properties)) throw new SchemaProblem([...path, 'properties'], '"properties" must be an object.');
  const required = readRequired(schema, path);
  const { min, max } = readCounts(schema, 'minProperties', 'maxProperties', path);
  const additional = schema['additionalProperties'];
  const parseAdditional = (): SchemaNode =>
    additional === undefined ? { kind: 'any' } : parser.parse(additional, [...path, 'additionalProperties']);
  const names = Object.keys(properties);
  if (names.length === 0 && required.size === 0 && additional !== false) {
    if (min > 1)
      throw new SchemaProblem(
        [...path, 'minProperties'],
        '"minProperties" above 1 can\'t be enforced for free names, because a name may repeat. Name the members ' +
          'in properties.',
      );
    return { kind: 'map', values: parseAdditional(), min, max };
  }
  const members = toMembers(properties, names, required, path, parser);
  for (const name of required) {
    if (Object.hasOwn(properties, name)) continue;
    if (additional === false)
      throw new SchemaProblem(
        [...path, 'required'],
        `"${name}" is required but not allowed by the schema. Add it to properties.`,
      );
    members.push({ name, node: parseAdditional(), isRequired: true });
  }
  return { kind: 'object', members: fitCounts(members, min, max, path) };
}

function toMembers(
  properties: JsonObject,
  names: readonly string[],
  required: ReadonlySet<string>,
  path: SchemaPath,
  parser: SchemaParser,
): ObjectMember[] {
  return names.flatMap((name) => {
    const schema = ownField(properties, name);
    const isRequired = required.has(name);
    // A member whose schema is false must be absent.
    if (schema === false && !isRequired) return [];
    return [{ name, node: parser.parse(schema, [...path, 'properties', name]), isRequired }];
  });
}

/** Applies `minProperties` and `maxProperties` if they decide which members are written; otherwise throws. */
function fitCounts(
  members: readonly ObjectMember[],
  min: number,
  max: number | null,
  path: SchemaPath,
): readonly ObjectMember[] {
  const requiredCount = members.filter((member) => member.isRequired).length;
  if (min > members.length || (max !== null && max < requiredCount)) {
    throw new SchemaProblem(
      [...path, max !== null && max < requiredCount ? 'maxProperties' : 'minProperties'],
      'The count contradicts the members that the schema names. Correct one of them.',
    );
  }
  if (min === members.length) return members.map(({ name, node }) => ({ name, node, isRequired: true }));
  if (min > requiredCount)
    throw new SchemaProblem(
      [...path, 'minProperties'],
      '"minProperties" can\'t be enforced for optional members. Use required.',
    );
  if (max === null || max >= members.length) return members;
  if (max === requiredCount) return members.filter((member) => member.isRequired);
  throw new SchemaProblem(
    [...path, 'maxProperties'],
    '"maxProperties" can\'t be enforced for optional members. Use required.',
  );
}
