// Which check fits the expected answers of rows: equality where it says something, else only checks of form. Pure.
import { parseAnswerJson } from '#core/json/answerJson.ts';
import { DEFAULT_CHECK, isExpected, openCheck, type CheckSpec } from './checks.ts';
import type { PromptRow } from './promptRow.ts';
import { readOnlyNumber } from './proseNumbers.ts';
import { parseListedCalls } from './toolCalls.ts';

interface FormCheck {
  readonly label: string;
  readonly spec: CheckSpec;
}

export interface CheckSuggestion {
  /** Compares with the rows' expected answers; null: equality would say nothing, or no answer is expected. */
  readonly check: CheckSpec | null;
  /** Sentences for people: what the expected answers are, and what follows. */
  readonly reason: string;
  /** If equality says nothing: checks of form that every expected answer passes. */
  readonly forms: readonly FormCheck[];
}

type AnswerKind = 'tool-calls' | 'json-equal' | 'number' | 'text';

/** What the expected answers are, and when an answer equals one. */
const MEANINGS: Readonly<Record<Exclude<AnswerKind, 'text'>, string>> = {
  'tool-calls': 'The expected answers are tool calls: names and arguments have to be equal.',
  'json-equal': 'The expected answers are JSON: answers have to be equal as JSON.',
  number: 'The expected answers are numbers: the last number of an answer has to be equal.',
};
const FREE_TEXT = 'The expected answers are free text: exact match says nothing about them.';

/** Labels, as of a classifier: few, short, and repeated. */
const MAX_LABELS = 20;
const MAX_LABEL_CHARACTERS = 40;
const MIN_REPEATS = 3;

const toPattern = (pattern: string): CheckSpec => ({ ...DEFAULT_CHECK, kind: 'regex', expected: pattern });
const FORMS: readonly FormCheck[] = [
  { label: 'Not empty', spec: toPattern('\\S') },
  { label: 'Ends with a full sentence', spec: toPattern('[.!?…][\\s*_)"”]*$') },
];

function toKind(expected: string): AnswerKind {
  if (parseListedCalls(expected) !== null) return 'tool-calls';
  const json = parseAnswerJson(expected);
  if (json.ok && typeof json.value === 'object' && json.value !== null) return 'json-equal';
  return readOnlyNumber(expected) === null ? 'text' : 'number';
}

function areLabels(texts: readonly string[]): boolean {
  const labels = new Set(texts.map((text) => text.trim()));
  return (
    labels.size <= MAX_LABELS &&
    labels.size * MIN_REPEATS <= texts.length &&
    [...labels].every((label) => label.length <= MAX_LABEL_CHARACTERS && !label.includes('\n'))
  );
}

/** The check that fits most rows. Rows of another kind are not checked by it. */
export function suggestChecks(rows: readonly PromptRow[]): CheckSuggestion {
  const texts = rows.flatMap(({ expected }) => (isExpected(expected) ? [expected] : []));
  if (texts.length === 0) return { check: null, reason: 'The rows have no expected answers.', forms: [] };
  const counts = { 'tool-calls': 0, 'json-equal': 0, number: 0, text: 0 };
  for (const text of texts) counts[toKind(text)] += 1;
  for (const kind of ['tool-calls', 'json-equal', 'number'] as const) {
    if (counts[kind] * 2 < texts.length) continue;
    const others = texts.length - counts[kind];
    const rest = others === 0 ? '' : ` ${others === 1 ? '1 other is' : `${others} others are`} not checked.`;
    return { check: { ...DEFAULT_CHECK, kind }, reason: MEANINGS[kind] + rest, forms: [] };
  }
  if (areLabels(texts))
    return { check: DEFAULT_CHECK, reason: 'The expected answers are labels: answers have to be equal.', forms: [] };
  const forms = FORMS.filter(({ spec }) => {
    const check = openCheck(spec);
    return texts.every((text) => check(text, null).state === 'pass');
  });
  return { check: null, reason: FREE_TEXT, forms };
}
