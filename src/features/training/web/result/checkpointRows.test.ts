import { expect, it } from 'vitest';
import { toCheckpointRows } from './checkpointRows.ts';

const at = (step: number, model_id: string | null = null) => ({ step, saved_at: step * 1000, model_id });
const toRows = (fields: Omit<Parameters<typeof toCheckpointRows>[0], 'step'>, step = 99, model: string | null = null) =>
  toCheckpointRows({ ...fields, step }, model);
const validation = (step: number, loss: number | 'NaN' | null, exact_match: number | null = null) => ({
  step,
  loss,
  exact_match,
  answers: [],
});

it('a checkpoint has the measures of its own step, and the best one is said', () => {
  const rows = toRows({
    checkpoints: [at(10, 'm-10'), at(20), at(25)],
    validations: [validation(0, 9), validation(10, 0.5, 0.25), validation(20, 0.75, 0.5)],
  });
  expect(rows).toEqual([
    { step: 25, savedAt: 25_000, loss: null, exactMatch: null, isBest: false, modelId: null },
    { step: 20, savedAt: 20_000, loss: 0.75, exactMatch: 0.5, isBest: false, modelId: null },
    { step: 10, savedAt: 10_000, loss: 0.5, exactMatch: 0.25, isBest: true, modelId: 'm-10' },
  ]);
});

it('older ones that were only saved are left out', () => {
  const rows = toRows({ checkpoints: [at(5), at(10), at(15)], validations: [] });
  expect(rows.map(({ step }) => step)).toEqual([15]);
});

it('one alone is not the best of anything, and a loss that is no number is none', () => {
  const [only] = toRows({ checkpoints: [at(10)], validations: [validation(10, 0.5)] });
  expect(only?.isBest).toBe(false);
  const rows = toRows({ checkpoints: [at(10), at(20)], validations: [validation(10, 'NaN', 0), validation(20, 2)] });
  expect(rows.map(({ loss, isBest }) => [loss, isBest])).toEqual([
    [2, false],
    [null, false],
  ]);
});

it('the checkpoint of the last step answers with the finished model', () => {
  const rows = toRows(
    { checkpoints: [at(10), at(20)], validations: [validation(10, 2), validation(20, 1)] },
    20,
    'ft-1',
  );
  expect(rows.map(({ modelId }) => modelId)).toEqual(['ft-1', null]);
});
