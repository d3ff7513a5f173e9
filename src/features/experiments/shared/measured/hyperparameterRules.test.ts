import { describe, expect, it } from 'vitest';
import {
  RATE_EXPONENTS,
  toBatchSize,
  toEpochs,
  toLearningRate,
  toSignificant,
  toSteps,
} from './hyperparameterRules.ts';

describe('epochs (OpenAI cookbook, capped at 10)', () => {
  it.each([
    [1, 10],
    [10, 10],
    [20, 5],
    [33, 3],
    [34, 3],
    [1200, 3],
    [8333, 3],
    [8334, 2],
    [20_000, 1],
    [1_000_000, 1],
  ])('%i rows -> %i', (rows, epochs) => expect(toEpochs(rows)).toBe(epochs));
});

describe('batch size', () => {
  it.each([
    // rows, epochs, LoRA, full
    [1, 10, 1, 1],
    [50, 3, 1, 1],
    [200, 3, 4, 4],
    [1200, 3, 16, 32],
    [2200, 3, 16, 64],
    [100_000, 1, 16, 128],
  ])('%i rows x %i epochs -> LoRA %i, full %i', (rows, epochs, lora, full) => {
    expect(toBatchSize(rows, epochs, true)).toBe(lora);
    expect(toBatchSize(rows, epochs, false)).toBe(full);
  });

  it('gives the steps of the worked example', () => {
    expect(toSteps(1200, 3, 16)).toBe(225);
    expect(toSteps(1200, 3, 32)).toBe(113);
  });
});

describe("learning rate (Tinker's formula at its own batch of 128)", () => {
  const rate = (hidden_size: number, exponent: number, isLora: boolean, batch_size = 128) =>
    toSignificant(toLearningRate({ hidden_size, exponent, isLora, batch_size }));

  it('agrees with the published figures', () => {
    expect(rate(4096, RATE_EXPONENTS.llama, true)).toBe(2.86e-4);
    expect(rate(8192, RATE_EXPONENTS.llama, true)).toBe(1.66e-4);
    expect(rate(4096, RATE_EXPONENTS.qwen, true)).toBe(4.73e-4);
    expect(rate(4096, RATE_EXPONENTS.llama, false)).toBe(2.86e-5);
  });

  it('falls with the square root of the batch', () => {
    expect(rate(4096, RATE_EXPONENTS.llama, true, 32)).toBe(1.43e-4);
  });
});

it('rounds to significant digits without binary dust', () => {
  expect(String(toSignificant(0.00028599999))).toBe('0.000286');
  expect(String(toSignificant(0.006 / 3))).toBe('0.002');
  expect(String(toSignificant(0.006 * 3))).toBe('0.018');
});
