// The settings of runs whose files are those of today's trainers: as facts, and in their job.
import { describe, expect, it } from 'vitest';
import { toEvidence, type ParameterValue, type RunEvidence } from './evidence.ts';
import { NOW, curve, events, fact, outputs, parameters } from './evidence.fixture.ts';
import { readRuns, type TestFiles } from '#features/runs/server/formats/folder.fixture.ts';
import { HF_CARD, pythonJson, trainerState } from '#features/runs/server/formats/hfTrainer.fixture.ts';
import { hfTrainerFormat } from '#features/runs/server/formats/hfTrainer.ts';
import { GKD_ARGUMENTS, SFT_ARGUMENTS } from '#features/runs/server/formats/trainingArguments.fixture.ts';
import { toRun } from './runDetail.ts';
import { toRootId } from './runIdentity.ts';
import { toJob, toJobPlaces } from './runFolderTree.ts';
import { toTestRecords } from './runRecords.fixture.ts';

const ROOT = toRootId('/data/outputs');

const readFolder = (files: TestFiles): readonly RunEvidence[] => readRuns(hfTrainerFormat, files);
const factsOf = (...evidence: readonly RunEvidence[]) =>
  toRun(ROOT, toTestRecords(ROOT, evidence)[0]!, new Map()).facts;
const valuesOf = (...evidence: readonly RunEvidence[]): Record<string, unknown> =>
  Object.fromEntries(factsOf(...evidence).map(({ name, value }) => [name, value]));
const jobOf = (...evidence: readonly RunEvidence[]): readonly Readonly<Record<string, unknown>>[] =>
  toJob(toJobPlaces(ROOT, toTestRecords(ROOT, evidence))[0]!, new Map()).experiments;

const STATE = trainerState(3, {
  train_batch_size: 4,
  num_train_epochs: 2,
  max_steps: 3,
  best_global_step: null,
  best_model_checkpoint: null,
});
const ALONE: TestFiles = {
  'triage/trainer_state.json': STATE,
  'triage/training_args.bin': SFT_ARGUMENTS,
  'triage/README.md': HF_CARD,
};

describe('a run without a tracker', () => {
  it('has the settings of its arguments: all rows of a step, parts of epochs, a share of warm-up', () => {
    expect(valuesOf(...readFolder(ALONE))).toMatchObject({
      method: 'sft',
      batch_rows: 32,
      epochs: 1.5,
      learning_rate: 3e-4,
      warmup_ratio: 0.2,
      scheduler: 'cosine',
      optimizer: 'adamw_torch',
      seed: 7,
    });
    expect(valuesOf(...readFolder(ALONE))).not.toHaveProperty('max_steps');
    expect(jobOf(...readFolder(ALONE))[0]).toMatchObject({
      batch_size: 32,
      n_epochs: 1.5,
      per_device_train_batch_size: 4,
      gradient_accumulation_steps: 8,
      num_devices: 1,
      bf16: false,
      packing: false,
    });
  });

  it('has no settings where only what the Trainer derived is left', () => {
    const files = { 'triage/trainer_state.json': STATE };
    const names = factsOf(...readFolder(files)).map(({ name }) => name);
    expect(names).toEqual([]);
    const [experiment] = jobOf(...readFolder(files));
    expect([experiment?.['n_epochs'], experiment?.['batch_size'], experiment?.['max_steps']]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('has another method than the settings that its class inherits', () => {
    const files = { 'gkd/training_args.bin': GKD_ARGUMENTS, 'gkd/trainer_state.json': STATE };
    const log = events('gkd', 'Aug22', curve([[1, 2]], NOW), { method: fact('sft', 'gkd/runs/x', 'args') });
    expect(valuesOf(...readFolder(files), log)['method']).toBe('gkd');
  });
});

it('what the Trainer derived contradicts no setting', () => {
  const log = events('triage', 'Aug22', curve([[1, 2]], NOW), {
    parameters: parameters({ num_train_epochs: 3, max_steps: 8, per_device_train_batch_size: 4 }),
  });
  const facts = factsOf(...readFolder({ 'triage/trainer_state.json': STATE }), log);
  expect(facts.map(({ name, value, others }) => [name, value, others])).toEqual([
    ['epochs', 3, undefined],
    ['max_steps', 8, undefined],
    ['batch_rows', 4, undefined],
  ]);
});

it('a card is believed last: it is written for people', () => {
  const card = toEvidence({
    format: 'x',
    key: 'a',
    folder: 'a',
    parameters: parameters({ optim: 'adam' }, 'a/README.md'),
  });
  const log = toEvidence({
    format: 'y',
    key: 'a',
    folder: 'a',
    parameters: parameters({ optim: 'sgd' }, 'a/debug.log'),
  });
  expect(valuesOf(card, log)['optimizer']).toBe('sgd');
});

describe('an adapter of PEFT', () => {
  const run = (config: Readonly<Record<string, unknown>>): TestFiles => ({
    'a/checkpoint-3/trainer_state.json': STATE,
    'a/checkpoint-3/adapter_config.json': pythonJson({ base_model_name_or_path: 'me/base', ...config }),
    'a/checkpoint-3/adapter_model.safetensors': 'x',
  });

  it.each(['IA3', 'LOHA', 'OFT', 'VERA', 'ADALORA', 'PROMPT_TUNING'])('of the type %s is not called LoRA', (type) => {
    const files = run({ peft_type: type, r: 8, lora_alpha: 16, target_modules: ['q_proj'] });
    const [experiment] = jobOf(...readFolder(files));
    expect([experiment?.['training_type'], experiment?.['lora'], experiment?.['lora_rank']]).toEqual([
      type.toLowerCase(),
      undefined,
      undefined,
    ]);
    expect(valuesOf(...readFolder(files))).toMatchObject({ peft_type: type });
  });

  it('has its type and its variant among the facts', () => {
    const dora = run({
      peft_type: 'LORA',
      r: 8,
      use_dora: true,
      rank_pattern: { q_proj: 12 },
      init_lora_weights: 'pissa',
    });
    expect(valuesOf(...readFolder(dora))).toMatchObject({
      peft_type: 'LORA',
      adapter_variant: 'DoRA, ranks by module, PiSSA',
      lora_rank: 8,
    });
    expect(jobOf(...readFolder(dora))[0]).toMatchObject({
      lora: true,
      use_dora: true,
      init_lora_weights: 'pissa',
      rank_pattern: '{"q_proj":12}',
    });
    const ada = run({ peft_type: 'ADALORA', r: 8, init_r: 6, target_r: 4 });
    const values = valuesOf(...readFolder(ada));
    expect([values['init_r'], values['target_r'], values['lora_rank']]).toEqual([6, 4, undefined]);
  });

  it('is not there in a training of all weights, though its settings are written down', () => {
    const full = outputs('full', { isAdapter: fact(false), parameters: parameters({ lora_dropout: 0, lora_r: 8 }) });
    expect(Object.keys(valuesOf(full))).toEqual(['is_adapter']);
  });
});

describe('the trainers’ own settings in a job', () => {
  const many = (prefix: string, count: number): Record<string, ParameterValue> =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${String(at).padStart(3, '0')}`, 1]));
  const run = (folder: string, own: Record<string, ParameterValue>): RunEvidence =>
    outputs(folder, { parameters: parameters({ ...many('a', 140), ...many('model_config.', 40), ...own }) });

  it('begin with other values, and say how many were left out', () => {
    const [one, two] = jobOf(
      run('s/one', { zoom: 1, ...many('only', 5) }),
      run('s/two', { zoom: 2, 'model_config.000': 7 }),
    );
    expect([one?.['zoom'], two?.['zoom'], two?.['model_config.000']]).toEqual([1, 2, 7]);
    expect(one?.['only004']).toBe(1);
    expect(one?.['a139']).toBe(1);
    expect(Object.keys(one ?? {}).filter((name) => name.startsWith('model_config.'))).toHaveLength(4);
    expect([one?.['settings_left_out'], two?.['settings_left_out']]).toEqual([36, 36]);
  });

  it('say nothing of what is left out when all are there', () => {
    const few = outputs('s/one', { parameters: parameters({ zoom: 1 }) });
    expect(jobOf(few)[0]).not.toHaveProperty('settings_left_out');
  });
});
