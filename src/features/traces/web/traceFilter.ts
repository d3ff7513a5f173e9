// Which traces are shown, in what order, as the address says; and what is said of a trace. Pure.
import { GOOD_SCORE, TRACE_LIMITS, type Band } from '#features/traces/shared/traceLimits.ts';
import type { Trace } from '#features/traces/shared/traces.ts';

export interface TraceFilter {
  /** Empty: all. */
  readonly band: Band | '';
  readonly model: string;
  readonly search: string;
  readonly sort: (typeof SORT_OPTIONS)[number]['value'];
}

export const NO_FILTER: TraceFilter = { band: '', model: '', search: '', sort: 'createdAt-desc' };

export const BAND_OPTIONS = [
  { value: '', label: 'any score' },
  { value: 'unscored', label: 'no score yet' },
  { value: 'weak', label: `weak: below ${GOOD_SCORE}` },
  { value: 'good', label: `good: ${GOOD_SCORE} or more` },
] as const;

export const SORT_OPTIONS = [
  { value: 'createdAt-desc', label: 'newest first' },
  { value: 'createdAt-asc', label: 'oldest first' },
  { value: 'score-asc', label: 'lowest score first' },
  { value: 'score-desc', label: 'highest score first' },
] as const;

/** The text in the address; empty: nothing is filtered. */
export function toFilterText(filter: TraceFilter): string {
  const given = Object.entries(filter).filter(([name, value]) => value !== NO_FILTER[name as keyof TraceFilter]);
  return new URLSearchParams(given as [string, string][]).toString();
}

/** What a link does not say, or says wrong, is not filtered. */
export function parseFilter(text: string | null): TraceFilter {
  const given = new URLSearchParams(text ?? '');
  const band = BAND_OPTIONS.find(({ value }) => value === given.get('band'));
  const sort = SORT_OPTIONS.find(({ value }) => value === given.get('sort'));
  return {
    band: band?.value ?? '',
    model: given.get('model') ?? '',
    search: (given.get('search') ?? '').slice(0, TRACE_LIMITS.search),
    sort: sort?.value ?? NO_FILTER.sort,
  };
}

export const isFiltered = ({ band, model, search }: TraceFilter): boolean =>
  band !== '' || model !== '' || search !== '';

/** A dataset that a trace can become a row of: its id and name. */
export interface DatasetChoice {
  readonly value: string;
  readonly label: string;
}

/** Keys and what they give. */
export const SCORE_KEYS = [
  { key: '1', score: 0, label: 'bad' },
  { key: '2', score: 0.25, label: 'poor' },
  { key: '3', score: 0.5, label: 'so-so' },
  { key: '4', score: 0.8, label: 'good' },
  { key: '5', score: 1, label: 'perfect' },
] as const;

export const toScoreText = (score: number | null): string =>
  score === null ? 'none' : String(Math.round(score * 100) / 100);

/** What became of a trace for a dataset, in a few words; empty: nothing yet. */
export function toStateWords({ addedToDataset, processingStatus, reason }: Trace): string {
  if (addedToDataset) return 'in a dataset';
  if (processingStatus === 'processing') return 'being corrected';
  return processingStatus === 'failed' || reason !== null ? 'not added' : '';
}
