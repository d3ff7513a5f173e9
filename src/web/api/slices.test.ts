import { expect, it } from 'vitest';
import { runInSlices } from './slices.ts';

function* count(to: number, seen: number[]): Generator<undefined, string> {
  for (let step = 0; step < to; step += 1) {
    seen.push(step);
    yield undefined;
  }
  return 'done';
}

it('lets others in whenever a slice is full', async () => {
  let time = 0;
  const seen: number[] = [];
  const done = runInSlices(count(20, seen), () => (time += 8));
  const before = seen.length;
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(20);
  expect(await done).toBe('done');
  expect(seen).toHaveLength(20);
});

it('does short work at once', async () => {
  const seen: number[] = [];
  const done = runInSlices(count(20, seen), () => 0);
  expect(seen).toHaveLength(20);
  expect(await done).toBe('done');
});

it('passes a failure on', async () => {
  function* fail(): Generator<undefined, never> {
    yield undefined;
    throw new SyntaxError('no JSON');
  }
  let time = 0;
  await expect(runInSlices(fail(), () => (time += 50))).rejects.toThrow('no JSON');
});
