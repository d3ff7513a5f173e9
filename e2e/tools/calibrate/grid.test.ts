import { expect, it } from 'vitest';
import { BATCHES, EPOCHS, GRID_SIZE, isOnGrid, RATES, toNext, toSettingsName, type Tried } from './grid.ts';

/** Searches with losses that a formula gives, as long as the grid lasts. */
function search(lora: boolean, toLoss: (rate: number, batch: number, epochs: number) => number | null): Tried[] {
  const tried: Tried[] = [];
  for (let next = toNext(lora, tried); next !== null; next = toNext(lora, tried)) {
    if (tried.length > GRID_SIZE) throw new Error('The search does not end.');
    tried.push({ settings: next, loss: toLoss(next.learning_rate, next.batch_size, next.n_epochs) });
  }
  return tried;
}

it.each([true, false])('tries each setting once (LoRA: %s)', (lora) => {
  const tried = search(lora, () => 1);
  expect(new Set(tried.map(({ settings }) => toSettingsName(settings))).size).toBe(tried.length);
  expect(tried.length).toBe(RATES.length * BATCHES.length * EPOCHS.length);
  expect(tried.every(({ settings }) => isOnGrid(settings))).toBe(true);
});

it.each([
  [3e-3, 4, 6],
  [3.75e-4, 2, 10],
  [2.4e-2, 8, 3],
])('finds the best at a rate of %d, batch %d, %d epochs long before the grid is used up', (rate, batch, epochs) => {
  const tried = search(
    false,
    (a, b, c) => Math.abs(Math.log(a / rate)) + Math.abs(Math.log(b / batch)) + Math.abs(Math.log(c / epochs)),
  );
  const at = tried.findIndex(({ loss }) => loss !== null && loss < 1e-9);
  expect(at).toBeGreaterThanOrEqual(0);
  expect(at).toBeLessThan(16);
});

it('leaves rates alone that diverged while others are better', () => {
  const tried = search(false, (rate) => (rate > 4e-3 ? null : 1 / rate));
  expect(tried.slice(0, 12).filter(({ loss }) => loss === null).length).toBeLessThanOrEqual(5);
});

it('goes on from what other rules have tried beside the grid', () => {
  const beside = { lora: false, learning_rate: 1.07e-4, batch_size: 8, n_epochs: 3 };
  expect(isOnGrid(beside)).toBe(false);
  expect(toNext(false, [{ settings: beside, loss: 0 }])).toMatchObject({ learning_rate: 3e-3, batch_size: 4 });
});
