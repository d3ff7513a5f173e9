import { describe, expect, it } from 'vitest';
import type { RunEvidence } from '#features/runs/server/evidence.ts';
import { pointsOf, readClaims, readRuns, type TestFiles, toFolder } from './folder.fixture.ts';
import {
  ADAPTER_CONFIG,
  checkpoint,
  HF_CARD,
  pythonJson,
  safetensorsHead,
  SUMMARY_ROW,
  TRL_RUN,
  TRL_TIMES,
  trainerState,
  logRows,
} from './hfTrainer.fixture.ts';
import { hfTrainerFormat } from './hfTrainer.ts';

const read = (files: TestFiles, times?: Readonly<Record<string, number>>): readonly RunEvidence[] =>
  readRuns(hfTrainerFormat, files, times ? { times } : {});
const kinds = (run: RunEvidence | undefined): unknown => run?.signs.map(({ kind }) => kind);

describe('a LoRA training by TRL', () => {
  const [run, ...more] = read(TRL_RUN, TRL_TIMES);

  it('is one run of its folder', () => {
    expect(more).toEqual([]);
    expect([run?.key, run?.folder, run?.lastSignAt]).toEqual(['sft', 'sft', 3000]);
    expect(run?.outputDir).toEqual({
      value: 'outputs/triage',
      source: { file: 'sft/training_args.bin', place: 'output_dir' },
    });
  });

  it('has the curves of its newest checkpoint, where training and evaluation share a step', () => {
    expect([...run!.curves.keys()].sort()).toEqual(
      ['epoch', 'eval/loss', 'eval/runtime', 'grad_norm', 'learning_rate', 'loss'].sort(),
    );
    expect(pointsOf(run, 'loss')).toHaveLength(10);
    expect(pointsOf(run, 'epoch')).toHaveLength(10);
    expect(pointsOf(run, 'grad_norm')[5]).toEqual([60, NaN]);
    expect(pointsOf(run, 'eval/loss')).toEqual([
      [50, 1.45],
      [100, 1.4],
    ]);
    expect(run?.curveSource?.file).toBe('sft/checkpoint-100/trainer_state.json');
  });

  it('has its checkpoints and its final weights', () => {
    expect(
      run?.checkpoints.map(({ path, step, kind, isComplete, savedAt }) => [path, step, kind, isComplete, savedAt]),
    ).toEqual([
      ['sft/checkpoint-50', 50, 'adapter', true, 1000],
      ['sft/checkpoint-100', 100, 'adapter', true, 2000],
      ['sft', null, 'adapter', true, 3000],
    ]);
    expect(run?.checkpoints[0]?.bytes).toBeGreaterThan(23_000);
    expect(run?.checkpoints[0]?.measures.get('eval/loss')).toBe(1.45);
    expect(run?.checkpoints[1]?.measures.get('loss')).toBe(1.9);
  });

  it('knows base model, method, versions and settings, each with its source', () => {
    expect(run?.baseModel).toEqual({
      value: 'Qwen/Qwen3-0.6B',
      source: { file: 'sft/adapter_config.json', place: 'base_model_name_or_path' },
    });
    expect([run?.method?.value, run?.isAdapter?.value, run?.tags]).toEqual(['sft', true, ['sft', 'support-desk']]);
    expect(Object.fromEntries([...run!.environment].map(([name, { value }]) => [name, value]))).toEqual({
      trl: '1.13.0',
      transformers: '5.18.0',
      torch: '2.9.1',
      datasets: '4.4.1',
      peft: '0.21.0',
    });
    const values = ['lora_r', 'lora_alpha', 'target_modules', 'gradient_accumulation_steps', 'save_steps'].map(
      (name) => run?.parameters.get(name)?.value,
    );
    expect(values).toEqual([16, 32, '["v_proj","q_proj"]', 8, 500]);
    expect(run?.summary.get('adapter_parameters')?.value).toBe(2 * (16 * 100 + 200 * 16));
    expect([run?.datasets, run?.name]).toEqual([null, null]);
  });

  it('reached its last step and saved its weights', () => {
    expect(kinds(run)).toEqual(['complete', 'complete']);
    expect(run?.signs.map(({ reason }) => reason)).toEqual([
      'it reached step 100 of 100',
      'the final weights are newer than the last checkpoint',
    ]);
    expect(run?.progress).toEqual({ step: 100, totalSteps: 100, epoch: 1, totalEpochs: 1 });
  });
});

describe('the state of a run', () => {
  it('is open while only early checkpoints are there', () => {
    const [run] = read(checkpoint('sft/checkpoint-50', 50));
    expect([kinds(run), run?.progress?.step]).toEqual([[], 50]);
  });

  it('is finished by the summary in the state of the folder itself', () => {
    const end = trainerState(100, { log_history: [...logRows(100), SUMMARY_ROW] });
    const [run] = read({ ...TRL_RUN, 'sft/trainer_state.json': end }, { ...TRL_TIMES, 'sft/trainer_state.json': 4000 });
    expect(run?.signs[0]).toMatchObject({ kind: 'finished', at: 4000, source: { file: 'sft/trainer_state.json' } });
    expect([run?.summary.get('train_runtime')?.value, run?.curves.has('train_runtime')]).toEqual([63.5, false]);
  });

  it('is finished by train_results.json, unless a checkpoint is newer', () => {
    const files = {
      ...checkpoint('a/checkpoint-50', 50),
      'a/train_results.json': pythonJson({ epoch: 1, train_loss: 1.5, eval_loss: NaN }),
    };
    const at = (results: number): unknown =>
      kinds(read(files, { 'a/checkpoint-50/trainer_state.json': 5, 'a/train_results.json': results })[0]);
    expect([at(6), at(4)]).toEqual([['finished'], []]);
    expect(read(files)[0]?.summary.get('train_loss')?.value).toBe(1.5);
  });

  it('tells a run that the trainer stopped early', () => {
    const state = trainerState(50, {
      stateful_callbacks: { TrainerControl: { args: { should_training_stop: true } } },
    });
    const [run] = read(checkpoint('sft/checkpoint-50', 50, state));
    expect(run?.signs).toMatchObject([{ kind: 'complete', reason: 'the trainer stopped it at step 50 of 100' }]);
  });

  it('takes the newest state, not the one with most steps', () => {
    const steps = [50, 80, 90, 100];
    const files = Object.assign({}, ...steps.map((step) => checkpoint(`sft/checkpoint-${step}`, step))) as TestFiles;
    const [run] = read(files, { 'sft/checkpoint-50/trainer_state.json': Number.MAX_SAFE_INTEGER });
    expect(pointsOf(run, 'loss')).toHaveLength(5);
  });
});

describe('checkpoints', () => {
  const about = (files: TestFiles): unknown =>
    read(files)[0]?.checkpoints.map(({ path, kind, isComplete }) => [path, kind, isComplete]);

  it('are incomplete without a state, with the mark of a broken save, or without all weights', () => {
    expect(
      about({
        ...checkpoint('a/checkpoint-10', 10, null),
        ...checkpoint('a/checkpoint-20', 20),
        'a/checkpoint-20/checkpoint-is-incomplete.txt': 'Checkpoint started at step 20 and in progress...',
        'a/checkpoint-30/model-00001-of-00002.safetensors': 100,
        'a/checkpoint-30/trainer_state.json': trainerState(30),
        'a/checkpoint-40/model-00001-of-00002.safetensors': 100,
        'a/checkpoint-40/model-00002-of-00002.safetensors': 100,
        'a/checkpoint-40/trainer_state.json': trainerState(40),
        'a/checkpoint-50/pytorch_model_fsdp_0/__0_0.distcp': 100,
        'a/checkpoint-50/trainer_state.json': trainerState(50),
        'a/checkpoint-60/trainer_state.json': trainerState(60),
      }),
    ).toEqual([
      ['a/checkpoint-10', 'adapter', false],
      ['a/checkpoint-20', 'adapter', false],
      ['a/checkpoint-30', 'full', false],
      ['a/checkpoint-40', 'full', true],
      ['a/checkpoint-50', 'unknown', true],
      ['a/checkpoint-60', 'unknown', false],
    ]);
  });

  it('are GGUF files too, in the folder and beside it', () => {
    const runs = read({
      ...TRL_RUN,
      'sft/q8.gguf': 9,
      'sft_gguf/sft.Q4_K_M.gguf': 99,
      'sft_gguf/Modelfile': 'FROM x',
      'sft_gguf/mmproj.gguf': 1,
    });
    const gguf = runs.flatMap(({ folder, checkpoints }) =>
      checkpoints.filter(({ kind }) => kind === 'gguf').map(({ path, bytes }) => [folder, path, bytes]),
    );
    expect(gguf.sort()).toEqual([
      ['sft', 'sft/q8.gguf', 9],
      ['sft', 'sft_gguf/sft.Q4_K_M.gguf', 99],
    ]);
  });

  it('are merged weights below the folder, too', () => {
    expect(
      about({ ...checkpoint('a/checkpoint-20', 20), 'a/merged/model.safetensors': 10, 'a/merged/config.json': '{}' }),
    ).toContainEqual(['a/merged', 'full', true]);
  });

  it('count every file below them', () => {
    const deep = { ...checkpoint('a/checkpoint-20', 20), 'a/checkpoint-20/global_step20/zero.pt': 1_000_000 };
    expect(read(deep)[0]?.checkpoints[0]?.bytes).toBeGreaterThan(1_000_000);
  });
});

describe('other trainings', () => {
  it('are full trainings, with a card that Trainer wrote', () => {
    const files = {
      'full/checkpoint-50/model.safetensors': 1000,
      'full/checkpoint-50/config.json': pythonJson({
        model_type: 'llama',
        transformers_version: '5.18.0',
        hidden_size: 64,
      }),
      'full/checkpoint-50/trainer_state.json': trainerState(50),
      'full/README.md': HF_CARD,
    };
    const [run] = read(files);
    expect([run?.isAdapter?.value, run?.baseModel?.value]).toEqual([false, 'meta-llama/Llama-3.2-1B']);
    expect(run?.datasets?.value).toEqual(['trl-lib/Capybara', 'my-org/extra']);
    expect(run?.parameters.get('learning_rate')).toEqual({
      value: 0.0002,
      source: { file: 'full/README.md', place: 'Training hyperparameters' },
    });
    expect(run?.parameters.get('optimizer')?.value).toBe('adamw_torch');
    expect(run?.parameters.get('model_config.hidden_size')?.value).toBe(64);
    expect([run?.environment.get('peft')?.value, run?.method]).toEqual(['0.21.0', null]);
  });

  it('tell their method by their metrics', () => {
    const dpo = {
      step: 10,
      loss: 0.6,
      'rewards/chosen': 1,
      'rewards/accuracies': 0.5,
      'eval_rewards/accuracies': null,
    };
    const state = trainerState(10, { log_history: [dpo] });
    const [run] = read({ 'dpo/checkpoint-10/trainer_state.json': state });
    expect(run?.method).toEqual({
      value: 'dpo',
      source: { file: 'dpo/checkpoint-10/trainer_state.json', place: 'log_history' },
    });
  });

  it('are trials of a search, each with its settings', () => {
    const trial = (n: number): string =>
      trainerState(50, {
        trial_name: `lr ${n}`,
        trial_params: { learning_rate: n / 1000 },
        is_hyper_param_search: true,
      });
    const runs = read({
      'search/run-0/checkpoint-50/trainer_state.json': trial(1),
      'search/run-1/checkpoint-50/trainer_state.json': trial(2),
    });
    expect(
      runs.map(({ folder, name, parameters }) => [folder, name?.value, parameters.get('learning_rate')?.value]),
    ).toEqual([
      ['search/run-0', 'lr 1', 0.001],
      ['search/run-1', 'lr 2', 0.002],
    ]);
  });

  it('may be the root itself, and come from Windows', () => {
    const state = trainerState(50, { best_model_checkpoint: 'C:\\out\\sft\\checkpoint-50' });
    const [run] = read({ 'checkpoint-50/trainer_state.json': state, 'model.safetensors': 10 });
    expect([run?.folder, run?.outputDir?.value]).toEqual(['', 'C:\\out\\sft']);
    expect(run?.checkpoints.map(({ path }) => path)).toEqual(['checkpoint-50', '']);
  });

  it('have the step that the trainer found best, unless its measure is none', () => {
    const bestOf = (more: Readonly<Record<string, unknown>>) =>
      read({ 'sft/checkpoint-100/trainer_state.json': trainerState(100, more) })[0]?.bestStep?.value ?? null;
    expect(bestOf({})).toBe(50);
    // The best evaluation may lie before the checkpoint that was saved for it.
    expect(bestOf({ best_global_step: 40 })).toBe(50);
    expect(bestOf({ best_global_step: 40, best_model_checkpoint: null })).toBe(40);
    expect(bestOf({ best_metric: Number.NaN })).toBeNull();
  });

  it('list the completions of GRPO', () => {
    const [run] = read({
      'grpo/completions/completions_00100.parquet': 10,
      'grpo/completions/completions_00020.parquet': 10,
      'grpo/completions/notes.txt': 'x',
    });
    expect(run?.rowFiles).toEqual([
      { path: 'grpo/completions/completions_00020.parquet', step: 20 },
      { path: 'grpo/completions/completions_00100.parquet', step: 100 },
    ]);
  });
});

it.each([
  ['a model', { 'm/model.safetensors': 100, 'm/config.json': '{}', 'm/README.md': HF_CARD }],
  ['an adapter', { 'm/adapter_model.safetensors': safetensorsHead(), 'm/adapter_config.json': ADAPTER_CONFIG }],
  ['a GGUF file', { 'm/model.Q4_K_M.gguf': 100, 'm_gguf/model.Q4_K_M.gguf': 100 }],
  [
    'a folder with the name of a checkpoint',
    { 'm/checkpoint-5/notes.txt': 'x', 'm/checkpoint-x/trainer_state.json': 'x' },
  ],
])('sees no run in %s alone', (_name, files) => {
  expect(hfTrainerFormat.recognise(toFolder(files).folders.get('m')!)).toEqual([]);
});

describe('damaged and hostile files', () => {
  const STATE = 'sft/checkpoint-100/trainer_state.json';
  const open = (): ReturnType<typeof readClaims>[number] =>
    readClaims(hfTrainerFormat, TRL_RUN, { times: TRL_TIMES })[0]!;
  const give = (path: string, text: string | Uint8Array): RunEvidence => {
    const { claim, reading } = open();
    const content = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    const kind = claim.files.find((file) => file.path === path)?.read.mode === 'head' ? 'head' : 'whole';
    const change = { path, modifiedAt: 5000, bytes: content.length, kind, content } as const;
    try {
      reading.take(change);
    } catch (error) {
      expect(error).toMatchObject({ name: 'Unreadable' });
    }
    return reading.evidence()[0]!;
  };

  it('asks to open no weights, and of pickles only the arguments of the training', () => {
    const files = readClaims(hfTrainerFormat, TRL_RUN)[0]!.claim.files;
    const opened = files.filter(({ read }) => read.mode !== 'stat').map(({ path }) => path);
    expect(opened.filter((path) => /\.(bin|pt|pth)$/.test(path))).toEqual([
      'sft/training_args.bin',
      'sft/checkpoint-100/training_args.bin',
    ]);
    expect(files.find(({ path }) => path === 'sft/adapter_model.safetensors')?.read).toEqual({
      mode: 'head',
      bytes: 2 ** 20,
    });
  });

  it.each(['', '{', trainerState(90).slice(0, 700), '[]', '{"log_history": {}}', 'null'])(
    'keep the old state: %.20s',
    (text) => {
      expect(pointsOf(give(STATE, text), 'loss')).toHaveLength(10);
    },
  );

  it('leave out rows and values of the wrong kind', () => {
    const rows = [
      1,
      null,
      { loss: 5 },
      { step: 'x', loss: 5 },
      { step: 10, loss: '1.5' },
      { step: 20, loss: 1, extra: [1], n: null },
    ];
    const run = give(
      STATE,
      trainerState(100, { log_history: rows, max_steps: 'x', global_step: null, stateful_callbacks: [] }),
    );
    expect([...run.curves.keys()]).toEqual(['loss']);
    expect(pointsOf(run, 'loss')).toEqual([[20, 1]]);
    expect(run.progress).toMatchObject({ step: null, totalSteps: null });
  });

  it('forget a checkpoint that was deleted', () => {
    const { reading } = open();
    reading.take({ kind: 'gone', path: STATE, modifiedAt: 5000, bytes: 0 });
    expect(pointsOf(reading.evidence()[0], 'loss')).toHaveLength(5);
  });

  it.each([
    ['an adapter config of mlx-lm', 'sft/adapter_config.json', '{"fine_tune_type": "lora", "model": "x"}'],
    ['a card with an endless front matter', 'sft/README.md', `---\n${'a: [\n'.repeat(50_000)}`],
    ['a card whose front matter is nested', 'sft/README.md', `---\nbase_model: ${'['.repeat(10_000)}\n---\n`],
    [
      'a card with a bomb of aliases',
      'sft/README.md',
      `---\na: &a [x,x]\n${[...'bcdefgh'].map((c, i) => `${c}: &${c} [${`*${'abcdefg'[i]},`.repeat(20)}]`).join('\n')}\n---\n`,
    ],
    ['a card of one line', 'sft/README.md', '-'.repeat(300_000)],
    [
      'a header longer than the file',
      'sft/adapter_model.safetensors',
      Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 255),
    ],
    ['a header that is no JSON', 'sft/adapter_model.safetensors', Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 123, 123)],
    [
      'a header with negative and endless shapes',
      'sft/adapter_model.safetensors',
      headerOf({ a: { shape: [1e300, 1e300] }, b: 5 }),
    ],
  ])('go on after %s', (_name, path, text) => {
    const run = give(path, text);
    expect([run.baseModel?.value, run.isAdapter?.value]).toEqual(['Qwen/Qwen3-0.6B', true]);
    expect(pointsOf(run, 'loss')).toHaveLength(10);
  });
});

function headerOf(header: object): Uint8Array {
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeUInt32LE(json.length);
  return Uint8Array.from(Buffer.concat([length, json]));
}
