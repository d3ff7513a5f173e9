// References within a JSON schema: where they lead, and that they lead somewhere.
import { findSchemaTarget, type SchemaTarget } from '../contract/schemaPointer';
import { SchemaProblem, type SchemaDocument, type SchemaNode, type SchemaPath } from './schemaNode';

/** Follows a JSON pointer in the same document; `path` is where it stands. */
export function resolvePointer(root: unknown, pointer: string, path: SchemaPath): SchemaTarget {
  const target = findSchemaTarget(root, pointer);
  if (!target.ok) throw new SchemaProblem(path, target.reason);
  return target.value;
}

/** Names that a node leads to before any character is written. */
function toHeads(node: SchemaNode): readonly string[] {
  if (node.kind === 'ref') return [node.name];
  return node.kind === 'union' ? node.options.flatMap(toHeads) : [];
}

/** Throws for definitions that refer to themselves without anything in between: they describe no value. */
export function assertGrounded({ definitions }: SchemaDocument): void {
  const grounded = new Set<string>();
  const visit = (name: string, open: ReadonlySet<string>): void => {
    if (grounded.has(name)) return;
    if (open.has(name)) throw new SchemaProblem([], `The reference "${name}" leads only back to itself. Describe a value there.`);
    const node = definitions.get(name);
    for (const head of node === undefined ? [] : toHeads(node)) visit(head, new Set([...open, name]));
    grounded.add(name);
  };
  for (const name of definitions.keys()) visit(name, new Set());
}
