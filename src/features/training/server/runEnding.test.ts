import { describe, expect, it } from 'vitest';
import { toRunEnding, toStopReason, type EndFacts } from './runEnding.ts';
import { toOrder } from './watchTrainer.ts';

const SAID: EndFacts['said'] = { result: null, failure: null, hopeless: null, lastLines: ['last words'] };
const RESULT = { type: 'result', model: { served_as: 'm' } } as const;
const FAILURE = { type: 'failure', reason: 'Out of memory.', what_to_do: 'Take less.' } as const;

describe('a run whose trainer has ended', () => {
  const ending = (facts: Partial<Omit<EndFacts, 'end'>> & { readonly end?: Partial<EndFacts['end']> } = {}) =>
    toRunEnding({
      cause: null,
      isRemote: false,
      isSaved: false,
      isAtRung: false,
      said: SAID,
      ...facts,
      end: { code: null, signal: null, problem: null, ...facts.end },
    });

  it.each<[string, Parameters<typeof ending>[0], object]>([
    ['with a result', { end: { code: 0 }, said: { ...SAID, result: RESULT } }, { kind: 'succeeded', result: RESULT }],
    [
      'with a result before it was to stop',
      { cause: 'stop', end: { code: 0 }, said: { ...SAID, result: RESULT } },
      { kind: 'succeeded' },
    ],
    [
      'with a result after it was cancelled',
      { cause: 'cancel', end: { code: 0 } },
      { kind: 'stopped', cause: 'cancel' },
    ],
    [
      'without a result',
      { end: { code: 0 } },
      { kind: 'failed', reason: /named no model\. Its last line: last words/ },
    ],
    [
      'with a failure',
      { end: { code: 1 }, said: { ...SAID, failure: FAILURE } },
      { reason: /^Out of memory\. Take less/ },
    ],
    [
      'without hope',
      { end: { code: 0 }, said: { ...SAID, hopeless: 'Diverged.' } },
      { kind: 'failed', reason: /^Diverged/ },
    ],
    ['because the studio ends', { cause: 'closing', end: { code: 75 } }, { kind: 'put back' }],
    ['on a machine elsewhere, because the studio ends', { cause: 'closing', isRemote: true }, { kind: 'leave' }],
    ['with a checkpoint by itself', { end: { code: 75 } }, { kind: 'again', note: null }],
    ['at a rung', { end: { code: 75 }, isAtRung: true }, { kind: 'paused' }],
    ['at a rung, as the studio ends', { cause: 'closing', end: { code: 75 }, isAtRung: true }, { kind: 'put back' }],
    [
      'killed after a checkpoint',
      { end: { signal: 'SIGKILL' }, isSaved: true },
      { kind: 'again', note: /memory ran out\. Its last line: last words\. [A-Z]/ },
    ],
    ['killed before a checkpoint', { end: { signal: 'SIGKILL' } }, { kind: 'failed', reason: /memory ran out/ }],
    [
      'unheard of',
      { end: { isGone: true, problem: 'Gone.' }, isRemote: true },
      { kind: 'again', note: /It begins again/ },
    ],
  ])('%s', (_, facts, expected) => {
    const { reason, note, ...rest } = expected as { readonly reason?: RegExp; readonly note?: RegExp | null };
    const found = ending(facts);
    expect(found).toMatchObject(rest);
    if (reason) expect(found).toMatchObject({ reason: expect.stringMatching(reason) as string });
    if (note) expect(found).toMatchObject({ note: expect.stringMatching(note) as string });
  });

  it('is stopped with the reason, and whether it can go on', () => {
    expect(toStopReason('cancel', 7, true, false)).toContain('deleted');
    expect(toStopReason('stop', 7, false, true)).toContain('at step 7. Its last checkpoint is kept');
    expect(toStopReason('stop', 7, false, false)).toContain('before its first checkpoint');
  });
});

it('a trainer is told first what leaves it least time', () => {
  const times = { tickMs: 1, leaseMs: 1, silenceMs: 1_000, graceMs: 20_000, closeMs: 1, sweepMs: 1 };
  const facts = { wish: null, isDeleted: false, isLost: false, hopeless: null, silentMs: 0 };
  expect(toOrder(facts, times)).toBeNull();
  expect(toOrder({ ...facts, silentMs: 1_001, wish: 'stop' }, times)).toEqual({ cause: 'stop', graceMs: 20_000 });
  expect(toOrder({ ...facts, isDeleted: true, wish: 'stop' }, times)).toEqual({ cause: 'cancel', graceMs: 2_000 });
  expect(toOrder({ ...facts, isLost: true, wish: 'cancel' }, times)).toEqual({ cause: 'lost', graceMs: 0 });
  expect(toOrder({ ...facts, silentMs: 1_001 }, times)).toMatchObject({
    cause: { failed: expect.any(String) as string },
  });
});
