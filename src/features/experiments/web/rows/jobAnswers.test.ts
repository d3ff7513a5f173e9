import { describe, expect, it } from 'vitest';
import type { ReadJob } from '#core/contract/jobReader.ts';
import { toRequestedIds, toJobAnswers, type JobState } from './jobAnswers.ts';

const job = (id: string): ReadJob => ({
  id,
  name: null,
  snapshot_id: null,
  answer_shape: null,
  main_measure: null,
  launcher: null,
  halving: null,
  status: 'completed',
  experiments: [],
  extra: {},
});
const state = (id: string, answer: ReadJob | null | undefined, error: Error | null = null): JobState => ({
  id,
  answer,
  error,
});
const ids = ['a', 'b', 'c', 'd', 'e', 'f'];

describe('toRequestedIds', () => {
  const many = Array.from({ length: 101 }, (_, n) => `${n}`);

  it('requests a few first, from the start, the middle and the end', () => {
    expect(toRequestedIds(many, [])).toEqual(['0', '20', '40', '60', '80', '100']);
    expect(toRequestedIds(many, [state('0', null), state('20', undefined)])).toHaveLength(6);
    expect(toRequestedIds(ids, [])).toEqual(ids);
  });

  it('requests all once the service shows one or one fails', () => {
    expect(toRequestedIds(many, [state('0', null), state('80', job('80'))])).toEqual(many);
    expect(toRequestedIds(many, [state('0', undefined, new Error('500'))])).toEqual(many);
  });
});

describe('toJobAnswers', () => {
  it('tells pending, failed and answered apart', () => {
    const error = new Error('500');
    const answers = toJobAnswers([
      state('a', job('a')),
      state('b', undefined),
      state('c', undefined, error),
      state('d', null),
    ]);
    expect([...answers.byId.keys()]).toEqual(['a', 'd']);
    expect([...answers.pending]).toEqual(['b']);
    expect(answers).toMatchObject({ requested: 4, failed: 1, error, isHidden: false });
  });

  it('keeps an older answer when a repeated request fails', () => {
    expect(toJobAnswers([state('a', job('a'), new Error('500'))])).toMatchObject({ failed: 0, requested: 1 });
  });

  it('is hidden only if the service hides every job', () => {
    expect(toJobAnswers([state('a', null), state('b', null)]).isHidden).toBe(true);
    expect(toJobAnswers([state('a', null), state('b', undefined)]).isHidden).toBe(false);
    expect(toJobAnswers([]).isHidden).toBe(false);
  });
});
