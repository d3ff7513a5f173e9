import { expect, it } from 'vitest';
import { readJob } from '#core/contract/jobReader.ts';
import { readRecommendation, type ReadRecommendation } from '#core/contract/recommendationReader.ts';
import { toAskProblem, toJobView, toLead, toRecommendationView } from './startDialogState.ts';
import type { RunRow } from './runRows.ts';

const RUN = { base_model_id: 'a', lora: true, n_epochs: 3, batch_size: 8, learning_rate_multiplier: 0.006 };
const GONE = new Error('Gone.');

function record(status: string, more: object = {}): ReadRecommendation {
  const read = readRecommendation({ snapshot_id: 's', status, ...more });
  if (!read.ok) throw new Error(read.reason);
  return read.value;
}

it('a recommendation that is computed is waited for: its empty lists are no answer', () => {
  expect(toRecommendationView({ data: undefined, error: null })).toEqual({ kind: 'loading' });
  expect(toRecommendationView({ data: record('processing'), error: null })).toEqual({ kind: 'computing' });
  const completed = record('completed');
  expect(toRecommendationView({ data: completed, error: null })).toEqual({ kind: 'answer', answer: completed });
});

it('a request that fails says why and is sent again, unless there is an answer already', () => {
  const problem = { kind: 'problem', detail: 'Gone.', hint: 'Try again.', retry: 'load' };
  expect(toRecommendationView({ data: undefined, error: GONE })).toMatchObject(problem);
  expect(toRecommendationView({ data: record('processing'), error: GONE })).toMatchObject(problem);
  expect(toRecommendationView({ data: record('completed'), error: GONE }).kind).toBe('answer');
  expect(toJobView({ data: undefined, error: GONE })).toMatchObject(problem);
});

it('a recommendation that failed says why and is asked for again; what it holds is offered all the same', () => {
  const failed = toRecommendationView({ data: record('failed', { error: 'Too few rows.' }), error: null });
  expect(failed).toMatchObject({ kind: 'problem', detail: 'Too few rows.', retry: 'ask' });
  const silent = toRecommendationView({ data: record('failed'), error: null });
  expect(silent).toMatchObject({ detail: 'It gave no reason. Its log may say more.' });
  const partial = record('failed', { recommended_experiments: [{ ...RUN, recommended: true }] });
  expect(toRecommendationView({ data: partial, error: null }).kind).toBe('answer');
  expect(toAskProblem(GONE)).toMatchObject({ detail: 'Gone.', retry: 'ask' });
});

it('a job is offered as soon as it is there; one that the studio does not have is no empty job', () => {
  const read = readJob({ id: 'j', status: 'processing', experiments: [] });
  if (!read.ok) throw new Error(read.reason);
  expect(toJobView({ data: read.value, error: null })).toEqual({ kind: 'answer', answer: read.value });
  expect(toJobView({ data: undefined, error: null })).toEqual({ kind: 'loading' });
  expect(toJobView({ data: null, error: null })).toMatchObject({ kind: 'problem', retry: 'load' });
});

it('the sentence above the rows says what they are', () => {
  const toRow = (isOn: boolean): RunRow => ({
    id: 1,
    isOn,
    base: 'a',
    type: 'full',
    epochs: 3,
    batch: 8,
    rate: 0.001,
    chosen: {},
    from: null,
    refused: {},
  });
  const take = (rows: readonly RunRow[], isBelow = false) => ({ rows, isBelow });
  expect(toLead(null, null)).toMatch(/^Add the runs that you want: nothing is trained/);
  expect(toLead(null, 'Round 1')).toBe(toLead(null, null));
  expect(toLead(take([toRow(true)]), null)).toMatch(/^Recommended runs are ticked\. Change them/);
  expect(toLead(take([toRow(false)]), null)).toMatch(/^No run is recommended here: tick what you want/);
  expect(toLead(take([]), null)).toMatch(/^No run is recommended here\. Add the runs/);
  expect(toLead(take([toRow(true)]), 'Round 1')).toMatch(/^The runs of Round 1 once more\./);
  expect(toLead(take([toRow(true)], true), null)).toMatch(/^The recommended runs are below yours\. Tick/);
  expect(toLead(take([toRow(true)], true), 'Round 1')).toMatch(/^The runs of Round 1 are below yours\./);
  expect(toLead(take([], true), null)).toMatch(/^No run is recommended here\. Add the runs/);
  expect(toLead(take([]), 'Round 1')).toMatch(/^Round 1 has no runs\. Add the runs/);
});
