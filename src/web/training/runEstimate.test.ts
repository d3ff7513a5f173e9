import { expect, it } from 'vitest';
import {
  findShortages,
  toCutText,
  toEstimateText,
  toFormulas,
  toFreeText,
  toRunEstimate,
  toWholeTime,
} from './runEstimate.ts';
import type { RunRow } from './runRows.ts';

const ROW: RunRow = { id: 1, isOn: true, base: 'a', type: 'full', epochs: 3, batch: 8, rate: 0.001, from: null };
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
const TEXT = { characters: 250_000, longest: 500, bins: BINS };

it('an estimate grows with the epochs, and needs fewer steps with a larger batch', () => {
  const one = toRunEstimate({ ...ROW, epochs: 1 }, BASE, TEXT);
  const three = toRunEstimate(ROW, BASE, TEXT);
  expect(three?.tokens.value).toBe(300_000);
  expect(one && three && three.steps.value / one.steps.value).toBe(3);
  const large = toRunEstimate({ ...ROW, batch: 16 }, BASE, TEXT);
  expect(large && three && large.steps.value).toBeLessThan(three?.steps.value ?? 0);
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
    'About 3 rows are longer than the 512 tokens that a reads. They are cut there.',
  );
  expect(toCutText(BASE, { ...TEXT, longest: 1_400, bins: [] })).toMatch(/^The longest rows are longer/);
});
