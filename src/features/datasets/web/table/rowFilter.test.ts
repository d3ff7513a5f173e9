import { describe, expect, it } from 'vitest';
import {
  isFiltered,
  NO_FILTER,
  toAsideText,
  toCountText,
  toFindingLabel,
  toFindingTitle,
  toLengthText,
  toRowLength,
  toSelectAllText,
  toPages,
  toPlaced,
} from './rowFilter.ts';

it('an empty choice is no filter', () => {
  expect(isFiltered(NO_FILTER)).toBe(false);
  expect(isFiltered({ search: '', finding: '' })).toBe(false);
  expect(isFiltered({ side: 'training' })).toBe(true);
});

it('the rows of a link are a filter, without damaged places', () => {
  expect(toPlaced([])).toEqual({});
  expect(toPlaced(['x', '-1', '1e3', '12345678901'])).toEqual({});
  expect(toPlaced(['4', 'x', '17'])).toEqual({ positions: '4,17' });
  expect(toPlaced(Array.from({ length: 300 }, (_, at) => String(at))).positions?.split(',')).toHaveLength(200);
  const counts = { total: 30, found: 2, count: 2, searchedTo: null };
  expect(toCountText({ positions: '4,17', search: 'x' }, counts)).toBe('2 rows of 30: with x, those of the link');
});

it('places are on the pages that hold them', () => {
  expect(toPages(0, 20)).toEqual([0]);
  expect(toPages(190, 210)).toEqual([0, 200]);
  expect(toPages(199, 200)).toEqual([0]);
  expect(toPages(999_900, 1_000_000)).toEqual([999_800]);
  expect(toPages(0, 0)).toEqual([0]);
});

describe('what is said of the rows', () => {
  const all = { total: 12_480, found: null, count: 12_480, searchedTo: null };

  it('is how many there are, and how many a filter finds', () => {
    expect(toCountText(NO_FILTER, all)).toBe('12,480 rows');
    expect(toCountText(NO_FILTER, { ...all, total: null })).toBe('');
    expect(toCountText({ finding: 'contradiction', search: 'march' }, { ...all, found: 17, count: 17 })).toBe(
      '17 rows of 12,480: same question, other answer, with march',
    );
    expect(toCountText({ mark: 'set_aside', tag: 'check' }, { ...all, found: 1, count: 1 })).toBe(
      '1 row of 12,480: set aside, tag check',
    );
  });

  it('counts the rows of a snapshot without those that were set aside', () => {
    const snapshot = { size: 12_400, aside: 0 };
    expect(toCountText(NO_FILTER, all, snapshot)).toBe('12,400 of 12,480 rows are used');
    expect(toCountText(NO_FILTER, all, { size: 12_480, aside: 0 })).toBe('12,480 rows');
    expect(toCountText({ search: 'x' }, { ...all, found: 2 }, snapshot)).toBe('2 rows of 12,400: with x');
  });

  it('counts the rows of a dataset that are not set aside', () => {
    expect(toCountText(NO_FILTER, all, { size: null, aside: 80 })).toBe('12,400 of 12,480 rows are used');
    expect(toCountText({ search: 'x' }, { ...all, found: 2 }, { size: null, aside: 80 })).toBe(
      '2 rows of 12,480: with x',
    );
  });

  it('is how far a search is', () => {
    expect(toCountText({ search: 'x' }, { ...all, count: 3, searchedTo: 5000 })).toBe(
      '3 rows so far, searched 5,000 of 12,480: with x',
    );
  });
});

it.each([
  [999, '999'],
  [1000, '1.0 k'],
  [12_499, '12 k'],
  [2_000_000, '2,000 k'],
])('%d characters are %s', (characters, text) => expect(toLengthText(characters)).toBe(text));

it('a finding that is not known keeps its name', () => {
  expect(toFindingLabel('leak')).toBe('in training and validation');
  expect(toFindingLabel('odd_thing')).toBe('odd thing');
  expect([toFindingTitle('duplicate'), toFindingTitle('odd_thing')]).toEqual(['Exact duplicate', 'odd thing']);
});

it('all rows of a filter are chosen, as many as one change takes', () => {
  expect([30, 10_001, null].map(toSelectAllText)).toEqual([
    'Select all 30',
    'Select the first 10,000 of 10,001',
    'Select all, at most 10,000',
  ]);
});

it('a button that takes only the first copies says so', () => {
  expect(toAsideText(30, 30)).toBe('Set 30 of them aside');
  expect(toAsideText(10_000, 184_004)).toBe('Set the first 10,000 of 184,004 aside');
});

it('the length of a row is in tokens once they are counted', () => {
  expect(toRowLength({ tokens: 1200, characters: 5000 }, true)).toBe('1,200');
  expect(toRowLength({ tokens: null, characters: 5000 }, true)).toBe('–');
  expect(toRowLength({ tokens: 1200, characters: 5000 }, false)).toBe('5.0 k');
});
