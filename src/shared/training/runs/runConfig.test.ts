import { describe, expect, it } from 'vitest';
import type { Candidate } from '#shared/training/candidates.ts';
import { toTestCandidate } from '#shared/training/candidate.fixture.ts';
import { formatOf, readYaml, toTestInput } from '#shared/training/exportFormats.fixture.ts';
import type { ExtraParameter } from '#shared/training/extraParameters.ts';
import { toRunConfig } from './runConfig.ts';
import { findRunProblem, type RunTrainer } from './runSettings.ts';

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
    const flags = write('trl', toRun('x', { ...RECORDED, datasets: '--push_to_hub', scheduler: '-x' }));
    expect(flags).toContain('--dataset_name=--push_to_hub ');
    expect(flags).toContain('--lr_scheduler_type=-x ');
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
    expect(formatOf('axolotl').findProblem(input)).toBe('It has no config for GRPO here. trl: yes.');
    expect(formatOf('unsloth').findProblem(input)).toContain('no config for GRPO');
  });
});
