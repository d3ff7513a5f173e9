import { expect, it } from 'vitest';
import { toLossChoice } from './lossSeries';
import { toTestRow } from './testRows';

const rows = Array.from({ length: 12 }, (_, n) => toTestRow(`r${n}`, { losses: n === 0 ? [] : [{ step: 0, loss: n }] }));

it('draws the selected ones in their colours, else the first that have losses', () => {
  const first = toLossChoice(rows, new Map());
  expect(first.rows.map(({ id }) => id)).toEqual(['r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7', 'r8']);
  expect(first.seriesOf(rows[3]!)).toBe(2);
  expect(first.note).toContain('8 of 11');
  const chosen = toLossChoice(rows, new Map([['r0', 0], ['r9', 1]]));
  expect(chosen.rows.map(({ id }) => id)).toEqual(['r9']);
  expect(chosen.seriesOf(rows[9]!)).toBe(1);
});

it('says when more are selected than drawn', () => {
  expect(toLossChoice(rows, new Map(rows.map(({ id }, place) => [id, place]))).note).toContain('8 of 11 selected');
  expect(toLossChoice(rows.slice(0, 1), new Map())).toMatchObject({ rows: [], note: null });
});
