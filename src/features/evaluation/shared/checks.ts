// Checks an answer against the expected answer of its row. A check that can't be applied says so and fails no model.
import { compareArguments, compareCalls } from './callChecks.ts';
import { fail, noCheck, PASS, type CheckResult } from './checkResult.ts';
import { toFunctionVerdict, type FunctionOutcome } from './functionValue.ts';
import { compareFields, compareJson, openSchema } from './jsonChecks.ts';
import { compareNumber } from './numberCheck.ts';
import { SIMILARITY_NAMES, toSimilarity, type SimilarityMeasure } from './similarity.ts';
import { countCharacters, toWords, type LengthUnit } from './textLength.ts';
import type { WrittenCall } from './toolCalls.ts';

export const CHECK_KINDS = [
  'exact',
  'contains',
  'regex',
  'number',
  'similarity',
  'json-schema',
  'json-equal',
  'json-fields',
  'tool-calls',
  'tool-arguments',
  'length',
  'language',
  'latency',
  'function',
] as const;
export type CheckKind = (typeof CHECK_KINDS)[number];

export interface CheckSpec {
  readonly kind: CheckKind;
  /**
   * regex: the pattern. json-schema: the schema as JSON text. function: its JavaScript. length, latency: nothing. Others: the
   * expected answer, of language an ISO 639-1 code; null: the expected answer of the row, or its language.
   */
  readonly expected: string | null;
  /** exact, contains, regex, similarity. */
  readonly isCaseSensitive: boolean;
  /**
   * json-schema, json-equal, json-fields: JSON in a code fence fails, as it would in a program. Absent: it passes with a note.
   */
  readonly isStrict?: boolean;
  /** number: the greatest difference that still passes, in the unit of the answer. */
  readonly tolerance: number;
  /** json-fields: the fields that count, with all that they hold. Absent or empty: all. */
  readonly fields?: readonly string[];
  /** similarity; absent: levenshtein. */
  readonly measure?: SimilarityMeasure;
  /** similarity, function: the least score that passes, 0 to 1. Absent: 0.8, of a function 0.5. */
  readonly threshold?: number;
  /** length; absent: words. */
  readonly unit?: LengthUnit;
  /** length: the least and the most that pass, both included. latency: the most milliseconds. */
  readonly min?: number;
  readonly max?: number;
}

/** What is known of an answer beside its content. */
export interface AnswerFacts {
  /** Milliseconds until it was there. Absent or null: not known, as of tokens. */
  readonly ms?: number | null;
  readonly completionTokens?: number | null;
  /** What people's functions gave of it, by their source: they are run before, in the service. */
  readonly functions?: Readonly<Record<string, FunctionOutcome>>;
}

/** Applies one check to an answer and its tool calls. `expected` is the expected answer of the row. */
export type Check = (
  answer: string,
  expected: string | null,
  calls?: readonly WrittenCall[],
  facts?: AnswerFacts,
) => CheckResult;

/** What some kinds need and is too large to be loaded always (checkTools.ts). */
export interface CheckTools {
  /** The ISO 639-1 code of a text; null: it is too short to say. */
  readonly toLanguage?: (text: string) => string | null;
}

export const DEFAULT_THRESHOLDS = { similarity: 0.8, function: 0.5, http: 0.5 } as const;

export const DEFAULT_CHECK: CheckSpec = { kind: 'exact', expected: null, isCaseSensitive: true, tolerance: 0 };

const NO_TEXT = noCheck('Not checked: write the text to look for.');
const NO_PATTERN = noCheck('Not checked: write the pattern that answers must match.');
const NO_FUNCTION = noCheck('Not checked: write the function that judges answers.');
const NO_LIMIT = noCheck('Not checked: write the least or the most that passes.');
const EMPTY_EXPECTED = noCheck(
  'The row’s expected answer is empty, which counts as none. Write one, or give the check a text of its own.',
);
const NO_EXPECTED = noCheck('The row has no expected answer. Give it one, or give the check a text of its own.');
/** A pattern may take exponential time on long texts. Longer answers are not searched. */
const MAX_REGEX_CHARACTERS = 20_000;

function openRegex(pattern: string, isCaseSensitive: boolean): Check {
  if (pattern === '') return () => NO_PATTERN;
  let regex: RegExp;
  try {
    regex = new RegExp(pattern, isCaseSensitive ? 'u' : 'iu');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const reason = `“${pattern}” is not a regular expression: ${why}`;
    return () => noCheck(reason);
  }
  return (answer) => {
    if (answer.length > MAX_REGEX_CHARACTERS)
      return noCheck(
        `The answer is longer than the ${MAX_REGEX_CHARACTERS.toLocaleString('en')} characters that a pattern is ` +
          'searched in.',
      );
    return regex.test(answer) ? PASS : fail(`Nothing in the answer matches ${pattern}`);
  };
}

/** Longer texts are not compared: the time grows with the product of their lengths. */
const MAX_COMPARED_CHARACTERS = 20_000;
function compareSimilarity(answer: string, expected: string, spec: CheckSpec): CheckResult {
  const { measure = 'levenshtein', threshold = DEFAULT_THRESHOLDS.similarity } = spec;
  if (Math.max(answer.length, expected.length) > MAX_COMPARED_CHARACTERS)
    return noCheck(
      `A text of more than ${MAX_COMPARED_CHARACTERS.toLocaleString('en')} characters is not compared. Judge it yourself.`,
    );
  const score = toSimilarity(measure, answer, expected);
  if (score >= threshold) return { state: 'pass', score };
  return { ...fail(`${SIMILARITY_NAMES[measure]}: ${score.toFixed(2)}, expected at least ${threshold}`), score };
}

function compareLanguage(
  answer: string,
  spec: CheckSpec,
  expected: string,
  toLanguage: CheckTools['toLanguage'],
): CheckResult {
  if (!toLanguage) return noCheck('Not checked: what recognises languages is not loaded. Reload the page.');
  const wanted = spec.expected === null ? toLanguage(expected) : expected.toLowerCase().split('-')[0];
  if (!wanted)
    return noCheck('The expected answer is too short to say its language. Give the check a language of its own.');
  const language = toLanguage(answer);
  if (language === null) return noCheck('The answer is too short, or has too few words, to say its language.');
  return language === wanted ? PASS : fail(`The answer is in ${toName(language)}, expected ${toName(wanted)}.`);
}

const toName = (code: string): string =>
  new Intl.DisplayNames('en', { type: 'language', fallback: 'code' }).of(code) ?? code;

/** Whether a number lies within the limits of the check. `word`: of what the number is one. */
function compareLimits(found: number, { min, max }: CheckSpec, word: string): CheckResult {
  const limits = [...(min === undefined ? [] : [`at least ${min}`]), ...(max === undefined ? [] : [`at most ${max}`])];
  return found < (min ?? found) || found > (max ?? found)
    ? fail(`${Math.round(found).toLocaleString('en')} ${word}, expected ${limits.join(' and ')}`)
    : PASS;
}

function openLength(spec: CheckSpec): Check {
  const { unit = 'words' } = spec;
  if (spec.min === undefined && spec.max === undefined) return () => NO_LIMIT;
  return (answer, _expected, _calls, facts) => {
    if (unit === 'words') return compareLimits(toWords(answer).length, spec, unit);
    if (unit === 'characters') return compareLimits(countCharacters(answer), spec, unit);
    const tokens = facts?.completionTokens ?? null;
    if (tokens === null)
      return noCheck('The model did not say how many tokens the answer has. Count words or characters instead.');
    return compareLimits(tokens, spec, unit);
  };
}

function openLatency(spec: CheckSpec): Check {
  if (spec.max === undefined) return () => NO_LIMIT;
  return (_answer, _expected, _calls, facts) => {
    const ms = facts?.ms ?? null;
    return ms === null
      ? noCheck('How long the answer took is not known.')
      : compareLimits(ms, { ...spec, min: undefined }, 'ms');
  };
}

function openFunction(spec: CheckSpec): Check {
  const { expected: source, threshold = DEFAULT_THRESHOLDS.function } = spec;
  if (source === null || source.trim() === '') return () => NO_FUNCTION;
  return (_answer, _expected, _calls, facts) => {
    const outcome = facts?.functions?.[source];
    if (!outcome) return noCheck('The function was not run for this answer. Check it again.');
    if (!outcome.ok) return noCheck(outcome.reason);
    const verdict = toFunctionVerdict(outcome.value, threshold);
    if (verdict === null)
      return noCheck(
        `The function gave ${(JSON.stringify(outcome.value) ?? 'nothing').slice(0, 100)}. It has to return true or false, a ` +
          'score from 0 to 1, or {pass, score, reason}.',
      );
    const { state, reason, ...score } = verdict;
    if (state === 'fail') return { state, reason, ...score };
    return { state, ...score, ...(reason !== '' && { note: reason }) };
  };
}

/**
 * True if there is an expected answer. An empty one is none: in files, rows without an expected answer have an empty
 * field.
 */
export const isExpected = (expected: string | null): expected is string => expected !== null && expected.trim() !== '';

/** Prepares the check for many answers. White space around answers and expected answers never counts. */
export function openCheck(spec: CheckSpec, tools: CheckTools = {}): Check {
  const { kind, isCaseSensitive, tolerance, isStrict = false } = spec;
  if (kind === 'regex') return openRegex(spec.expected ?? '', isCaseSensitive);
  if (kind === 'json-schema') return openSchema(spec.expected ?? '', isStrict);
  if (kind === 'length') return openLength(spec);
  if (kind === 'latency') return openLatency(spec);
  if (kind === 'function') return openFunction(spec);
  const fold = (text: string): string => (isCaseSensitive ? text.trim() : text.trim().toLowerCase());
  return (answer, expected, calls = []) => {
    if (spec.expected?.trim() === '') return NO_TEXT;
    const expectedText = spec.expected ?? expected;
    if (expectedText === null) return NO_EXPECTED;
    if (!isExpected(expectedText)) return EMPTY_EXPECTED;
    const [own, wanted] = [fold(answer), fold(expectedText)];
    switch (kind) {
      case 'tool-calls':
        return compareCalls(answer, calls, expectedText);
      case 'tool-arguments':
        return compareArguments(answer, calls, expectedText);
      case 'json-equal':
        return compareJson(answer, expectedText, isStrict);
      case 'json-fields':
        return compareFields(answer, expectedText, spec.fields ?? [], isStrict);
      case 'number':
        return compareNumber(answer, expectedText, tolerance);
      case 'language':
        return compareLanguage(answer, spec, expectedText.trim(), tools.toLanguage);
      case 'similarity':
        return compareSimilarity(own, wanted, spec);
      case 'contains':
        return own.includes(wanted) ? PASS : fail(`The answer does not contain “${expectedText.trim()}”.`);
      case 'exact':
        return own === wanted ? PASS : fail('The text differs from the expected text.');
    }
  };
}
