// Follows a reference within a JSON schema. The service refuses a schema with a bad reference, and the editor warns of
// it by the same rule. Pure.
import { failRead, isObject, ownField, type Read } from './reading.ts';

export interface SchemaTarget {
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
