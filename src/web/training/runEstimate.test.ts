import { expect, it } from 'vitest';
import { toEstimateText, toFormulas, toRunEstimate, toWholeTime } from './runEstimate.ts';
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
};
const TEXT = { characters: 250_000, longest: 500 };

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
  const measured = toRunEstimate(ROW, { ...BASE, operations_per_second: 1e9 }, TEXT);
  expect(measured?.seconds.value).toBeGreaterThan(full?.seconds.value ?? Infinity);
  expect(measured?.seconds.formula).toContain('from finished runs here');
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
  expect(toFormulas(estimate).map(([name]) => name)).toEqual(['Tokens', 'Steps', 'Seconds', 'Bytes of memory']);
  expect(toWholeTime([estimate, estimate])).toBeCloseTo(estimate.seconds.value * 2000);
});
