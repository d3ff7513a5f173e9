// Whether two schemas certainly have no value in common, which `oneOf` needs. If in doubt, the answer is no.
import { deepCompareStrict } from '@cfworker/json-schema';
import { isObject } from '#core/contract/readJson.ts';
import { isOfType, type JsonType } from './schemaKeywords.ts';
import type { SchemaNode } from './schemaNode.ts';
import type { WorkBudget } from './workBudget.ts';

export interface DisjointContext {
  readonly definitions: ReadonlyMap<string, SchemaNode>;
  /** Nodes with only a part of the values that their schema allows. They count as disjoint from no other node. */
  readonly implied: WeakSet<SchemaNode>;
  readonly budget: WorkBudget;
}

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

/** True only if no value satisfies both. `depth` ends recursion through definitions. */
export function areDisjoint(left: SchemaNode, right: SchemaNode, context: DisjointContext, depth = 0): boolean {
  context.budget.spend(1);
  const one = resolve(left, context, 0);
  const two = resolve(right, context, 0);
  if (one === null || two === null || depth > 8) return false;
  const compare = (a: SchemaNode, b: SchemaNode): boolean => areDisjoint(a, b, context, depth + 1);
  if (one.kind === 'union') return one.options.every((option) => compare(option, two));
  if (two.kind === 'union') return two.options.every((option) => compare(one, option));
  if (one.kind === 'literal' && two.kind === 'literal') return hasNoneInCommon(one.values, two.values, context.budget);
  if (one.kind === 'literal') return isOutside(one.values, two, context.budget);
  if (two.kind === 'literal') return isOutside(two.values, one, context.budget);
  if (one.kind === 'object' && two.kind === 'object') {
    return one.members.some((member) => {
      context.budget.spend(two.members.length);
      const other = two.members.find(({ name }) => name === member.name);
      return other !== undefined && member.isRequired && other.isRequired && compare(member.node, other.node);
    });
  }
  const types = [TYPES[one.kind], TYPES[two.kind]];
  return types[0] !== undefined && types[1] !== undefined && types[0] !== types[1];
}

/** Steps for comparing two lists or objects. The size of the schema bounds their size. */
const DEEP_COST = 10;

/** Looks up texts, numbers and the like. Compares objects and lists one by one; the order of names does not matter. */
function hasNoneInCommon(left: readonly unknown[], right: readonly unknown[], budget: WorkBudget): boolean {
  budget.spend(left.length + right.length);
  const plain = new Set(right);
  const deep = right.filter(isNested);
  return left.every((value) => {
    if (!isNested(value)) return !plain.has(value);
    budget.spend(deep.length * DEEP_COST);
    return deep.every((other) => !deepCompareStrict(value, other));
  });
}

function isNested(value: unknown): boolean {
  return Array.isArray(value) || isObject(value);
}

function isOutside(values: readonly unknown[], node: SchemaNode, budget: WorkBudget): boolean {
  const type = TYPES[node.kind];
  budget.spend(values.length);
  return type !== undefined && values.every((value) => !isOfType(value, type));
}
