// Which rows of a run are shown, as one text of the address. Pure.
import type { AnswersQuery } from '#features/evaluation/shared/contract/evaluationRuns.ts';

export type RowKind =
  | 'all'
  | 'changed'
  | 'regressed'
  | 'improved'
  | 'fail'
  | 'pass'
  | 'not_checked'
  | 'error'
  | 'differ';

export interface AnswerFilter {
  readonly kind: RowKind;
  /** Whose answers `kind` is about; null: any model. */
  readonly model: string | null;
  readonly tag: string | null;
  /** Of `tag`. */
  readonly value: string | null;
  readonly search: string;
  /** Page, from 0. */
  readonly page: number;
}

const KINDS: readonly RowKind[] = [
  'all',
  'changed',
  'regressed',
  'improved',
  'fail',
  'pass',
  'not_checked',
  'error',
  'differ',
];
export const ALL_ROWS: AnswerFilter = { kind: 'all', model: null, tag: null, value: null, search: '', page: 0 };
/** Of more, the layout of one page takes longer than 50 ms. */
export const PAGE_ROWS = 25;

/** Whether it compares a model with the baseline. */
export const isChangeKind = (kind: RowKind): boolean =>
  kind === 'changed' || kind === 'regressed' || kind === 'improved';

/** Damaged parts count as absent. */
export function parseAnswerFilter(text: string | null): AnswerFilter {
  const given = new URLSearchParams(text ?? '');
  const page = Number(given.get('page') ?? 0);
  return {
    kind: KINDS.find((kind) => kind === given.get('rows')) ?? 'all',
    model: given.get('model'),
    tag: given.get('tag'),
    value: given.get('value'),
    search: given.get('search') ?? '',
    page: Number.isSafeInteger(page) && page > 0 ? page : 0,
  };
}

/** null: all rows. */
export function toAnswerFilterText({ kind, model, tag, value, search, page }: AnswerFilter): string | null {
  const fields = {
    rows: kind === 'all' ? null : kind,
    model,
    tag,
    value,
    search,
    page: page === 0 ? null : String(page),
  };
  const given = Object.entries(fields).filter(
    (field): field is [string, string] => field[1] !== null && field[1] !== '',
  );
  return given.length === 0 ? null : new URLSearchParams(given).toString();
}

export function toAnswersQuery({ kind, model, tag, value, search, page }: AnswerFilter): AnswersQuery {
  const isChange = isChangeKind(kind);
  return {
    offset: String(page * PAGE_ROWS),
    limit: String(PAGE_ROWS),
    ...(model !== null && { model }),
    ...(isChange ? { change: kind } : kind === 'all' ? {} : { outcome: kind }),
    ...(tag !== null && value !== null && { tag, value }),
    ...(search !== '' && { search }),
  } as unknown as AnswersQuery;
}
