import { describe, expect, it } from 'vitest';
import { ApiFailure, isMissing } from '#ui/client/failure.ts';
import type { ReadRecommendation } from '#core/contract/recommendationReader.ts';
import { toAnnouncement, toPanelView, type QueryFacts } from './panelView.ts';

const record = (status: string): ReadRecommendation => ({
  snapshot_id: 's',
  status,
  recommended_models: [],
  recommended_experiments: [],
  error: null,
  extra: {},
});
const failure = (status: number | undefined) =>
  new ApiFailure({ kind: status ? 'http' : 'network', message: 'It broke.', hint: 'Mend it.', status });
const facts = (more: Partial<QueryFacts>): QueryFacts => ({
  data: undefined,
  error: null,
  earlierError: null,
  failureReason: null,
  isMissing,
  ...more,
});

describe('toPanelView', () => {
  it('loads until there is an answer, and says why the request is repeated', () => {
    expect(toPanelView(facts({}))).toEqual({ kind: 'loading', repeatedBecause: null });
    expect(toPanelView(facts({ failureReason: failure(503) }))).toEqual({
      kind: 'loading',
      repeatedBecause: 'It broke.',
    });
  });

  it('tells "not there yet" from "broken"', () => {
    expect(toPanelView(facts({ error: failure(404) }))).toEqual({ kind: 'missing' });
    expect(toPanelView(facts({ error: failure(500) })).kind).toBe('failure');
    expect(toPanelView(facts({ error: failure(undefined) })).kind).toBe('failure');
    expect(toPanelView(facts({ error: new Error('anything') })).kind).toBe('failure');
  });

  it('keeps its state while the request is repeated', () => {
    expect(toPanelView(facts({ earlierError: failure(404) }))).toEqual({ kind: 'missing' });
    expect(toPanelView(facts({ earlierError: failure(404), error: failure(500) })).kind).toBe('failure');
  });

  it('keeps the last data on an error and marks it stale, also if the record no longer exists', () => {
    const data = record('completed');
    for (const status of [undefined, 404, 500]) {
      const error = failure(status);
      expect(toPanelView(facts({ data, error }))).toEqual({ kind: 'record', record: data, staleBecause: error });
    }
  });

  it('is no longer stale after an answer', () => {
    expect(toPanelView(facts({ data: record('completed'), earlierError: failure(500) }))).toMatchObject({
      staleBecause: null,
    });
  });
});

describe('toAnnouncement', () => {
  const say = (more: Partial<QueryFacts>) => toAnnouncement(toPanelView(facts(more)));

  it('has one sentence for each state, an unknown status included', () => {
    expect(say({})).toBe('Loading recommendations.');
    expect(say({ error: failure(404) })).toContain('no recommendation');
    expect(say({ error: failure(500) })).toContain('could not be loaded');
    expect(say({ data: record('processing') })).toBe('Recommendations are being computed.');
    expect(say({ data: record('failed') })).toBe('Recommendations failed.');
    expect(say({ data: record('completed') })).toBe('Recommendations done: 0 base models, 0 runs.');
    expect(say({ data: record('awaiting_quota') })).toContain('awaiting_quota');
    expect(say({ data: record('completed'), error: failure(500) })).toContain('last answer is shown');
  });
});
