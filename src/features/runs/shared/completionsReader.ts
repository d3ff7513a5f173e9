// Reads completions from any service: missing fields are null or empty, further fields are ignored.
import { arrayOr, failRead, isObject, numberOr, textOr, type Read } from '#core/contract/reading.ts';
import { ROUTES } from '#core/contract/routes.ts';
import type { CompletionList, CompletionRow } from './completions.ts';

type Value = CompletionRow['values'][number];

const SPECIAL: ReadonlySet<unknown> = new Set(['NaN', 'Infinity', '-Infinity']);

const toValue = (value: unknown): Value => (typeof value === 'number' || SPECIAL.has(value) ? (value as Value) : null);

const toTexts = (value: unknown): string[] => arrayOr(value).filter((entry) => typeof entry === 'string');

/** Fails only if the answer is no object, or has no rows. */
export function readCompletions(body: unknown): Read<CompletionList> {
  if (!isObject(body)) return failRead('the answer is not an object');
  if (!Array.isArray(body['rows'])) return failRead('the answer has no rows');
  const offset = numberOr(body['offset'], 0);
  const rows = body['rows'].filter(isObject).map((row, at): CompletionRow => ({
    row: numberOr(row['row'], offset + at),
    prompt: textOr(row['prompt'], null),
    completion: textOr(row['completion'], null),
    is_cut: row['is_cut'] === true,
    values: arrayOr(row['values']).map(toValue),
  }));
  return {
    ok: true,
    value: {
      step: numberOr(body['step'], null),
      file: textOr(body['file'], ''),
      measures: toTexts(body['measures']),
      left_out: toTexts(body['left_out']),
      total: numberOr(body['total'], rows.length),
      found: numberOr(body['found'], rows.length),
      offset,
      rows,
    },
  };
}

/** The address of a question; what is absent or empty is left out. */
export function completionsPath(
  runId: string,
  question: {
    readonly step: number | null;
    readonly search: string;
    readonly offset: number;
    readonly sort: string | null;
  },
): string {
  const given = Object.entries(question).filter(([, value]) => value !== null && value !== '' && value !== 0);
  // Step 0 is a step.
  if (question.step === 0) given.push(['step', 0]);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const path = ROUTES.completions.replace('{runId}', encodeURIComponent(runId));
  return query === '' ? path : `${path}?${query}`;
}
