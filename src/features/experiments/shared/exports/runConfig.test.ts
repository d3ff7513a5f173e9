import { describe, expect, it } from 'vitest';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import { formatOf, readYaml, toTestInput } from './exportFormats.fixture.ts';
import type { ExtraParameter } from '#features/experiments/shared/extraParameters.ts';
import { toRunConfig } from './runConfig.ts';
import { RUN_FORMATS } from './exportFormats.ts';
import { findRunProblem } from './runSettings.ts';
import type { RunTrainer } from '#features/runs/shared/settings/settingRecord.ts';

const RECORDED = {
  method: 'sft',
  datasets: 'trl-lib/Capybara',
  max_length: 1024,
  max_steps: 500,
  scheduler: 'cosine_with_restarts',
  warmup_ratio: 0.03,
  optimizer: 'adamw_torch',
  weight_decay: 0.01,
  seed: 7,
  lora_rank: 8,
  lora_alpha: 32,
  lora_dropout: 0.05,
  lora_targets: 'k_proj, q_proj',
};

const toRun = (key: string, recorded: Readonly<Record<string, string | number>>, more: Partial<Candidate> = {}) =>
  toTestCandidate(key, {
    origin: 'run',
    label: key,
    snapshot_id: null,
    base_model_id: 'Qwen/Qwen3-0.6B',
    extras: Object.entries(recorded).map(([name, value]): ExtraParameter => ({ name, kind: 'text', value })),
    ...more,
  });

const WHOLE = toRun('run-a', RECORDED);
const BARE = toRun(
  'bare',
  {},
  { base_model_id: 'unknown', training_type: null, n_epochs: null, batch_size: null, learning_rate_multiplier: null },
);
const write = (trainer: RunTrainer, run: Candidate, baseline: Candidate | null = null): string =>
  toRunConfig(toTestInput([run], { isOfFolder: true, baseline }), trainer);

describe('a run of a folder as a config', () => {
  it('has in Axolotl what the run recorded', () => {
    expect(readYaml(write('axolotl', WHOLE))[0]).toEqual({
      base_model: 'Qwen/Qwen3-0.6B',
      adapter: 'lora',
      lora_r: 8,
      lora_alpha: 32,
      lora_dropout: 0.05,
      lora_target_modules: ['k_proj', 'q_proj'],
      sequence_len: 1024,
      num_epochs: 3,
      max_steps: 500,
      learning_rate: 2e-4,
      lr_scheduler: 'cosine_with_restarts',
      warmup_ratio: 0.03,
      optimizer: 'adamw_torch',
      weight_decay: 0.01,
      seed: 7,
      micro_batch_size: 4,
      gradient_accumulation_steps: 2,
      datasets: [{ path: 'trl-lib/Capybara', type: 'chat_template' }],
      output_dir: expect.any(String) as string,
    });
    expect(write('axolotl', WHOLE)).not.toContain('# not recorded, so');
  });

  it('has the same in LLaMA-Factory', () => {
    expect(readYaml(write('llama-factory', WHOLE))[0]).toMatchObject({
      model_name_or_path: 'Qwen/Qwen3-0.6B',
      stage: 'sft',
      finetuning_type: 'lora',
      lora_rank: 8,
      lora_target: 'k_proj,q_proj',
      cutoff_len: 1024,
      per_device_train_batch_size: 4,
      dataset: 'trl-lib/Capybara',
    });
  });

  it('has the same in TRL', () => {
    const text = write('trl', WHOLE);
    expect(text).toContain('trl sft \\\n  --model_name_or_path Qwen/Qwen3-0.6B \\\n  --use_peft');
    for (const flag of ['--lora_target_modules k_proj q_proj', '--max_length 1024', '--dataset_name trl-lib/Capybara'])
      expect(text).toContain(flag);
  });

  it.each(['axolotl', 'llama-factory'] as const)(
    'invents nothing in %s, and stops where a trainer would',
    (trainer) => {
      const text = write(trainer, BARE);
      expect(text).toContain('*set_the_learning_rate');
      expect(text).toMatch(/\*set_the_(base_model|model_name_or_path)/);
      expect(text).toContain('FILL_IN');
      expect(text).toMatch(
        /# not recorded.*base model.*sequence length.*seed.*full or LoRA.*method.*rows of a batch, data/,
      );
      expect(text).not.toMatch(/^(?:seed|optim|optimizer|adapter|finetuning_type|weight_decay|lora_\w+):/m);
    },
  );

  it('stops in the shell for what is missing', () => {
    for (const name of ['BASE_MODEL', 'LEARNING_RATE', 'DATASET'])
      expect(write('trl', BARE)).toContain(`"\${${name}:?`);
  });

  it("tells QLoRA by the trainer's own settings, and takes one dataset for TRL", () => {
    const run = toRun('q', { ...RECORDED, adapter: 'qlora', datasets: 'me/cats, dogs.jsonl' });
    expect(readYaml(write('axolotl', run))[0]).toMatchObject({
      adapter: 'qlora',
      load_in_4bit: true,
      datasets: [{ path: 'me/cats' }, { path: 'dogs.jsonl' }],
    });
    expect(write('trl', run)).toContain('# data: me/cats, dogs.jsonl');
    expect(write('trl', run)).toContain('--dataset_name "${DATASET:?the run used several');
  });

  it('says what changed since a baseline, at its line', () => {
    const next = toRun('run-b', { ...RECORDED, seed: 8 }, { learning_rate_multiplier: 1e-4 });
    const text = write('axolotl', next, WHOLE);
    expect(text).toMatch(/^seed: 8 {2}# changed: 7 in .*run-a/m);
    expect(text).toMatch(/^learning_rate: 0\.0001 {2}# changed: 0\.0002 in /m);
    expect(text.match(/changed:/g)).toHaveLength(2);
    expect(write('trl', next, WHOLE)).toMatch(/^# changed: --seed was 7 in /m);
    const less = toRun('run-c', { ...RECORDED, weight_decay: '' });
    expect(write('axolotl', { ...less, extras: less.extras.filter(({ value }) => value !== '') }, WHOLE)).toMatch(
      /^# changed: only .*run-a.* has weight_decay 0\.01$/m,
    );
    expect(write('axolotl', WHOLE, WHOLE)).not.toContain('changed:');
  });

  it('keeps hostile names in their place', () => {
    const text = write('trl', toRun('x', { ...RECORDED, datasets: "a'; rm -rf / #\nb" }));
    expect(text).toContain(String.raw`--dataset_name 'a'\''; rm -rf / #`);
    const flags = write('trl', toRun('x', { ...RECORDED, datasets: '--push_to_hub', packing_strategy: '-x' }));
    expect(flags).toContain('--dataset_name=--push_to_hub ');
    expect(flags).toContain('--packing_strategy=-x ');
    const yaml = readYaml(write('axolotl', toRun('x\nseed: 9', { ...RECORDED, datasets: 'a"\nb' })));
    expect(yaml[0]).toMatchObject({ seed: 7, datasets: [{ path: 'a"\nb' }] });
  });
});

describe('methods', () => {
  it('are written where a trainer has them', () => {
    const run = toRun('d', { ...RECORDED, method: 'dpo' });
    expect(readYaml(write('axolotl', run))[0]).toMatchObject({ rl: 'dpo' });
    expect(readYaml(write('llama-factory', run))[0]).toMatchObject({ stage: 'dpo' });
    expect(write('trl', run)).toContain('trl dpo ');
  });

  it('are refused where it has none', () => {
    const input = toTestInput([toRun('g', { ...RECORDED, method: 'grpo' })], { isOfFolder: true });
    expect(findRunProblem(input, 'trl')).toBeNull();
    expect(toRunConfig(input, 'trl')).toContain('--reward_funcs "${REWARD_FUNCS:?');
    expect(formatOf('axolotl').findProblem(input)).toBe('It has no config for GRPO here. TRL, ms-swift: yes.');
    expect(formatOf('unsloth').findProblem(input)).toContain('no config for GRPO');
  });
});

/** As a job sends the settings of today's trainers. */
const toModern = (
  method: string,
  more: Readonly<Record<string, string | number | boolean>>,
  rest: Partial<Candidate> = {},
) =>
  toTestCandidate('m', {
    origin: 'run',
    label: 'm',
    base_model_id: 'Qwen/Qwen3-0.6B',
    batch_size: 32,
    extras: Object.entries({ ...RECORDED, method, warmup_ratio: 0.2, ...more }).map(([name, value]) => ({
      name,
      kind: 'text' as const,
      value,
    })),
    ...rest,
  });
const ALL = RUN_FORMATS.filter(({ kind }) => kind === 'config');
const writeAs = (id: string, run: Candidate): string =>
  ALL.find((format) => format.id === id)!.toText(toTestInput([run], { isOfFolder: true }));

describe('what a run recorded', () => {
  const DORA = toModern('sft', {
    use_rslora: true,
    use_dora: true,
    init_lora_weights: 'pissa_niter_4',
    modules_to_save: 'embed_tokens, lm_head',
    rank_pattern: '{"q_proj":12}',
    layers_to_transform: '[0,1]',
    max_grad_norm: 0,
    bf16: false,
    packing: true,
    assistant_only_loss: true,
    loss_type: 'dft',
    per_device_train_batch_size: 32,
    gradient_accumulation_steps: 1,
    num_devices: 1,
  });

  it.each<[string, readonly string[], readonly string[]]>([
    [
      'trl',
      [
        '--use_rslora true',
        '--use_dora true',
        '--lora_modules_to_save embed_tokens lm_head',
        '--warmup_steps 0.2',
        '--max_grad_norm 0',
        '--bf16 false',
        '--packing true',
        '--assistant_only_loss true',
        '--loss_type dft',
        '--per_device_train_batch_size 32',
        '--gradient_accumulation_steps 1',
        '--report_to tensorboard',
      ],
      ['init_lora_weights "pissa_niter_4"', 'rank_pattern {"q_proj":12}', 'layers_to_transform [0,1]'],
    ],
    [
      'trl-yaml',
      [
        'use_rslora: true',
        'warmup_steps: 0.2',
        'report_to: "tensorboard"',
        'lora_target_modules: ["k_proj", "q_proj"]',
      ],
      ['rank_pattern'],
    ],
    [
      'axolotl',
      [
        'peft_use_rslora: true',
        'peft_use_dora: true',
        'peft_init_lora_weights: "pissa_niter_4"',
        'lora_modules_to_save: ["embed_tokens", "lm_head"]',
        'peft_layers_to_transform: [0,1]',
        'warmup_ratio: 0.2',
        'lora_rank_pattern: {"q_proj":12}',
        'sample_packing: true',
        'micro_batch_size: 32',
      ],
      ['assistant_only_loss true', 'loss_type "dft"'],
    ],
    [
      'llamafactory',
      [
        'use_rslora: true',
        'use_dora: true',
        'pissa_init: true',
        'pissa_iter: 4',
        'additional_target: "embed_tokens,lm_head"',
        'warmup_ratio: 0.2',
        'use_dft_loss: true',
        'bf16: false',
        'max_grad_norm: 0',
      ],
      ['rank_pattern', 'layers_to_transform'],
    ],
    [
      'unsloth',
      [
        '        use_rslora=True,',
        '        init_lora_weights="pissa_niter_4",',
        '        layers_to_transform=[0, 1],',
        '    warmup_steps=0.2,',
        '    report_to="tensorboard",',
      ],
      ['use_dora true', 'rank_pattern'],
    ],
    [
      'ms-swift',
      ['swift sft', '--use_rslora true', '--tuner_type lora', '--init_weights pissa_niter_4'],
      ['rank_pattern'],
    ],
    [
      'torchtune',
      ['model.use_dora=true', "model.lora_attn_modules='[q_proj,k_proj]'", 'dtype=fp32'],
      ['use_rslora true'],
    ],
    [
      'litgpt',
      [
        'litgpt finetune_lora \\\n  Qwen/Qwen3-0.6B \\',
        '--lora_query true',
        '--lora_value false',
        '--precision 32-true',
      ],
      ['use_dora true'],
    ],
  ])('is written in %s, or named as without a place', (id, lines, homeless) => {
    const text = writeAs(id, DORA);
    for (const line of lines) expect(text).toContain(line);
    const named = /^# recorded, but has no place here: .*$/m.exec(text)?.[0] ?? '';
    for (const name of homeless) expect(named).toContain(name);
    // One or the other.
    for (const line of lines) expect(named).not.toContain(line.trim().split(/[ =:]/)[0]!.replace(/^--/, ''));
  });

  it('is the adapter_config of PEFT', () => {
    expect(JSON.parse(writeAs('peft', DORA))).toEqual({
      base_model_name_or_path: 'Qwen/Qwen3-0.6B',
      peft_type: 'LORA',
      task_type: 'CAUSAL_LM',
      r: 8,
      lora_alpha: 32,
      lora_dropout: 0.05,
      target_modules: ['k_proj', 'q_proj'],
      use_rslora: true,
      use_dora: true,
      init_lora_weights: 'pissa_niter_4',
      modules_to_save: ['embed_tokens', 'lm_head'],
      rank_pattern: { q_proj: 12 },
      layers_to_transform: [0, 1],
    });
    const full = toTestInput([toModern('sft', {}, { training_type: 'full' })], { isOfFolder: true });
    expect(ALL.find(({ id }) => id === 'peft')?.findProblem(full)).toContain('all weights were trained');
  });

  it.each<[string, Readonly<Record<string, string | number | boolean>>, readonly string[]]>([
    ['dpo', { beta: 0.2, loss_type: '["sigmoid"]' }, ['--beta 0.2', '--loss_type sigmoid', '--max_length 1024']],
    ['kto', { beta: 0.2, desirable_weight: 1.5 }, ['--beta 0.2', '--desirable_weight 1.5']],
    [
      'grpo',
      { num_generations: 4, max_completion_length: 16, beta: 0.04, reward_weights: '[1,0.5]' },
      ['--num_generations 4', '--max_completion_length 16', '--beta 0.04', '--reward_weights 1 0.5', '--reward_funcs '],
    ],
    ['rloo', { num_generations: 2, normalize_advantages: false }, ['--normalize_advantages false', '--reward_funcs ']],
    ['reward', { center_rewards_coefficient: 0.01 }, ['trl reward', '--center_rewards_coefficient 0.01']],
    ['distillation', { beta: 0.5 }, ['trl distillation', '--teacher_model_name_or_path "${TEACHER:?']],
  ])('of the method %s is written for TRL', (method, more, flags) => {
    const text = writeAs('trl', toModern(method, more));
    expect(text).toContain(`trl ${method} \\`);
    for (const flag of flags) expect(text).toContain(flag);
    // The parser refuses a flag of another method.
    if (method === 'grpo') expect(text).not.toContain('--max_length');
  });

  it('of DPO has the names of other trainers', () => {
    const run = toModern('dpo', { beta: 0.2, loss_type: '["sigmoid"]' });
    expect(readYaml(writeAs('llamafactory', run))[0]).toMatchObject({ pref_beta: 0.2, pref_loss: 'sigmoid' });
    expect(readYaml(writeAs('axolotl', run))[0]).toMatchObject({ rl: 'dpo', rl_beta: 0.2, dpo_loss_type: ['sigmoid'] });
  });

  it('is no optimizer or scheduler that a trainer does not know', () => {
    const run = toModern('sft', { optimizer: 'adam', scheduler: 'cosine to 10 %' });
    for (const id of ['trl', 'axolotl', 'llamafactory', 'unsloth', 'ms-swift']) {
      const text = writeAs(id, run);
      expect(text).toMatch(/no place here: .*scheduler "cosine to 10 %".*optimizer "adam"/);
      expect(text).not.toMatch(/^\s*(?:--)?optim(?:izer)?[:= ]+"?adam"?/m);
    }
    expect(writeAs('trl', toModern('sft', { optimizer: 'torch.optim.AdamW' }))).toContain('--optim adamw_torch ');
  });

  it('is one target of an adapter, which TRL would take for a pattern', () => {
    const toFlag = (lora_targets: string): string | undefined =>
      /--lora_target_modules (.*) \\$/m.exec(writeAs('trl', toModern('sft', { lora_targets })))?.[1];
    expect(['q_proj', 'all-linear', '.*_proj'].map(toFlag)).toEqual(['q_proj q_proj', 'all-linear', "'.*_proj'"]);
  });

  it('has the base model of its facts: a path, or a name that no hub has', () => {
    const path = toModern('sft', { base_model_path: '/models/support-base' }, { base_model_id: 'support-base' });
    expect(writeAs('trl', path)).toContain('--model_name_or_path /models/support-base ');
    expect(writeAs('trl', toModern('sft', {}, { base_model_id: 'mine' }))).toContain('--model_name_or_path mine ');
    expect(writeAs('trl', path)).not.toMatch(/# not recorded.*base model/);
  });

  it('says how many devices made a batch', () => {
    const run = toModern('sft', { per_device_train_batch_size: 4, gradient_accumulation_steps: 2, num_devices: 4 });
    expect(writeAs('axolotl', run)).toContain('micro_batch_size: 4  # as recorded: 4 x 2 x 4 devices = 32 rows a step');
  });
});

it('an adapter that is no LoRA has no config, and the reason names it', () => {
  const run = toModern('sft', {}, { training_type: 'ia3' });
  for (const { findProblem } of ALL) expect(findProblem(toTestInput([run], { isOfFolder: true }))).toContain('IA3');
});

it('runs of folders have more formats than recommendations', () => {
  expect(RUN_FORMATS.map(({ id }) => id).join(' ')).toBe(
    'create curl axolotl llamafactory trl unsloth trl-yaml ms-swift torchtune litgpt peft csv json',
  );
});
