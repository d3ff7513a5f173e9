import { expect, it } from 'vitest';
import { toColumns } from './columns.ts';
import { toTestRow } from './rows.fixture.ts';
import { groupSeeds, haveSeeds, toSeedsText, toSpread } from './seedGroups.ts';

const toRun = (id: string, rate: number, seed: number, exact_match: number | null) =>
  toTestRow(id, {
    learning_rate_multiplier: rate,
    chosen_settings: { seed, lora_rank: 4 },
    extra: { ended_at: id, optimizer: 'adamw' },
    answer_shape: 'json',
    held_out: exact_match === null ? {} : { exact_match },
  });
const ROWS = [
  toRun('a', 0.005, 1, 0.9),
  toRun('b', 0.005, 2, 0.8),
  toRun('c', 0.002, 1, 0.7),
  toRun('d', 0.005, 3, 0.94),
  toRun('e', 0.002, 2, 0.6),
];

it('runs that differ by their seed alone are one group, named by what tells it from the others', () => {
  const groups = groupSeeds(ROWS, toColumns(ROWS), []);
  expect(groups.map(({ value, rows }) => [value, rows.map(({ id }) => id)])).toEqual([
    ['rate 5e-3', ['a', 'b', 'd']],
    ['rate 2e-3', ['c', 'e']],
  ]);
  expect(groupSeeds(ROWS.slice(0, 2), toColumns(ROWS), [])).toMatchObject([
    { value: 'base, LoRA, 3 epochs, batch 8, rate 5e-3, LoRA rank 4' },
  ]);
});

it('groups of seeds stand in the order of their means, and each is sorted', () => {
  const columns = toColumns(ROWS);
  const id = columns.find(({ label }) => label === 'Exact match')?.id ?? '';
  const idsOf = (desc: boolean) =>
    groupSeeds(ROWS, columns, [{ id, desc }]).map(({ rows }) => rows.map((row) => row.id).join(''));
  expect(idsOf(true)).toEqual(['dab', 'ce']);
  expect(idsOf(false)).toEqual(['ec', 'bad']);
});

it.each([
  ['another seed', [ROWS[0]!, ROWS[1]!], true],
  ['another rate', [ROWS[0]!, ROWS[2]!], false],
  ['the same seed twice', [ROWS[0]!, { ...ROWS[0]!, id: 'x' }], false],
  ['another snapshot', [ROWS[0]!, { ...ROWS[1]!, snapshot_id: 't' }], false],
  ['another rank', [ROWS[0]!, { ...ROWS[1]!, chosen_settings: { seed: 2, lora_rank: 8 } }], false],
  [
    'nothing chosen but the seed',
    [
      toTestRow('plain', { chosen_settings: {}, extra: { seed: 7, lora_rank: 8 } }),
      toTestRow('other', { chosen_settings: { seed: 1 }, extra: { seed: 1, lora_rank: 8 } }),
    ],
    true,
  ],
  [
    'what a folder of runs says',
    [1, 2].map((seed) => toTestRow(String(seed), { extra: { seed, optimizer: 'adamw' } })),
    true,
  ],
])('runs have seeds with %s: %s', (_, rows, expected) => {
  expect(haveSeeds(rows)).toBe(expected);
});

it('the spread is of runs that were measured on the same rows', () => {
  const spread = toSpread(ROWS.filter(({ learning_rate_multiplier }) => learning_rate_multiplier === 0.005));
  expect(spread).toMatchObject({ count: 3, mean: 0.88, min: 0.8, max: 0.94 });
  expect(toSpread(ROWS.slice(0, 1))).toBeNull();
  expect(toSpread([ROWS[0]!, toRun('f', 0.005, 4, null)])).toBeNull();
  expect(toSpread([ROWS[0]!, { ...ROWS[1]!, status: 'failed' }])).toBeNull();
  expect(toSpread([ROWS[0]!, { ...ROWS[1]!, snapshot_id: 't' }])).toBeNull();
});

it('the best run says how its seeds spread', () => {
  expect(toSeedsText(ROWS[3]!, ROWS)).toBe('3 seeds: mean 88 %, 80 % to 94 %');
  expect(toSeedsText(ROWS[0]!, ROWS.slice(0, 1))).toBeNull();
  const again = { ...ROWS[0]!, id: 'again' };
  expect(toSeedsText(ROWS[0]!, [ROWS[0]!, again, toRun('f', 0.005, 2, null)])).toBeNull();
  expect(toSeedsText(ROWS[3]!, [...ROWS, again])).toMatch(/^3 seeds/);
});
