import { expect, it } from 'vitest';
import { reduceWatch, type Answer, type Watch } from './watchStore.ts';

const fold = (answers: readonly Answer[]) => answers.reduce<Watch | null>(reduceWatch, null);
const processing = (at: number): Answer => ({ status: 'processing', at });

it('starts at the first answer and counts each later one', () => {
  expect(fold([processing(1000), processing(2000), processing(4500)])).toEqual({ since: 1000, polls: 3, lastAt: 4500 });
});

it('counts a repeated answer once, and keeps the identity of the watch', () => {
  const watch = fold([processing(1000)]);
  expect(reduceWatch(watch, processing(1000))).toBe(watch);
});

it('ends with any other status, and starts again', () => {
  for (const status of ['completed', 'failed', 'awaiting_quota'])
    expect(fold([processing(1), { status, at: 2 }])).toBeNull();
  expect(fold([processing(1), { status: 'failed', at: 2 }, processing(3)])).toEqual({ since: 3, polls: 1, lastAt: 3 });
});
