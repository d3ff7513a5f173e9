// Facts for tests of the recommender: a snapshot as that of the sample's tickets, and any snapshot at all.
import * as fc from 'fast-check';
import type { MeasuredRun } from '#features/experiments/shared/measured/measuredRun.ts';
import type { RunFact, SnapshotFacts } from './evidence.ts';

export const SNAPSHOT = '11111111-1111-4111-8111-111111111111';
export const OTHER = '22222222-2222-4222-8222-222222222222';

export const toTestRun = (fields: Partial<RunFact> = {}): RunFact => ({
  snapshot_id: SNAPSHOT,
  experiment_number: 1,
  lora: true,
  learning_rate: 6e-3,
  n_epochs: 3,
  batch_size: 8,
  steps: 473,
  last_loss: 0.0044,
  held_out_rows: 200,
  held_out: { exact_match: 0.995 },
  failure: null,
  ...fields,
});

const UNMEASURED = { last_loss: null, held_out_rows: null, held_out: {} };
export const LORA = toTestRun();
export const FULL = toTestRun({
  experiment_number: 2,
  lora: false,
  learning_rate: 1.5e-3,
  last_loss: 0.0002,
  held_out: { exact_match: 1 },
});
export const FAILED = toTestRun({
  ...UNMEASURED,
  experiment_number: 3,
  lora: false,
  learning_rate: 0.2,
  n_epochs: 1,
  steps: 28,
  failure: 'loss is not finite at step 27',
});

export const toTestFacts = (fields: Partial<SnapshotFacts> = {}): SnapshotFacts => ({
  snapshot_id: SNAPSHOT,
  training_count: 2200,
  validation_count: 200,
  training_bytes: 440_000,
  objective: 'sft',
  answer_shape: 'fixed-set',
  distinct_answers: 60,
  chosen_measure: null,
  runs: [LORA, FULL, FAILED],
  measured: [],
  ...fields,
});

const share = fc.double({ min: 0, max: 1, noNaN: true });
const anyRun: fc.Arbitrary<RunFact> = fc.record({
  snapshot_id: fc.constantFrom(SNAPSHOT, SNAPSHOT, OTHER),
  experiment_number: fc.nat(),
  lora: fc.boolean(),
  learning_rate: fc.oneof(
    fc.constantFrom(6e-3, 2e-3, 0.018, 1.5e-3, 5e-4),
    fc.double({ min: 1e-7, max: 1, noNaN: true }),
  ),
  n_epochs: fc.integer({ min: 1, max: 10 }),
  batch_size: fc.constantFrom(1, 8),
  steps: fc.option(fc.integer({ min: 1, max: 9999 })),
  last_loss: fc.option(fc.double({ min: 0, max: 20, noNaN: true })),
  held_out_rows: fc.option(fc.integer({ min: 1, max: 9999 })),
  held_out: fc.oneof(
    fc.constant({}),
    fc.record({ exact_match: share }),
    fc.record({ exact_match: share, id_copied: share, another_one: share }),
    fc.record({ exact_match: share, validation_loss: fc.double({ min: 0, max: 20, noNaN: true }) }),
  ),
  failure: fc.constantFrom(null, null, null, 'out of memory'),
});

export const toMeasured = (fields: Partial<MeasuredRun> = {}): MeasuredRun => ({
  task: 'tickets',
  origin: 'calibration',
  facts: { rows: 300, bytes_per_row: 200, tokens_per_row: 80, answer_shape: 'fixed-set', parameters: 0.94e6 },
  lora: false,
  learning_rate: 3e-3,
  batch_size: 4,
  n_epochs: 5,
  loss: 0.05,
  exact_match: 0.96,
  ...fields,
});
const anyMeasured: fc.Arbitrary<MeasuredRun> = fc
  .record({
    task: fc.constantFrom('tickets', 'dates', 'notes'),
    origin: fc.constantFrom('calibration', 'own', 'imported'),
    lora: fc.boolean(),
    learning_rate: fc.constantFrom(1.5e-3, 3e-3, 6e-3, 1.2e-2),
    batch_size: fc.constantFrom(2, 4, 8),
    n_epochs: fc.constantFrom(3, 6, 10),
    loss: fc.option(fc.double({ min: 0, max: 9, noNaN: true })),
    exact_match: fc.option(share),
  })
  .map(toMeasured);

export const anyFacts: fc.Arbitrary<SnapshotFacts> = fc.record({
  snapshot_id: fc.constant(SNAPSHOT),
  training_count: fc.integer({ min: 1, max: 5_000_000 }),
  validation_count: fc.nat(),
  training_bytes: fc.nat(),
  objective: fc.constant('sft' as const),
  answer_shape: fc.constantFrom('fixed-set', 'tool-calls', 'json', 'text'),
  distinct_answers: fc.nat(),
  chosen_measure: fc.constantFrom(null, null, 'id_copied', 'validation_loss'),
  runs: fc.array(anyRun, { maxLength: 7 }),
  measured: fc.oneof(fc.constant([]), fc.array(anyMeasured, { maxLength: 9 })),
});
