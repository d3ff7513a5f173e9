import { describe, expect, it } from 'vitest';
import { toDatasetResults } from '#features/experiments/web/rows/datasetResults.ts';
import { toTestRow } from '#features/experiments/web/rows/rows.fixture.ts';
import { toTaskMeasures } from './taskMeasures.ts';

const held_out = { id_copied: 0.9, exact_match: 0.05, validation_loss: 0.1, eval_loss: 0.2, politeness: 4.2 };
const rest = { answer_shape: 'text', snapshot_id: 's1', held_out_base: { id_copied: 0 } } as const;
const best = toTestRow('Experiment 1', { ...rest, held_out });
const toText = (...rows: Parameters<typeof toDatasetResults>[0]) =>
  toDatasetResults(rows)
    .flatMap(toTaskMeasures)
    .map(({ measure, value, base, better }) => [measure.label, value, base, better?.label ?? null]);

describe('where a loss decides, the results of the best run', () => {
  it('are listed with their names, without other losses and without exact match of free text', () =>
    expect(toText(best)).toEqual([
      ['ids copied', 0.9, 0, null],
      ['politeness', 4.2, null, null],
    ]));

  it('name a run of the same snapshot that is better at it', () => {
    const worse = { ...held_out, validation_loss: 0.5, id_copied: 0.95, politeness: 3 };
    const here = toTestRow('Experiment 2', { ...rest, held_out: worse });
    const elsewhere = toTestRow('Experiment 3', { ...rest, held_out: worse, snapshot_id: 's0' });
    expect(toText(elsewhere, here, best)).toEqual([
      ['ids copied', 0.9, 0, 'Experiment 2'],
      ['politeness', 4.2, null, null],
    ]);
  });
});

it('nothing is listed where a measure of the task decides, or nothing was measured', () => {
  expect(toText(toTestRow('a', { answer_shape: 'json', held_out }))).toEqual([]);
  expect(toText(toTestRow('a', { answer_shape: 'text' }))).toEqual([]);
});
