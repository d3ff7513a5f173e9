import { describe, expect, it } from 'vitest';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toTestInput } from './exportFormats.fixture.ts';
import { toUnslothRun } from './runUnslothConfig.ts';

const toRun = (recorded: Readonly<Record<string, string | number>>, more: Partial<Candidate> = {}): Candidate =>
  toTestCandidate('run-a', {
    origin: 'run',
    label: 'run-a',
    base_model_id: 'Qwen/Qwen3-0.6B',
    extras: Object.entries(recorded).map(([name, value]) => ({ name, kind: 'text', value })),
    ...more,
  });
const write = (run: Candidate, baseline: Candidate | null = null): string =>
  toUnslothRun(run, 0, toTestInput([run], { isOfFolder: true, baseline }));

const WHOLE = toRun({
  method: 'sft',
  datasets: 'trl-lib/Capybara',
  max_length: 1024,
  seed: 7,
  lora_rank: 8,
  lora_alpha: 32,
  lora_targets: 'k_proj, q_proj',
});

describe('a run of a folder as a cell for Unsloth', () => {
  it('has what the run recorded, each in its place', () => {
    const text = write(WHOLE);
    expect(text).toContain('BASE_MODEL = "Qwen/Qwen3-0.6B"\nDATA = "trl-lib/Capybara"');
    expect(text).toContain('TRAINING = "lora"');
    expect(text).toContain(
      '    model_name=BASE_MODEL,\n    max_seq_length=1024,\n    load_in_4bit=TRAINING == "qlora",',
    );
    expect(text).toContain('        r=8,\n        lora_alpha=32,\n        target_modules=["k_proj", "q_proj"],\n    )');
    expect(text).toMatch(/SFTConfig\(\n(?: {4}.*\n)* {4}seed=7,/);
    expect(text).toMatch(/learning_rate=0\.0002,/);
    expect(text).not.toMatch(/lora_dropout|weight_decay|optim=/);
  });

  it('stops where the run says nothing: the trainer’s own default would be another training', () => {
    const text = write(
      toRun({}, { base_model_id: 'unknown', training_type: null, learning_rate_multiplier: null, batch_size: null }),
    );
    for (const name of ['BASE_MODEL', 'DATA', 'LEARNING_RATE', 'TRAINING'])
      expect(text).toContain(`assert ${name}, "Set`);
    expect(text).toContain('    learning_rate=LEARNING_RATE,');
    expect(text).toMatch(/# not recorded.*full or LoRA/);
  });

  it('tells quantized adapters and full training apart', () => {
    expect(write(toRun({ load_in_4bit: 'true' }))).toContain('TRAINING = "qlora"');
    const full = write(toRun({ lora_rank: 8 }, { training_type: 'full' }));
    expect(full).toContain('TRAINING = "full"');
    expect(full).not.toContain('        r=8');
  });

  it.each([
    ['me/chats', 'load_dataset(DATA, split="train")'],
    ['data/a.JSONL', 'load_dataset("json", data_files=DATA, split="train")'],
    ['a.csv', 'load_dataset("csv", data_files=DATA, split="train")'],
  ])('loads %s', (datasets, load) => expect(write(toRun({ datasets }))).toContain(`train_dataset=${load},`));

  it('takes one dataset: of several a person chooses', () => {
    expect(write(toRun({ datasets: 'a, b' }))).toContain('DATA = None  # the run used several: a, b');
  });

  it('says what changed since a baseline, at its line', () => {
    const next = toRun({ method: 'sft', max_length: 2048, seed: 7, lora_rank: 8, lora_alpha: 32 }, { key: 'run-b' });
    const text = write(next, WHOLE);
    expect(text).toMatch(/max_seq_length=2048, {2}# changed: 1024 in /);
    expect(text).toMatch(/^# changed: only .* has target_modules \["k_proj", "q_proj"\]$/m);
    expect(text.match(/changed:/g)).toHaveLength(2);
  });

  it('passes the word for all layers as a word', () => {
    expect(write(toRun({ lora_targets: 'all-linear' }))).toContain('target_modules="all-linear",');
  });
});
