import { expect, it } from 'vitest';
import { toCompareTable } from './comparison.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import { reduceFold, toFoldedRows, type Fold } from './rowFold.ts';

const extras = Array.from({ length: 20 }, (_, at) => ({ name: `f${at}`, kind: 'number' as const, value: at }));
const { rows } = toCompareTable([toTestCandidate('a', { extras }), toTestCandidate('b')], null, false);
const idOf = (name: string): string => rows.find(({ parameter }) => parameter.name === name)?.parameter.id ?? '';
const CLOSED: Fold = { isOpen: false, kept: null };

function split(
  fold: Fold,
  sorted: string | null,
): { readonly shown: readonly string[]; readonly more: readonly string[] } {
  const { shown, more } = toFoldedRows(rows, fold, sorted);
  return { shown: shown.map(({ parameter }) => parameter.name), more: more.map(({ parameter }) => parameter.name) };
}

it('folds all figures after the first few, except the one that orders the columns', () => {
  expect(split(CLOSED, null).shown.slice(-2)).toEqual(['f6', 'f7']);
  expect(split(CLOSED, null).shown).toContain('n_epochs');
  expect(split(CLOSED, idOf('f12')).shown.slice(-2)).toEqual(['f7', 'f12']);
});

it('keeps each row in place when another row orders the columns', () => {
  const opened = reduceFold(CLOSED, null);
  expect(split(opened, idOf('f12'))).toEqual(split(opened, null));
  const closed = reduceFold(opened, idOf('f12'));
  expect(split(closed, idOf('f12')).shown.at(-1)).toBe('f12');
  expect(split(closed, null)).toEqual(split(closed, idOf('f12')));
});
