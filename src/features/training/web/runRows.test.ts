import { OBJECTIVES } from '#core/contract/trainingSettings.ts';
import { expect, it } from 'vitest';
import { readJob } from '#core/contract/jobReader.ts';
import { createJobSchema } from '#features/training/shared/createJob.ts';
import { readRecommendation } from '#core/contract/recommendationReader.ts';
import { toChoices } from '#features/experiments/shared/candidates.ts';
import {
  findEqualRows,
  findRateDoubt,
  findRowProblems,
  toFittingRows,
  withFirstRun,
  toRowWithObjective,
  isReady,
  parseSweep,
  toAgainRows,
  toNewRow,
  toOfferedRows,
  toRequest,
  toSeeds,
  toStarted,
  toSweepText,
  withCopies,
  withOffer,
  withSweep,
  type RunRow,
} from './runRows.ts';

const SNAPSHOT = '3f0c1a52-7b1e-4a1d-9c55-0123456789ac';
const ROW: RunRow = {
  id: 1,
  isOn: true,
  base: 'a',
  type: 'lora',
  epochs: 3,
  batch: 8,
  rate: 0.006,
  chosen: {},
  from: null,
  refused: {},
};

function choices(experiments: readonly object[]) {
  const read = readRecommendation({
    snapshot_id: SNAPSHOT,
    status: 'completed',
    recommended_models: [],
    recommended_experiments: experiments,
  });
  if (!read.ok) throw new Error(read.reason);
  return toChoices(read.value);
}

const PROPOSED = { batch_size: 8, n_epochs: 3, learning_rate_multiplier: 0.006, lora: true };

it('what is recommended and can be trained here is ticked, and stands first', () => {
  const offered = toOfferedRows(
    choices([
      { ...PROPOSED, base_model_id: 'far', recommended: true },
      { ...PROPOSED, base_model_id: 'here', recommended: true },
      { ...PROPOSED, base_model_id: 'here', lora: false, recommended: false },
    ]),
    (base) => base === 'here',
  );
  expect(offered.map(({ base, type, isOn }) => [base, type, isOn])).toEqual([
    ['here', 'lora', true],
    ['here', 'full', false],
    ['far', 'lora', false],
  ]);
});

it('a job run again has its settings, also what it went on from', () => {
  const read = readJob({
    id: 'j',
    status: 'completed',
    experiments: [
      { id: 'e', status: 'failed', base_model_id: 'a', ...PROPOSED, refinetune_from_experiment_id: SNAPSHOT },
    ],
  });
  if (!read.ok) throw new Error(read.reason);
  expect(toAgainRows(read.value)).toEqual([{ ...ROW, from: SNAPSHOT }]);
});

it('an offer fills an empty table; later it stands below what a person has added, and nothing of it is ticked', () => {
  const offered = [ROW, { ...ROW, id: 2, rate: 0.01 }];
  expect(withOffer([], offered)).toBe(offered);
  const mine = { ...ROW, id: 1, base: 'mine' };
  const rows = withOffer([mine], offered);
  expect(rows[0]).toBe(mine);
  expect(rows.map(({ id, base, isOn }) => [id, base, isOn])).toEqual([
    [1, 'mine', true],
    [2, 'a', false],
    [3, 'a', false],
  ]);
});

it('a new row begins with the settings of the last one of its base model', () => {
  expect(toNewRow([ROW], 'a')).toEqual({ ...ROW, id: 2 });
  expect(findRowProblems(toNewRow([ROW], 'b')).rate).toContain('learning rate');
});

it('a sweep offers a third, the same and three times of a rate, and whole numbers within the limits', () => {
  expect(toSweepText(ROW, 'rate')).toBe('2e-3, 6e-3, 0.018');
  expect(toSweepText({ ...ROW, epochs: 1 }, 'epochs')).toBe('1, 2');
  expect(toSweepText({ ...ROW, batch: 128 }, 'batch')).toBe('64, 128');
});

it.each([
  ['1e-3, 3e-3 1e-3', 'rate', [1e-3, 3e-3]],
  ['1;2;3', 'epochs', [1, 2, 3]],
] as const)('%s is a list of %s', (text, field, values) => {
  expect(parseSweep(text, field)).toEqual({ ok: true, values });
});

it.each([
  ['', 'rate', 'Type the values'],
  ['1e-3, 0', 'rate', '0: the learning rate'],
  ['1, x', 'epochs', 'x: epochs must be a whole number from 1 to 10'],
  ['129', 'batch', 'from 1 to 128'],
  ['8, 300', 'lora_rank', '300: LoRA rank must be a whole number from 1 to 256'],
  ['1.5', 'seed', 'whole number'],
  ['Infinity', 'rate', 'from 1e-9 to 100'],
  ['1e308', 'rate', 'from 1e-9 to 100'],
  ['1e-320', 'rate', 'from 1e-9 to 100'],
  [Array.from({ length: 21 }, (_, at) => at + 1).join(), 'batch', 'At most 20'],
] as const)('%j as %s is refused', (text, field, words) => {
  const sweep = parseSweep(text, field);
  expect(sweep.ok ? '' : sweep.message).toContain(words);
});

it('a sweep makes a row for each value, behind the one it began with', () => {
  const swept = withSweep([ROW, { ...ROW, id: 2, base: 'b' }], 1, 'rate', [0.001, 0.01]);
  expect(swept.map(({ id, base, rate }) => [id, base, rate])).toEqual([
    [1, 'a', 0.001],
    [3, 'a', 0.01],
    [2, 'b', 0.006],
  ]);
});

it('a sweep of a seed differs in the seed alone, and the request says it', () => {
  const row = { ...ROW, chosen: { lora_rank: 16, target_modules: ['q_proj'] } };
  expect(toSeeds(row)).toEqual([1, 2, 3]);
  const swept = withSweep([row], 1, 'seed', toSeeds(row));
  const request = toRequest(SNAPSHOT, 'Seeds', swept);
  expect(createJobSchema.safeParse(request).error).toBeUndefined();
  expect(request.experiments.map(({ seed, lora_rank }) => [seed, lora_rank])).toEqual([
    [1, 16],
    [2, 16],
    [3, 16],
  ]);
  expect(toSweepText(row, 'lora_rank')).toBe('8, 16, 32');
  expect(toSeeds({ ...row, chosen: { seed: 7 } })).toEqual([7, 8, 9]);
});

it('a job is offered again with what was chosen for it, and without what its trainer added', () => {
  const run = { id: SNAPSHOT, base_model_id: 'a', lora: true, seed: 99, warmup_steps: 20 };
  const read = readJob({ id: 'j', experiments: [{ ...run, chosen_settings: { lora_rank: 4 } }, run] });
  expect(read.ok && toAgainRows(read.value).map(({ chosen }) => chosen)).toEqual([{ lora_rank: 4 }, {}]);
});

it('equal rows are started once, and the later one says which one it equals', () => {
  const rows = withCopies([ROW], 1, [{}, { epochs: 2 }, { isOn: false } as object]);
  expect([...findEqualRows(rows)]).toEqual([[2, 1]]);
  expect(toStarted(rows).map(({ id }) => id)).toEqual([1, 3]);
});

it('the request is one that the service takes', () => {
  const request = toRequest(SNAPSHOT, ' First ', [ROW, { ...ROW, id: 2 }, { ...ROW, id: 3, isOn: false, epochs: 1 }]);
  expect(createJobSchema.safeParse(request).error).toBeUndefined();
  expect(request).toMatchObject({ name: 'First', experiments: [{ training_type: 'lora', n_epochs: 3 }] });
  expect(request.experiments).toHaveLength(1);
});

it.each([
  [{ epochs: 11 }, { epochs: 'Epochs must be a whole number from 1 to 10.' }],
  [
    { epochs: 11, batch: 0, rate: undefined },
    { epochs: expect.any(String), batch: expect.any(String), rate: expect.any(String) },
  ],
  [{ base: ' ' }, { base: 'Choose a base model.' }],
  [{ type: 'full', chosen: { lora_alpha: 8 } }, { lora_alpha: expect.stringContaining('a setting of an adapter') }],
  [{ chosen: { lora_dropout: 0.1 } }, { lora_dropout: 'No dropout.' }],
  [{ chosen: { lora_dropout: 0, lora_rank: 16 } }, {}],
  [{}, {}],
] as const)('%j has the problems %j', (change, problems) => {
  expect(findRowProblems({ ...ROW, ...change }, { lora_dropout: 'No dropout.' })).toEqual(problems);
});

it('a text that was not taken keeps a run from starting, also with the value before, until the field is corrected', () => {
  const refused = { ...ROW, refused: { epochs: 'Epochs: “30” was not used.', rate: null } };
  expect(findRowProblems(refused)).toEqual({ epochs: 'Epochs: “30” was not used.' });
  expect(isReady({ ...refused, refused: { epochs: null } })).toBe(true);
  // Copies and swept values have fields of their own.
  expect(withCopies([refused], ROW.id, [{}]).map((row) => isReady(row))).toEqual([false, true]);
  expect(withSweep([refused], ROW.id, 'epochs', [3, 4]).every((row) => isReady(row))).toBe(true);
  expect(isReady(toNewRow([refused], ROW.base))).toBe(true);
});

it.each([
  [9, 'A learning rate of 9 almost always diverges'],
  [0.1, null],
  [1000, null],
  [undefined, null],
])('of a learning rate of %s the doubt is %s', (rate, words) => {
  const doubt = findRateDoubt({ ...ROW, rate });
  if (words === null) expect(doubt).toBeNull();
  else expect(doubt).toContain(words);
});

it('another objective takes its own settings and a rate that fits, and back again', () => {
  const row = { ...ROW, rate: 1e-3, chosen: { seed: 3 } };
  const dpo = { ...row, ...toRowWithObjective(row, 'dpo') };
  expect(dpo).toMatchObject({ rate: 1.67e-5, chosen: { seed: 3, objective: 'dpo' } });
  const kto = { ...dpo, ...toRowWithObjective({ ...dpo, chosen: { ...dpo.chosen, beta: 0.2 } }, 'kto') };
  expect(kto).toMatchObject({ rate: 1.67e-5, chosen: { seed: 3, objective: 'kto', beta: 0.2 } });
  const sft = toRowWithObjective({ ...kto, chosen: { ...kto.chosen, desirable_weight: 2 } }, 'sft');
  expect(sft).toEqual({ rate: 1e-3, chosen: { seed: 3 } });
});

it('rows of a snapshot of pairs begin with DPO, and say why single answers can not be learnt', () => {
  const toFound = (open: readonly string[]) => ({
    objectives: OBJECTIVES.map((objective) => ({
      objective,
      refusal: open.includes(objective) ? null : `No ${objective}.`,
    })),
    first_run_id: 'run',
  });
  const pairs = toFound(['dpo', 'kto']);
  expect(findRowProblems(ROW, {}, pairs)).toEqual({ objective: 'No sft.' });
  const [fitting] = toFittingRows([ROW], pairs);
  expect(fitting?.chosen.objective).toBe('dpo');
  expect(fitting && isReady(fitting, {}, pairs)).toBe(true);
  expect(toFittingRows([ROW], toFound(['kto']))[0]?.chosen.objective).toBe('kto');
  expect(toFittingRows([ROW], toFound(['sft', 'dpo']))).toEqual([ROW]);
  expect(toFittingRows([ROW], null)).toEqual([ROW]);
  const sources = [{ id: 'run', base: ROW.base, label: 'Polite replies › Experiment 1' }];
  const other = { ...fitting!, base: 'other' };
  expect(withFirstRun([ROW, fitting!, other], sources, pairs).map(({ from }) => from)).toEqual([null, 'run', null]);
});
