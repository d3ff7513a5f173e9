// References of a JSON schema that lead only back to themselves, so that following them never reaches a value. Pure.
// The studio's own engine applies the same rule (src/engine/grammar/schemaRefs.ts).
import { isObject } from '#core/contract/reading.ts';
import { findSchemaTarget } from '#core/contract/schemaPointer.ts';

/** The schemas that a schema applies to the same value: the target of its reference, and its branches. */
function schemasOfSameValue(schema: unknown, root: unknown): readonly unknown[] {
  if (!isObject(schema)) return [];
  const { $ref } = schema;
  const target = typeof $ref === 'string' ? findSchemaTarget(root, $ref) : null;
  const options = [schema['allOf'], schema['anyOf'], schema['oneOf']].flatMap((list): readonly unknown[] =>
    Array.isArray(list) ? list : [],
  );
  return target?.ok === true ? [target.value.schema, ...options] : options;
}

/** Returns a test: does a schema of this root only lead back to itself? It reads each schema once. */
export function toLoopFinder(root: unknown): (schema: unknown) => boolean {
  const known = new Map<unknown, boolean>();
  const isEndless = (schema: unknown): boolean => {
    if (!isObject(schema)) return false;
    const result = known.get(schema);
    if (result !== undefined) return result;
    // A reference that arrives here before the result is known closes a loop.
    known.set(schema, true);
    const found = schemasOfSameValue(schema, root).some(isEndless);
    known.set(schema, found);
    return found;
  };
  return isEndless;
}
