import { expect, it } from 'vitest';
import { parseEntry, toGridTitle, toRateTexts } from './gridEntry.ts';

const ENTRY = {
  name: '',
  rows: 200,
  columns: ['tuned', 'base'],
  source: 'Ticket triage · Snapshot 1',
  isReadable: true,
};

it.each([
  [{}, 'Ticket triage · Snapshot 1 · 200 rows'],
  [{ name: 'Nightly' }, 'Nightly'],
  [{ source: '' }, 'tuned, base · 200 rows'],
  [{ source: '', columns: [] }, '200 rows'],
  [{ rows: 0 }, 'Empty grid'],
  [{ isReadable: false }, 'A grid that can’t be read'],
])('a grid with %j is called %s', (change, title) => expect(toGridTitle({ ...ENTRY, ...change })).toBe(title));

it('pass rates are told with their sampling, and come back from storage', () => {
  const rates = [
    { passed: 198, total: 200, sampling: 'greedy' },
    { passed: 0, total: 0, sampling: 'default temperature' },
  ];
  const entry = parseEntry({ ...ENTRY, rates });
  expect([entry?.rates, entry?.source]).toEqual([rates, ENTRY.source]);
  expect(toRateTexts({ columns: ENTRY.columns, rates })).toEqual([
    'tuned: 99 % (96.4–99.7) of 200 checked answers passed, greedy',
  ]);
  expect(parseEntry({})).toMatchObject({ rates: [], source: '' });
});
