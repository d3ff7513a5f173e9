// Which names a body uses and sets: some variables (`loop`, `caller`, `kwargs`) exist only where they are used.
import type { Body } from './syntax.ts';

function walk(node: unknown, visit: (node: Record<string, unknown>) => boolean): boolean {
  if (Array.isArray(node)) return node.some((item) => walk(item, visit));
  if (typeof node !== 'object' || node === null) return false;
  const record = node as Record<string, unknown>;
  if (record['kind'] === 'constant') return false;
  return visit(record) || Object.values(record).some((value) => walk(value, visit));
}

/** Whether the body reads a variable of this name. */
export function mentions(body: Body, name: string): boolean {
  return walk(body, ({ kind, name: found, line }) => kind === 'name' && found === name && line !== undefined);
}

/** Whether `set` or `for` in the body assigns to this name. */
export function assigns(node: unknown, name: string): boolean {
  return walk(node, ({ kind, name: found, line }) => kind === 'name' && found === name && line === undefined);
}
