// References within a JSON schema: where they lead, and that they lead somewhere.
import { isObject, ownField } from '../contract/reading';
import { SchemaProblem, type SchemaDocument, type SchemaNode, type SchemaPath } from './schemaNode';

function decode(part: string, path: SchemaPath): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    throw new SchemaProblem(path, `The reference has a part that can't be decoded: "${part}".`);
  }
}

/** Follows a JSON pointer such as `#/$defs/name` in the same document. */
export function resolvePointer(root: unknown, pointer: string, path: SchemaPath): { readonly schema: unknown; readonly path: SchemaPath } {
  if (pointer !== '#' && !pointer.startsWith('#/')) {
    throw new SchemaProblem(path, `The reference "${pointer}" leads out of the schema. Only "#/$defs/…" and other paths within it can be followed.`);
  }
  const parts = pointer === '#' ? [] : pointer.slice(2).split('/').map((part) => decode(part, path));
  let schema = root;
  const found: (string | number)[] = [];
  for (const part of parts) {
    if (Array.isArray(schema)) {
      found.push(Number(part));
      schema = /^\d+$/.test(part) ? (schema[Number(part)] as unknown) : undefined;
    } else {
      found.push(part);
      schema = isObject(schema) ? ownField(schema, part) : undefined;
    }
    if (schema === undefined) throw new SchemaProblem(path, `The reference "${pointer}" leads to nothing. Define it under $defs.`);
  }
  return { schema, path: found };
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
