import { describe, expect, it } from 'vitest';
import type { Statistics } from '#features/datasets/shared/contract/rows.ts';
import {
  findShortages,
  toCutText,
  toEstimateText,
  toFormulas,
  toFreeText,
  toRunEstimate,
  toTrainedText,
  toWholeTime,
} from './runEstimate.ts';
import type { RunRow } from './runRows.ts';

const ROW: RunRow = {
  id: 1,
  isOn: true,
  base: 'a',
  type: 'full',
  epochs: 3,
  batch: 8,
  rate: 0.001,
  chosen: {},
  from: null,
  refused: {},
};
const BASE = {
  id: 'a',
  refusal: null,
  shape: {
    layers: 4,
    width: 128,
    heads: 4,
    key_heads: 4,
    head_width: 32,
    inner_width: 384,
    vocabulary: 3000,
    context: 512,
    has_output: false,
  },
  operations_per_second: null,
  finished_runs: 0,
  file_bytes: 2_000_000,
};
const BINS = [
  { from: 0, count: 900 },
  { from: 1_300, count: 3 },
];
const TEXT = { rows: 1_000, characters: 250_000, longest: 500, bins: BINS, counted: null };

it('an estimate grows with the epochs, and needs fewer steps with a larger batch', () => {
  const one = toRunEstimate({ ...ROW, epochs: 1 }, BASE, TEXT);
  const three = toRunEstimate(ROW, BASE, TEXT);
  expect(three?.tokens.value).toBe(300_000);
  expect(one && three && three.steps.value / one.steps.value).toBe(3);
  const large = toRunEstimate({ ...ROW, batch: 16 }, BASE, TEXT);
  expect(large && three && large.steps.value).toBeLessThan(three?.steps.value ?? 0);
});

it('rows that are cut to a chosen length take less, and no more is left than of all tokens', () => {
  const bins = [
    { from: 0, count: 500 },
    { from: 200, count: 500 },
  ];
  const text = { ...TEXT, bins, longest: 400 };
  const estimateOf = (max_length: number) => toRunEstimate({ ...ROW, chosen: { max_length } }, BASE, text);
  const whole = toRunEstimate(ROW, BASE, text);
  // 100 and 300 characters in the middle; 40 tokens are 100 characters.
  expect(estimateOf(40)?.tokens.value).toBe((whole?.tokens.value ?? 0) / 2);
  expect(estimateOf(40)?.seconds.value).toBeCloseTo((whole?.seconds.value ?? 0) / 2, 6);
  expect(estimateOf(40)?.tokens.formula).toContain('50 % is left of rows cut to 40 tokens');
  expect(estimateOf(40)?.memory.value).toBeLessThanOrEqual(whole?.memory.value ?? 0);
  expect(estimateOf(160)).toEqual(whole);
});

it('LoRA takes less memory; a machine that was measured is believed', () => {
  const full = toRunEstimate(ROW, BASE, TEXT);
  const lora = toRunEstimate({ ...ROW, type: 'lora' }, BASE, TEXT);
  expect(lora?.memory.value).toBeLessThan(full?.memory.value ?? 0);
  const measured = toRunEstimate(ROW, { ...BASE, operations_per_second: 1e9, finished_runs: 2 }, TEXT);
  expect(measured?.seconds.value).toBeGreaterThan(full?.seconds.value ?? Infinity);
  expect(measured?.seconds.formula).toContain('from 2 finished runs here');
});

it('what is not known is not guessed', () => {
  expect(toRunEstimate(ROW, { ...BASE, shape: null }, TEXT)).toBeNull();
  expect(toRunEstimate(ROW, undefined, TEXT)).toBeNull();
  expect(toRunEstimate(ROW, BASE, null)).toBeNull();
  expect(toRunEstimate({ ...ROW, rate: undefined }, BASE, TEXT)).toBeNull();
  expect(toWholeTime([toRunEstimate(ROW, BASE, TEXT), null])).toBeNull();
});

it('says all four in a line, and how each was computed', () => {
  const estimate = toRunEstimate(ROW, BASE, TEXT);
  if (estimate === null) throw new Error('no estimate');
  expect(toEstimateText(estimate)).toMatch(/^About \d+ steps, 300k tokens, .+, \d+ MB of memory$/);
  expect(toFormulas(estimate).map(([name]) => name)).toEqual(['Tokens', 'Steps', 'Time', 'Memory', 'Disk']);
  expect(toWholeTime([estimate, estimate])).toBeCloseTo(estimate.seconds.value * 2000);
});

it('shows the time by the formula beside that of own runs', () => {
  const measured = toRunEstimate(ROW, { ...BASE, operations_per_second: 1e9, finished_runs: 1 }, TEXT);
  const lines = new Map(measured ? toFormulas(measured) : []);
  expect(lines.get('Time')).toMatch(/ min .* one finished run here/);
  expect(lines.get('By formula alone')).toMatch(/not measured on this machine/);
});

it('says what there is too little of', () => {
  const estimate = toRunEstimate(ROW, BASE, TEXT);
  if (estimate === null) throw new Error('no estimate');
  expect(findShortages(estimate, null)).toEqual([]);
  expect(findShortages(estimate, { memory_free: 8e9, disk_free: 8e9 })).toEqual([]);
  const [memory, disk] = findShortages(estimate, { memory_free: 50e6, disk_free: 100e6 });
  expect(memory).toMatch(/^It needs \d+ MB of memory, and 50 MB are free\. /);
  expect(disk).toMatch(/^It needs 112 MB of disk, and 100 MB are free\. /);
  expect(toFreeText({ memory_free: 3.2e9, disk_free: 100e6 })).toBe('Free now: 3.2 GB of memory, 100 MB of disk.');
  expect(toFreeText(null)).toBe('');
});

it('counts the rows that are longer than the base model can read', () => {
  expect(toCutText(BASE, TEXT)).toBeNull();
  expect(toCutText(BASE, { ...TEXT, longest: 1_400 })).toBe(
    'About 3 training rows are longer than the 512 tokens that a reads, and cut there.',
  );
  expect(toCutText(BASE, { ...TEXT, longest: 1_400, bins: [] })).toMatch(/^The longest training rows are longer/);
});

describe('tokens that the base model’s own tokenizer counted', () => {
  const LENGTHS = { min: 10, median: 50, max: 700, total: 60_000, bins: [{ from: 0, to: 1_000, count: 500 }] };
  const STATISTICS: Statistics = {
    state: 'done',
    progress: 1,
    error: null,
    is_old: false,
    rows: 1_000,
    characters: { ...LENGTHS, total: 100_000 },
    tokens: {
      ...LENGTHS,
      model: 'a',
      context: 512,
      rows: 500,
      trained: 9_000,
      cut_rows: 20,
      cut_tokens: 10_000,
      untrained_rows: 2,
      compared_rows: 0,
      error: null,
    },
    messages: [],
    roles: [],
    tools: [],
    languages: [],
    tags: [],
    set_aside_count: 0,
    edited_count: 0,
  };

  it('are those of the training rows, cut to the context, for the model that they belong to', () => {
    // Half of the rows are counted, and nine tenths are for training.
    const text = toTrainedText(STATISTICS, 0.9);
    expect(text?.counted).toEqual({
      model: 'a',
      tokens: 90_000,
      longest: 700,
      cutRows: 36,
      leftOutRows: 4,
      comparedRows: 0,
      chatRows: 900,
      isExact: false,
    });
    const estimate = toRunEstimate({ ...ROW, epochs: 1 }, BASE, text);
    expect(estimate?.tokens).toMatchObject({
      value: 90_000,
      formula: expect.stringContaining('own tokenizer') as string,
    });
    expect(toCutText(BASE, text)).toBe(
      'About 36 training rows are longer than the 512 tokens that a reads, and cut there. ' +
        'About 4 training rows are left out, because nothing of them would be trained.',
    );
    const all = { ...STATISTICS, tokens: { ...STATISTICS.tokens!, rows: 1_000, cut_rows: 0, untrained_rows: 1 } };
    expect(toCutText(BASE, toTrainedText(all, 1))).toBe(
      '1 training row is left out, because nothing of it would be trained.',
    );
    const other = { ...BASE, id: 'b' };
    expect(toRunEstimate({ ...ROW, epochs: 1 }, other, text)?.tokens).toMatchObject({
      value: 36_000,
      formula: expect.stringContaining('2.5 characters') as string,
    });
  });

  it.each<[string, Partial<Statistics>]>([
    ['while they are counted', { state: 'running' }],
    ['of no model', { tokens: null }],
    ['that could not be counted', { tokens: { ...STATISTICS.tokens!, error: 'There is no file of it.' } }],
    ['of no row', { tokens: { ...STATISTICS.tokens!, rows: 0 } }],
  ])('are not those %s', (_name, change) => {
    expect(toTrainedText({ ...STATISTICS, ...change }, 0.9)?.counted).toBeNull();
  });

  const toText = (change: Partial<NonNullable<Statistics['tokens']>>) =>
    toTrainedText({ ...STATISTICS, tokens: { ...STATISTICS.tokens!, rows: 1_000, cut_rows: 0, ...change } }, 1);
  const toRow = (objective: 'dpo' | 'kto') => ({ ...ROW, epochs: 1, chosen: { objective } });

  it.each(['dpo', 'kto'] as const)('of rows for preferences are what %s trains, and none is left out', (objective) => {
    const text = toText({ compared_rows: 1_000, untrained_rows: 0 });
    expect(toRunEstimate(toRow(objective), BASE, text)?.tokens.value).toBe(50_000);
    expect(toCutText(BASE, text, objective)).toBeNull();
    // Supervised training takes none of them.
    expect(toRunEstimate(ROW, BASE, text)).toBeNull();
    expect(toCutText(BASE, text)).toMatch(/^1,000 training rows are left out/);
  });

  it('are not guessed where rows are of both kinds, and those of the other kind are left out', () => {
    const text = toText({ compared_rows: 400, untrained_rows: 0 });
    expect([toRunEstimate(ROW, BASE, text), toRunEstimate(toRow('dpo'), BASE, text)]).toEqual([null, null]);
    expect(toCutText(BASE, text)).toMatch(/^400 training rows are left out/);
    expect(toCutText(BASE, text, 'dpo')).toMatch(/^600 training rows are left out/);
  });

  it('that are none at all make no estimate, where the template refuses every row', () => {
    const text = toText({ total: 0, max: 0, cut_tokens: 0, untrained_rows: 1_000 });
    expect(toRunEstimate(ROW, BASE, text)).toBeNull();
    expect(toCutText(BASE, text)).toMatch(/^1,000 training rows are left out/);
  });

  it('a snapshot without rows has nothing to train on', () => {
    expect(toTrainedText({ ...STATISTICS, rows: 0 }, 1)).toBeNull();
  });
});
