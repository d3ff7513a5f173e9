// Whether two schemas can be told apart for certain: what `oneOf` needs. Errs on the side of no.
import { isDeepStrictEqual } from 'node:util';
import { isOfType, type JsonType } from './schemaKeywords';
import type { SchemaNode } from './schemaNode';

export interface DisjointContext {
  readonly definitions: ReadonlyMap<string, SchemaNode>;
  /** Nodes that stand for only a part of what their schema allows: never disjoint from anything. */
  readonly implied: WeakSet<SchemaNode>;
  /** Comparisons that may still be made for this schema; without any, nothing is disjoint. */
  budget: number;
}

/** More comparisons than this are not made for one schema. */
export const DISJOINT_BUDGET = 100_000;

const TYPES: Readonly<Partial<Record<SchemaNode['kind'], JsonType>>> = {
  boolean: 'boolean',
  null: 'null',
  string: 'string',
  format: 'string',
  pattern: 'string',
  number: 'number',
  array: 'array',
  object: 'object',
  map: 'object',
};

function resolve(node: SchemaNode, context: DisjointContext, depth: number): SchemaNode | null {
  if (node.kind !== 'ref') return context.implied.has(node) ? null : node;
  const target = context.definitions.get(node.name);
  return target === undefined || depth > 8 ? null : resolve(target, context, depth + 1);
}

/** True only when no value satisfies both. `depth` ends recursion through definitions. */
export function areDisjoint(left: SchemaNode, right: SchemaNode, context: DisjointContext, depth = 0): boolean {
  context.budget -= 1;
  if (context.budget < 0) return false;
  const one = resolve(left, context, 0);
  const two = resolve(right, context, 0);
  if (one === null || two === null || depth > 8) return false;
  const compare = (a: SchemaNode, b: SchemaNode): boolean => areDisjoint(a, b, context, depth + 1);
  if (one.kind === 'union') return one.options.every((option) => compare(option, two));
  if (two.kind === 'union') return two.options.every((option) => compare(one, option));
  if (one.kind === 'literal' && two.kind === 'literal') {
    return one.values.every((value) => two.values.every((other) => !isDeepStrictEqual(value, other)));
  }
  if (one.kind === 'literal') return isOutside(one.values, two);
  if (two.kind === 'literal') return isOutside(two.values, one);
  if (one.kind === 'object' && two.kind === 'object') {
    return one.members.some((member) => {
      const other = two.members.find(({ name }) => name === member.name);
      return other !== undefined && member.isRequired && other.isRequired && compare(member.node, other.node);
    });
  }
  const types = [TYPES[one.kind], TYPES[two.kind]];
  return types[0] !== undefined && types[1] !== undefined && types[0] !== types[1];
}

function isOutside(values: readonly unknown[], node: SchemaNode): boolean {
  const type = TYPES[node.kind];
  return type !== undefined && values.every((value) => !isOfType(value, type));
}
