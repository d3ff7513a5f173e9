import { describe, expect, it } from 'vitest';
import { toLiveState, toShortText } from './liveState.ts';

const now = new Date(2026, 10, 20, 14, 2, 12).getTime();
const fresh = { hasData: true, dataUpdatedAt: now - 2000, problem: null, now };

describe('toLiveState', () => {
  it('says how old the answer is', () => {
    expect(toLiveState(fresh)).toEqual({ tone: 'live', text: 'updated 2 s ago' });
    expect(toLiveState({ ...fresh, dataUpdatedAt: now + 500 }).text).toBe('updated now');
  });

  it('says since when it is stale', () => {
    expect(toLiveState({ ...fresh, problem: 'network' })).toEqual({ tone: 'stale', text: 'offline since 14:02:10' });
    expect(toLiveState({ ...fresh, problem: 'answer' }).text).toBe('stale since 14:02:10');
    expect(toLiveState({ hasData: false, dataUpdatedAt: 0, problem: 'network', now }).text).toBe('no connection');
    expect(toLiveState({ hasData: false, dataUpdatedAt: 0, problem: 'answer', now }).text).toBe('not available');
  });

  it('has a word for little room', () => {
    const short = (problem: 'network' | null, dataUpdatedAt = now) =>
      toShortText(toLiveState({ ...fresh, dataUpdatedAt, problem }));
    expect([short(null), short('network'), short('network', 0)]).toEqual(['updated', 'offline', 'no connection']);
  });

  it('waits for the first answer', () => {
    expect(toLiveState({ hasData: false, dataUpdatedAt: 0, problem: null, now }).tone).toBe('loading');
  });
});
