// References within a JSON schema: finds their targets and refuses those that describe no value.
import { failRead, isObject, ownField, type Read } from '#core/contract/readJson.ts';
import { SchemaProblem, type SchemaDocument, type SchemaNode, type SchemaPath } from './schemaNode.ts';

interface SchemaTarget {
  readonly schema: unknown;
  /** Steps from the schema's root. */
  readonly path: readonly (string | number)[];
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return null;
  }
}

function stepInto(schema: unknown, part: string): unknown {
  if (Array.isArray(schema)) return /^\d+$/.test(part) ? (schema[Number(part)] as unknown) : undefined;
  return isObject(schema) ? ownField(schema, part) : undefined;
}

/** Follows a JSON pointer such as `#/$defs/name` in the same document. */
export function findSchemaTarget(root: unknown, pointer: string): Read<SchemaTarget> {
  if (pointer !== '#' && !pointer.startsWith('#/')) {
    return failRead(
      `The reference "${pointer}" leads out of the schema. Only "#/$defs/…" and other paths within it can be followed.`,
    );
  }
  let schema = root;
  const path: (string | number)[] = [];
  for (const step of pointer === '#' ? [] : pointer.slice(2).split('/')) {
    const part = decode(step);
    if (part === null) return failRead(`The reference has a part that can't be decoded: "${step}".`);
    path.push(Array.isArray(schema) ? Number(part) : part);
    schema = stepInto(schema, part);
    if (schema === undefined) return failRead(`The reference "${pointer}" leads to nothing. Define it under $defs.`);
  }
  return { ok: true, value: { schema, path } };
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
