import { expect, it } from 'vitest';
import type { RunStatus } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import { toAskedEvaluation } from './askedEvaluation.ts';
import { fieldsQuery, isSameButState, scoresQuery, toHeadRun } from './recordQueries.ts';

it('keeps figures while a run goes on, and none of another run, model or check', () => {
  const run = { id: 'a', status: 'running', judged: 1, done: 1, failed: 0, ended_at: null, checks_version: 1 } as const;
  const later = { ...run, done: 2, status: 'completed' } as const;
  const isKept = (one: { queryKey: readonly unknown[] }, other: { queryKey: readonly unknown[] }) =>
    isSameButState(one.queryKey, other.queryKey);
  expect(isKept(scoresQuery(run), scoresQuery(later))).toBe(true);
  expect(isKept(scoresQuery(run), scoresQuery({ ...run, id: 'b' }))).toBe(false);
  expect(isKept(fieldsQuery(run, 'm', 'same'), fieldsQuery(later, 'm', 'same'))).toBe(true);
  expect(isKept(fieldsQuery(run, 'm', 'same'), fieldsQuery(run, 'n', 'same'))).toBe(false);
  expect(isKept(fieldsQuery(run, 'm', 'same'), fieldsQuery(run, 'm', 'tools'))).toBe(false);
  expect(isSameButState(undefined, scoresQuery(run).queryKey)).toBe(false);
});

it('takes what was asked of one version, with its settings, and the checks of another', () => {
  const now = { name: 'Words', prompt: 'new', system: null, settings: { temperature: 1 }, tags: {}, checks: [] };
  const old = { ...now, name: 'Old', prompt: 'old', system: 'Shout.', settings: { temperature: 0 } };
  const judged = { checks: [{ id: 'same', kind: 'exact' }] };
  const asked = toAskedEvaluation(...([now, old, judged] as unknown as [Evaluation, Evaluation, Evaluation]));
  expect(asked).toEqual({ ...old, ...judged, name: 'Words' });
});

it('opens the newest run, but one that failed or was cancelled only where there is no other', () => {
  const numberOf = (...statuses: RunStatus[]) =>
    toHeadRun(statuses.map((status, at) => ({ status, number: statuses.length - at })))?.number;
  expect(numberOf('failed', 'cancelled', 'completed', 'completed')).toBe(2);
  expect(numberOf('running', 'completed')).toBe(2);
  expect(numberOf('failed', 'cancelled')).toBe(2);
  expect(numberOf()).toBeUndefined();
});
