// A part of a project's tree: all of one may have 100,000 nodes.
import * as z from 'zod/mini';
import { arrayOr, isObject, type JsonObject } from '#core/contract/readJson.ts';
import { uuidSchema } from '#core/contract/schemas.ts';

export const treePartShape = {
  node_id: z
    .optional(uuidSchema)
    .check(z.describe('The node whose part of the tree is answered; absent: the project.')),
  depth: z
    .optional(z.int().check(z.minimum(0), z.maximum(4)))
    .check(z.describe('Levels below it, 1 if absent. Of deeper nodes `child_count` says how many there are.')),
};

function findNode(node: JsonObject, id: string): JsonObject | null {
  if (node['id'] === id) return node;
  for (const child of arrayOr(node['children'])) {
    const found = isObject(child) ? findNode(child, id) : null;
    if (found) return found;
  }
  return null;
}

function cut(node: JsonObject, depth: number): JsonObject {
  const { children, ...rest } = node;
  const below = arrayOr(children).filter(isObject);
  if (below.length === 0) return rest;
  return depth === 0
    ? { ...rest, child_count: below.length }
    : { ...rest, children: below.map((child) => cut(child, depth - 1)) };
}

/** `answer`: that of the endpoint of a project. Throws an Error for people. */
export function toTreePart(answer: unknown, given: JsonObject): unknown {
  const project = isObject(answer) && isObject(answer['project']) ? answer['project'] : {};
  const { node_id: id, depth } = given;
  const node = typeof id === 'string' ? findNode(project, id) : project;
  if (node === null) throw new Error(`The project has no node ${String(id)}. Ask for the tree without node_id.`);
  return cut(node, typeof depth === 'number' ? depth : 1);
}
