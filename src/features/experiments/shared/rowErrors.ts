// Whether the errors of a run come from few labels or few rows. Pure.
import type { RowErrors } from '#core/contract/rowErrors.ts';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { isObject, parseJson } from '#core/contract/readJson.ts';
import { adjustByHolm, toGroupP } from '#features/evaluation/shared/pairedTest.ts';
import { isFixedSet, type RowAnswer } from '#features/datasets/shared/answerShape.ts';

/** Values by the name of their field; null: the whole answer is one. */
export type RowLabels = ReadonlyMap<string | null, string>;

export interface MeasuredRow {
  readonly position: number;
  readonly isRight: boolean;
  readonly labels: RowLabels;
}

/** Of fewer errors nothing is said: which rows they are in is soon seen. */
const LEAST_WRONG = 3;
/** As many labels as a sentence names. */
const MOST_LABELS = 3;
const SIGNIFICANT = 0.05;
/** Longer texts are no labels. */
const LABEL_CHARACTERS = 80;
/** "Nearly all": of eleven runs one may have a row right. */
const NEARLY_ALL = 0.9;

const toScalar = (value: unknown): string | null =>
  typeof value === 'string' ? value.trim() : typeof value === 'object' || value === undefined ? null : String(value);

/** What tells the answers of a dataset apart: the fields of JSON, or a short answer as a whole. */
export function toRowLabels({ text, hasToolCall }: RowAnswer): RowLabels {
  if (hasToolCall) return new Map();
  const value = text.trimStart().startsWith('{') ? parseJson(text) : undefined;
  const fields = isObject(value) ? Object.entries(value) : [[null, text] as const];
  return new Map(
    fields.flatMap(([field, each]) => {
      const label = toScalar(each);
      return label === null || label === '' || label.length > LABEL_CHARACTERS ? [] : [[field, label] as const];
    }),
  );
}

interface Group {
  readonly field: string | null;
  readonly value: string;
  readonly rows: number;
  readonly wrong: number;
}

const sizeOf = (groups: readonly Group[]): number => groups.reduce((sum, { rows }) => sum + rows, 0);

export interface ErrorLabels {
  readonly field: string | null;
  readonly values: readonly Group[];
  readonly kinds: number;
  /** All of the wrong rows. */
  readonly positions: readonly number[];
}

/** The labels of all fields whose values are a fixed set. */
function toGroups(rows: readonly MeasuredRow[]): readonly Group[] {
  const fields = new Map<string | null, Map<string, Group>>();
  for (const { labels, isRight } of rows)
    for (const [field, value] of labels) {
      const groups = fields.get(field) ?? new Map<string, Group>();
      fields.set(field, groups);
      const { rows = 0, wrong = 0 } = groups.get(value) ?? {};
      groups.set(value, { field, value, rows: rows + 1, wrong: wrong + (isRight ? 0 : 1) });
    }
  const isLabelled = (groups: readonly Group[]): boolean =>
    groups.length > 1 && isFixedSet(groups.length, sizeOf(groups));
  return [...fields.values()]
    .map((groups) => Array.from(groups.values()))
    .filter(isLabelled)
    .flat();
}

/** Enough of a field's labels for more than half of the errors, or null if it takes more than a sentence names. */
function pickMost(groups: readonly Group[], wrong: number): readonly Group[] | null {
  const picked: Group[] = [];
  let held = 0;
  for (const group of groups.toSorted((a, b) => b.wrong - a.wrong).slice(0, MOST_LABELS)) {
    picked.push(group);
    held += group.wrong;
    if (held * 2 > wrong) return picked;
  }
  return null;
}

/**
 * The labels, at most three of one field, that hold more than half of the errors, each with more of them than chance gives
 * (adjusted for all labels, Holm). Of several such fields the one with the fewest rows. null: the errors are spread, or too few
 * to say.
 */
export function findErrorLabels(rows: readonly MeasuredRow[]): ErrorLabels | null {
  const wrong = rows.filter(({ isRight }) => !isRight);
  if (wrong.length < LEAST_WRONG) return null;
  const groups = toGroups(rows);
  const adjusted = adjustByHolm(groups.map((group) => toGroupP(rows.length, wrong.length, group.rows, group.wrong)));
  const clear = groups.filter((group, at) => group.wrong >= LEAST_WRONG && (adjusted[at] ?? 1) < SIGNIFICANT);
  const found = [...new Set(clear.map(({ field }) => field))].flatMap((field) => {
    const picked = pickMost(
      clear.filter((group) => group.field === field),
      wrong.length,
    );
    return picked === null ? [] : [picked];
  });
  const [best] = found.toSorted((a, b) => sizeOf(a) - sizeOf(b));
  const field = best?.[0]?.field;
  if (best === undefined || field === undefined) return null;
  const isIn = ({ labels }: MeasuredRow): boolean => best.some(({ value }) => value === labels.get(field));
  return {
    field,
    values: best,
    kinds: groups.filter((group) => group.field === field).length,
    positions: wrong.filter(isIn).map(({ position }) => position),
  };
}

export interface SharedErrors {
  readonly runs: number;
  readonly least: number;
  readonly positions: readonly number[];
}

/**
 * The errors of the first run that (nearly) all others make too. `right`: of each run whether each row is right, null where it
 * was not measured. null: they are no more than half of its errors, no more than chance gives, or there are fewer than three
 * runs.
 */
export function findSharedErrors(
  positions: readonly number[],
  right: readonly (readonly (boolean | null)[])[],
): SharedErrors | null {
  const [own = [], ...others] = right;
  if (others.length < 2) return null;
  const least = Math.ceil(others.length * NEARLY_ALL);
  const known = [...positions.keys()].filter((at) => right.every((run) => typeof run[at] === 'boolean'));
  const isShared = (at: number): boolean => others.filter((run) => run[at] === false).length >= least;
  const wrong = known.filter((at) => own[at] === false);
  const both = wrong.filter(isShared);
  if (both.length < LEAST_WRONG || both.length * 2 <= wrong.length) return null;
  if (toGroupP(known.length, wrong.length, known.filter(isShared).length, both.length) >= SIGNIFICANT) return null;
  return { runs: right.length, least: least + 1, positions: both.flatMap((at) => positions[at] ?? []) };
}

/** The first rows that a link may name. */
export const toNamed = (positions: readonly number[]): number[] => positions.slice(0, DATA_LIMITS.placed);

/** It is not known which rows are right. */
export const NO_ROW_ERRORS: RowErrors = { rows: null, wrong: 0, labels: null, shared: null };
