// References within a JSON schema: finds their targets and refuses those that describe no value.
import { findSchemaTarget, type SchemaTarget } from '#core/contract/schemaPointer.ts';
import { SchemaProblem, type SchemaDocument, type SchemaNode, type SchemaPath } from './schemaNode.ts';

/** Follows a JSON pointer in the same document. `path`: the place of the reference, for errors. */
export function resolvePointer(root: unknown, pointer: string, path: SchemaPath): SchemaTarget {
  const target = findSchemaTarget(root, pointer);
  if (!target.ok) throw new SchemaProblem(path, target.reason);
  return target.value;
}

/** One name for all spellings of a pointer (`%61` is `a`). `path`: its decoded steps. */
export function toDefinitionName(path: SchemaPath): string {
  return ['#', ...path.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
}

/** The references that a node follows before it writes a character. */
function toHeads(node: SchemaNode): readonly string[] {
  if (node.kind === 'ref') return [node.name];
  return node.kind === 'union' ? node.options.flatMap(toHeads) : [];
}

/** Throws SchemaProblem for a definition that only leads back to itself: it describes no value. */
export function assertGrounded({ definitions }: SchemaDocument): void {
  const grounded = new Set<string>();
  const open = new Set<string>();
  const visit = (name: string): void => {
    if (grounded.has(name)) return;
    if (open.has(name))
      throw new SchemaProblem([], `The reference "${name}" leads only back to itself. Describe a value there.`);
    const node = definitions.get(name);
    open.add(name);
    for (const head of node === undefined ? [] : toHeads(node)) visit(head);
    open.delete(name);
    grounded.add(name);
  };
  for (const name of definitions.keys()) visit(name);
}
