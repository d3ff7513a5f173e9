// Decides whether a JSON schema can be enforced exactly, and reads it into nodes if it can. Sound, not complete: every
// text of the nodes satisfies the schema (2020-12), but some valid texts are never written, such as members that the
// schema doesn't name. A keyword that can't be enforced is an error and is never dropped.
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { isObject, type JsonObject } from '#core/contract/readJson.ts';
import { assertUnambiguous } from './schemaAmbiguity.ts';
import { areDisjoint, type DisjointContext } from './schemaDisjoint.ts';
import { parseArray, parseObject } from './schemaContainers.ts';
import {
  ADVICE,
  ANNOTATIONS,
  isOfType,
  JSON_TYPES,
  kindOf,
  WHOLE_SCHEMA_KEYWORDS,
  type JsonType,
} from './schemaKeywords.ts';
import {
  SchemaProblem,
  type SchemaDocument,
  type SchemaNode,
  type SchemaParser,
  type SchemaPath,
} from './schemaNode.ts';
import { assertGrounded, findSchemaTarget, toDefinitionName } from './schemaRefs.ts';
import { parseNumber, parseString } from './schemaScalars.ts';
import { WorkBudget } from './workBudget.ts';

/** Most references that follow one another. Bounds the parser's recursion. */
const MAX_REF_CHAIN = 64;

class Parser implements SchemaParser {
  readonly definitions = new Map<string, SchemaNode>();
  /** Nodes whose type is only implied by keywords: their schema allows values of other types too. */
  readonly #implied = new WeakSet<SchemaNode>();
  readonly comparison: DisjointContext;
  /** The place of each node in the schema, for errors that are found later. */
  readonly paths = new Map<SchemaNode, SchemaPath>();
  #depth = 0;
  #refChain = 0;
  constructor(
    readonly root: unknown,
    readonly budget: WorkBudget,
  ) {
    this.comparison = { definitions: this.definitions, implied: this.#implied, budget };
  }

  parse(schema: unknown, path: SchemaPath): SchemaNode {
    if (this.#depth >= REQUEST_LIMITS.schemaDepth) {
      throw new SchemaProblem(
        path,
        `The schema is nested deeper than ${REQUEST_LIMITS.schemaDepth} levels. Make it flatter.`,
      );
    }
    this.budget.spend(path.length, path);
    this.#depth += 1;
    const node = this.#parseOne(schema, path);
    this.#depth -= 1;
    if (!this.paths.has(node)) this.paths.set(node, path);
    return node;
  }

  #parseOne(schema: unknown, path: SchemaPath): SchemaNode {
    if (schema === true) return { kind: 'any' };
    if (schema === false) throw new SchemaProblem(path, 'The schema false allows no value at all. Remove it.');
    if (!isObject(schema)) throw new SchemaProblem(path, 'A schema must be an object or true.');
    if (path.length > 0 && schema['$id'] !== undefined)
      throw new SchemaProblem([...path, '$id'], '"$id" within a schema can\'t be followed. Leave it out.');
    const keywords = Object.keys(schema).filter((keyword) => !ANNOTATIONS.has(keyword));
    const whole = keywords.find((keyword) => WHOLE_SCHEMA_KEYWORDS.includes(keyword));
    return whole === undefined
      ? this.#parseTypes(schema, keywords, path)
      : this.#parseWhole(schema, whole, keywords, path);
  }

  #parseWhole(schema: JsonObject, keyword: string, keywords: readonly string[], path: SchemaPath): SchemaNode {
    const isChoice = keyword === 'enum' || keyword === 'const';
    const other = keywords.find((name) => name !== keyword && !(isChoice && name === 'type'));
    if (other !== undefined) {
      throw new SchemaProblem(
        [...path, other],
        `"${other}" beside "${keyword}" can't be enforced together. Put both into one schema without "${keyword}".`,
      );
    }
    const value = schema[keyword];
    const at = [...path, keyword];
    if (keyword === '$ref') return this.#parseRef(value, at);
    if (keyword === 'const') return this.#toLiteral([value], schema['type'], path);
    if (!Array.isArray(value) || value.length === 0)
      throw new SchemaProblem(at, `"${keyword}" must be a list with at least one entry.`);
    if (keyword === 'enum') return this.#toLiteral(value, schema['type'], path);
    const options = value.map((option: unknown, index) => this.parse(option, [...at, index]));
    const [first] = options;
    if (options.length === 1 && first !== undefined) return first;
    if (keyword === 'allOf')
      throw new SchemaProblem(at, '"allOf" with several entries can\'t be enforced. Merge them into one schema.');
    if (keyword === 'oneOf' && !this.#areAllDisjoint(options, at)) {
      throw new SchemaProblem(
        at,
        '"oneOf" can be enforced only when no value satisfies two of its entries. Use "anyOf", or give each ' +
          'entry a required member with a different const.',
      );
    }
    return toUnion(options);
  }

  #areAllDisjoint(options: readonly SchemaNode[], path: SchemaPath): boolean {
    try {
      return options.every((one, index) =>
        options.slice(index + 1).every((two) => areDisjoint(one, two, this.comparison)),
      );
    } catch (error) {
      throw error instanceof SchemaProblem ? new SchemaProblem(path, error.message) : error;
    }
  }

  #toLiteral(values: readonly unknown[], type: unknown, path: SchemaPath): SchemaNode {
    const types = type === undefined ? JSON_TYPES : this.#readTypes(type, path);
    const matching = values.filter((value) => types.some((name) => isOfType(value, name)));
    if (matching.length === 0)
      throw new SchemaProblem([...path, 'type'], 'No value of the list has this type. Correct one of the two.');
    return { kind: 'literal', values: matching };
  }

  #parseRef(value: unknown, path: SchemaPath): SchemaNode {
    if (typeof value !== 'string') throw new SchemaProblem(path, '"$ref" must be a text such as "#/$defs/name".');
    this.budget.spend(value.length, path);
    const found = findSchemaTarget(this.root, value);
    if (!found.ok) throw new SchemaProblem(path, found.reason);
    const target = found.value;
    const name = toDefinitionName(target.path);
    if (!this.definitions.has(name)) {
      // The placeholder ends recursion: a definition may refer to itself.
      this.definitions.set(name, { kind: 'ref', name });
      if (this.#refChain >= MAX_REF_CHAIN)
        throw new SchemaProblem(
          path,
          `More than ${MAX_REF_CHAIN} references follow one another. Make the schema flatter.`,
        );
      const depth = this.#depth;
      this.#depth = 0;
      this.#refChain += 1;
      this.definitions.set(name, this.parse(target.schema, target.path));
      this.#refChain -= 1;
      this.#depth = depth;
    }
    return { kind: 'ref', name };
  }

  #readTypes(type: unknown, path: SchemaPath): readonly JsonType[] {
    const list: readonly unknown[] = Array.isArray(type) ? type : [type];
    const known = JSON_TYPES.filter((name) => list.includes(name));
    if (known.length === 0 || known.length !== new Set(list).size) {
      throw new SchemaProblem([...path, 'type'], `"type" must be one of ${JSON_TYPES.join(', ')}, or a list of them.`);
    }
    return known;
  }

  /** Without `type`, the keywords imply it. Values of other types would be valid too, but are never written. */
  #parseTypes(schema: JsonObject, keywords: readonly string[], path: SchemaPath): SchemaNode {
    for (const keyword of keywords) {
      if (keyword === 'type' || kindOf(keyword) !== undefined) continue;
      throw new SchemaProblem(
        [...path, keyword],
        `The keyword "${keyword}" can't be enforced. ${ADVICE.get(keyword) ?? 'Remove it.'}`,
      );
    }
    const implied = new Set(keywords.flatMap((keyword) => kindOf(keyword) ?? []));
    if (schema['type'] === undefined && implied.size === 0) return { kind: 'any' };
    const types =
      schema['type'] === undefined
        ? JSON_TYPES.filter((name) => implied.has(name as never))
        : this.#readTypes(schema['type'], path);
    const wanted = types.includes('number') ? types.filter((name) => name !== 'integer') : types;
    const options = wanted.map((type) => this.#parseType(schema, type, path));
    const [first] = options;
    const node: SchemaNode = options.length === 1 && first !== undefined ? first : { kind: 'union', options };
    if (schema['type'] === undefined) this.#implied.add(node);
    return node;
  }

  #parseType(schema: JsonObject, type: JsonType, path: SchemaPath): SchemaNode {
    switch (type) {
      case 'boolean':
      case 'null':
        return { kind: type };
      case 'string':
        return parseString(schema, path, this.budget);
      case 'number':
      case 'integer':
        return parseNumber(schema, type === 'integer', path);
      case 'array':
        return parseArray(schema, path, this);
      case 'object':
        return parseObject(schema, path, this);
      default: {
        const missing: never = type;
        return missing;
      }
    }
  }
}

/**
 * Joins single values (`{"const": "a"}, {"const": "b"}`) into one list, so that the grammar can share their
 * beginnings.
 */
function toUnion(options: readonly SchemaNode[]): SchemaNode {
  const values = options.flatMap((option) => (option.kind === 'literal' ? option.values : []));
  if (values.length === 0) return { kind: 'union', options };
  const others = options.filter(({ kind }) => kind !== 'literal');
  const literal: SchemaNode = { kind: 'literal', values };
  return others.length === 0 ? literal : { kind: 'union', options: [literal, ...others] };
}

/** Reads a schema from a request. Throws SchemaProblem with the path of the keyword that can't be enforced. */
export function parseSchema(schema: unknown, budget = new WorkBudget()): SchemaDocument {
  const bytes = new TextEncoder().encode(JSON.stringify(schema)).length;
  if (bytes > REQUEST_LIMITS.schemaBytes) {
    throw new SchemaProblem(
      [],
      `The schema has ${bytes} bytes; at most ${REQUEST_LIMITS.schemaBytes} are accepted. Make it smaller.`,
    );
  }
  const parser = new Parser(schema, budget);
  const document = { root: parser.parse(schema, []), definitions: parser.definitions };
  assertGrounded(document);
  assertUnambiguous(document, parser.comparison, parser.paths);
  return document;
}
