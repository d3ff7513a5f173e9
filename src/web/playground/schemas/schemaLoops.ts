// References of a JSON schema that lead only back to themselves: whoever follows one never comes to a value. Pure.
// The studio's own engine has the same rule for what it reads (src/server/engine/grammar/schemaRefs.ts).
import { isObject } from '#shared/contract/reading.ts';
import { findSchemaTarget } from '#shared/contract/schemaPointer.ts';

/** Schemas that judge the same value, before anything within it is looked at. */
function headsOf(schema: unknown, root: unknown): readonly unknown[] {
  if (!isObject(schema)) return [];
  const { $ref } = schema;
  const target = typeof $ref === 'string' ? findSchemaTarget(root, $ref) : null;
  const options = [schema['allOf'], schema['anyOf'], schema['oneOf']].flatMap((list): readonly unknown[] =>
    Array.isArray(list) ? list : [],
  );
  return target?.ok === true ? [target.value.schema, ...options] : options;
}

/** Whether a schema of this root leads back to one that is not read yet. Each is read once. */
export function toLoopFinder(root: unknown): (schema: unknown) => boolean {
  const known = new Map<unknown, boolean>();
  const isEndless = (schema: unknown): boolean => {
    if (!isObject(schema)) return false;
    const before = known.get(schema);
    if (before !== undefined) return before;
    // Until it is read, whatever leads here goes round.
    known.set(schema, true);
    const found = headsOf(schema, root).some(isEndless);
    known.set(schema, found);
    return found;
  };
  return isEndless;
}
