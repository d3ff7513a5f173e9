// Checks whether an answer is JSON that fits a schema, and gives the path of each violation. The validator interprets
// the schema: the content security policy forbids compiled ones.
import { Validator, type Schema } from '@cfworker/json-schema';
import { isObject } from '#core/contract/readJson.ts';
import { parseAnswerJson } from './answerJson.ts';
import { isRiskyPattern } from './riskyPattern.ts';
import { toViolationText } from './violationWords.ts';

interface Violation {
  /** JSON pointer into the answer; empty for the whole. */
  readonly path: string;
  readonly keyword: string;
  readonly message: string;
}

export type SchemaCheck =
  | { readonly state: 'valid' }
  /** Valid, but in a code fence: JSON.parse fails on the whole answer. */
  | { readonly state: 'fenced' }
  | { readonly state: 'invalid'; readonly violations: readonly Violation[] }
  | { readonly state: 'not-json'; readonly message: string }
  /** The schema itself is the problem. */
  | { readonly state: 'no-check'; readonly message: string };

const MAX_VIOLATIONS = 50;
/** Every schema around a nested value reports its error again. Only the innermost report says why. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'properties',
  'items',
  'prefixItems',
  'additionalProperties',
  '$ref',
  'allOf',
  'if',
  'then',
  'else',
  'patternProperties',
  'dependentSchemas',
]);

/** Matching may be slow even without a risky pattern, so longer answers are not matched on the main thread. */
const MAX_MATCHED_CHARACTERS = 20_000;

/** All regular expressions in a schema. The recursion is bounded by the depth of parsed JSON. */
function findPatterns(value: unknown, found: string[] = []): readonly string[] {
  if (Array.isArray(value)) for (const entry of value) findPatterns(entry, found);
  if (!isObject(value)) return found;
  for (const [key, entry] of Object.entries(value)) {
    if (key === 'pattern' && typeof entry === 'string') found.push(entry);
    if (key === 'patternProperties' && isObject(entry)) found.push(...Object.keys(entry));
    findPatterns(entry, found);
  }
  return found;
}

export interface SchemaCheckOptions {
  /** The caller can stop the check, as it can stop a worker, so risky patterns are tried too. */
  readonly canBeStopped?: boolean;
}

/** Prepares the check of a schema for many answers. */
export function openSchemaCheck(
  schema: unknown,
  { canBeStopped = false }: SchemaCheckOptions = {},
): (text: string) => SchemaCheck {
  if (typeof schema !== 'boolean' && !isObject(schema)) {
    return () => ({ state: 'no-check', message: 'A schema is a JSON object, or true or false.' });
  }
  let validator: Validator;
  try {
    validator = new Validator(schema as Schema | boolean, '2020-12', false);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return () => ({ state: 'no-check', message: `The schema can't be used: ${message}` });
  }
  const patterns = canBeStopped ? [] : findPatterns(schema);
  const risky = patterns.find(isRiskyPattern);
  if (risky !== undefined) {
    return () => ({
      state: 'no-check',
      message:
        `The pattern ${risky.slice(0, 200)} may never finish matching. Write it without a repetition inside a ` +
        'repetition; the prompt grid can try it, with a time limit.',
    });
  }
  return (text) => {
    if (patterns.length > 0 && text.length > MAX_MATCHED_CHARACTERS) {
      return {
        state: 'no-check',
        message:
          'The schema has patterns, and the answer is longer than the ' +
          `${MAX_MATCHED_CHARACTERS.toLocaleString('en')} characters that are matched here.`,
      };
    }
    const read = parseAnswerJson(text);
    if (!read.ok) return { state: 'not-json', message: read.message };
    try {
      const { valid, errors } = validator.validate(read.value);
      if (valid) return { state: read.isFenced ? 'fenced' : 'valid' };
      const inner = errors.filter((error) => !WRAPPERS.has(error.keyword));
      const violations = (inner.length > 0 ? inner : errors)
        .slice(0, MAX_VIOLATIONS)
        .map(({ instanceLocation, keyword, error }): Violation => ({
          path: instanceLocation.replace(/^#/, ''),
          keyword,
          message: toViolationText(keyword, error),
        }));
      return { state: 'invalid', violations };
    } catch (error) {
      // The validator meets an unresolved reference or an invalid pattern only here.
      return {
        state: 'no-check',
        message: `The schema can't be used: ${error instanceof Error ? error.message : String(error)}`,
      };
    }
  };
}
