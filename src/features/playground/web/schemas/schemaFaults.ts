// Faults of a typed JSON schema: of its keywords, and the first thing in it that the studio's own engine can't enforce.
// Pure. Each service decides what else it enforces.
import { isObject } from '#core/contract/readJson.ts';
import type { JsonPath } from '#core/contract/jsonPlaces.ts';
import { SchemaProblem } from '#core/schema/schemaNode.ts';
import { parseSchema } from '#core/schema/schemaSupport.ts';
import { findKeywordFaults, type JsonFault } from './keywordFaults.ts';

const MAX_FAULTS = 50;

/** What the engine answers to a request with this schema. */
function findRefusal(schema: unknown): SchemaProblem | null {
  try {
    parseSchema(schema);
    return null;
  } catch (error) {
    if (error instanceof SchemaProblem) return error;
    // Thousands of nested references have used up the stack.
    if (error instanceof RangeError) return new SchemaProblem([], 'It is nested too deep. Make it flatter.');
    throw error;
  }
}

/** The faults of a schema at the path `at`, 50 at most. `isEnforced`: the engine holds answers to it. */
export function findSchemaFaults(schema: unknown, at: JsonPath = [], isEnforced = true): readonly JsonFault[] {
  if (!isObject(schema)) return [{ path: at, message: 'The schema must be an object, { … }.', isWarning: false }];
  const faults = findKeywordFaults(schema, at).slice(0, MAX_FAULTS);
  const refusal = isEnforced ? findRefusal(schema) : null;
  const path = [...at, ...(refusal?.path ?? [])];
  if (!refusal || faults.some((fault) => fault.path.join('/') === path.join('/'))) return faults;
  return [...faults, { path, message: `The studio’s own engine refuses this. ${refusal.message}`, isWarning: true }];
}
