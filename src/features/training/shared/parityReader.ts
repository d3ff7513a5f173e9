// Reads what an export lost, and says when a model must not be called the best. Without the schemas, which pages don't load.
import { arrayOr, isObject, numberOr, textOr, type JsonObject } from '#core/contract/reading.ts';
import type { ExportParity } from '#core/contract/exportParity.ts';

type FormatParity = ExportParity['formats'][number];

function toFormat(value: JsonObject): FormatParity[] {
  const format = textOr(value['format'], '');
  const share = (name: string): number => numberOr(value[name], Number.NaN);
  const read = {
    format,
    is_served: value['is_served'] === true,
    equal: share('equal'),
    exact_match: share('exact_match'),
    lost: share('lost'),
    lost_from: share('lost_from'),
    lost_to: share('lost_to'),
    is_refused: value['is_refused'] === true,
  };
  if (format === '' || Object.values(read).some((part) => Number.isNaN(part))) return [];
  const first = value['first_difference'];
  const text = (name: string): string => (isObject(first) ? textOr(first[name], '') : '');
  const first_difference = isObject(first)
    ? { prompt: text('prompt'), at: numberOr(first['at'], 0), before: text('before'), after: text('after') }
    : null;
  return [{ ...read, first_difference }];
}

/** null: not measured, or not to be read. A format without all of its figures is left out. */
export function readParity(value: unknown): ExportParity | null {
  if (!isObject(value)) return null;
  const prompts = numberOr(value['prompts'], 0);
  const exact_match = numberOr(value['exact_match'], null);
  if (prompts <= 0 || exact_match === null) return null;
  return { prompts, exact_match, formats: arrayOr(value['formats']).filter(isObject).flatMap(toFormat) };
}

/** Why the model that is served must not be called the best; null: it may, or nothing is known. */
export function findRefusal(parity: ExportParity | null | undefined): string | null {
  const served = parity?.formats.find(({ is_served, is_refused }) => is_served && is_refused);
  if (!parity || !served) return null;
  const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`;
  return (
    `Its file answers worse than the training did: ${percent(served.exact_match)} of ${parity.prompts} answers to validation rows ` +
    `are right, and ${percent(parity.exact_match)} were before the export.`
  );
}
