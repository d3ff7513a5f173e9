// Checks of JSON answers: by a schema, as one value, or field by field. Pure.
import { parseAnswerJson, toBareJson } from '#core/json/answerJson.ts';
import { parseExactJson } from '#core/json/jsonValues.ts';
import { openSchemaCheck } from '#core/json/schemaCheck.ts';
import { fail, noCheck, PASS, toPartsResult, type CheckResult } from './checkResult.ts';
import { isJsonEqual } from './jsonEqual.ts';
import { toFieldParts } from './jsonFields.ts';

const FENCED = 'Valid, but in a code fence: a program must take the JSON out of it first.';
const toFenced = (isStrict: boolean): CheckResult =>
  isStrict
    ? fail('The JSON is inside a code fence, so a program that parses the answer fails.')
    : { state: 'pass', note: FENCED };

const NO_SCHEMA = noCheck('Not checked: write the JSON schema that answers must match.');

/** Of a schema as JSON text. */
export function openSchema(text: string, isStrict: boolean): (answer: string) => CheckResult {
  if (text.trim() === '') return () => NO_SCHEMA;
  let schema: unknown;
  try {
    schema = JSON.parse(text);
  } catch (error) {
    const reason = `The schema is not JSON: ${error instanceof Error ? error.message : String(error)}`;
    return () => noCheck(reason);
  }
  const check = openSchemaCheck(schema, { canBeStopped: true });
  return (answer) => {
    const found = check(answer);
    if (found.state === 'valid') return PASS;
    if (found.state === 'fenced') return toFenced(isStrict);
    if (found.state === 'no-check') return noCheck(found.message);
    if (found.state === 'not-json') return fail(`Not JSON: ${found.message}`);
    return fail(found.violations.map(({ path, message }) => `${path || '(the whole)'}: ${message}`).join('; '));
  };
}

type JsonPair =
  | { readonly kind: 'read'; readonly given: unknown; readonly wanted: unknown; readonly isFenced: boolean }
  /** The answer is no JSON. */
  | { readonly kind: 'no-json'; readonly result: CheckResult; readonly wanted: unknown }
  /** The expected answer is none. */
  | { readonly kind: 'no-check'; readonly result: CheckResult };

function readJsonPair(answer: string, expectedText: string): JsonPair {
  const expected = parseAnswerJson(expectedText);
  if (!expected.ok)
    return { kind: 'no-check', result: noCheck(`The expected answer is not JSON: ${expected.message}`) };
  const actual = parseAnswerJson(answer);
  const wanted = parseExactJson(toBareJson(expectedText).bare);
  if (!actual.ok) return { kind: 'no-json', result: fail(`Not JSON: ${actual.message}`), wanted };
  return { kind: 'read', wanted, given: parseExactJson(toBareJson(answer).bare), isFenced: actual.isFenced };
}

export function compareJson(answer: string, expectedText: string, isStrict: boolean): CheckResult {
  const read = readJsonPair(answer, expectedText);
  if (read.kind !== 'read') return read.result;
  if (!isJsonEqual(read.given, read.wanted)) return fail('The JSON differs from the expected JSON.');
  return read.isFenced ? toFenced(isStrict) : PASS;
}

/** `fields`: those that count; empty: all. An answer that is no JSON lacks every field. */
export function compareFields(
  answer: string,
  expectedText: string,
  fields: readonly string[],
  isStrict: boolean,
): CheckResult {
  const read = readJsonPair(answer, expectedText);
  if (read.kind === 'no-check') return read.result;
  const chosen = fields.map((field) => field.trim()).filter((field) => field !== '');
  const parts = toFieldParts(read.kind === 'read' ? read.given : {}, read.wanted, chosen);
  if (!parts.some(({ expected }) => expected !== null))
    return noCheck(`The expected answer has none of the fields ${chosen.join(', ')}. Choose fields that it has.`);
  if (read.kind === 'no-json') return { ...read.result, score: 0, parts };
  const result = toPartsResult(parts);
  return read.isFenced && (isStrict || result.state === 'pass') ? { ...result, ...toFenced(isStrict) } : result;
}
