// Every format of a candidate trains the same way: what counts for the loss, batch, schedule, seed, packing, dropout.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { CONFIGS, formatOf, readYaml, toTestInput } from './exportFormats.fixture.ts';
import type { ConfigId } from './exportFormats.ts';
import type { ExportInput } from './exportInput.ts';
import { toRecipe } from '#features/experiments/shared/defaultTrainingSettings.ts';
import { toShellWords } from '#features/experiments/shared/shell.fixture.ts';

const rowFiles = new Map([['snap', { training: 'x.training.jsonl', validation: 'x.validation.jsonl' }]]);
const of = (more: Partial<Candidate> = {}): ExportInput =>
  toTestInput([toTestCandidate('k', { batch_size: 64, ...more })], { validation: new Map([['snap', 5]]), rowFiles });

/** Names of the fields in each format. */
const SHARED = ['seed', 'lr_scheduler_type', 'warmup_steps', 'optim', 'weight_decay', 'packing', 'lora_dropout'];
const NAMES: Readonly<Record<ConfigId, readonly string[]>> = {
  axolotl: [
    'seed',
    'lr_scheduler',
    'warmup_steps',
    'optimizer',
    'weight_decay',
    'sample_packing',
    'lora_dropout',
    'sequence_len',
    'num_epochs',
  ],
  llamafactory: [...SHARED, 'cutoff_len', 'num_train_epochs'],
  trl: [...SHARED, 'max_length', 'num_train_epochs'],
  unsloth: [...SHARED, 'MAX_LENGTH', 'num_train_epochs'],
};
const MICRO: Readonly<Record<ConfigId, string>> = {
  axolotl: 'micro_batch_size',
  llamafactory: 'per_device_train_batch_size',
  trl: 'per_device_train_batch_size',
  unsloth: 'per_device_train_batch_size',
};

/** A field's value as text, in any format. */
function readField(id: ConfigId, text: string, name: string): string {
  if (id === 'axolotl' || id === 'llamafactory') return String(readYaml(text)[0]?.[name]);
  if (id === 'trl') {
    const words = toShellWords(text);
    return words[words.indexOf(`--${name}`) + 1] ?? '';
  }
  return new RegExp(`^ *${name} ?= ?"?([^",#\\n]+)`, 'm').exec(text)?.[1]?.trim().toLowerCase() ?? '';
}

const readAll = (id: ConfigId, input: ExportInput): readonly string[] => {
  const text = formatOf(id).toText(input);
  const read = (name: string): string => readField(id, text, name);
  const rows = Number(read(MICRO[id])) * Number(read('gradient_accumulation_steps'));
  return [...NAMES[id].map(read), String(rows), read('eval_strategy')];
};
const IDS = CONFIGS.map(({ id }) => id as ConfigId);

it.each(IDS)('%s: the settings are those of the other formats, and the batch is that many rows', (id) => {
  expect(readAll(id, of())).toEqual([
    '42',
    'linear',
    '10',
    'adamw_torch',
    '0',
    'false',
    '0',
    '2048',
    '3',
    '64',
    'epoch',
  ]);
});

it.each(IDS)('%s: a repeat has another seed, also for the adapter; a given one stays', (id) => {
  const repeat = {
    reason_for_recommendation: 'Repeat run Experiment 1 · LoRA (6e-3) with another seed, as a baseline.',
  };
  expect(readAll(id, of(repeat))[0]).toBe('43');
  const extras = [
    { name: 'seed', kind: 'number' as const, value: 7 },
    { name: 'lr_scheduler_type', kind: 'text' as const, value: 'cosine' },
    { name: 'warmup_steps', kind: 'number' as const, value: 0 },
  ];
  expect(readAll(id, of({ ...repeat, extras })).slice(0, 3)).toEqual(['7', 'cosine', '0']);
  if (id === 'unsloth') expect(formatOf(id).toText(of(repeat))).toContain('    random_state=43,');
});

it('every config says which settings are not the service’s', () => {
  for (const { toText } of CONFIGS)
    expect(toText(of())).toContain(
      "# not the service's advice, the same in every format: linear scheduler, 10 steps of warm-up, seed 42, " +
        'adamw_torch optimizer, no weight decay, no packing,',
    );
  const odd = [
    { name: 'seed', kind: 'number' as const, value: 1.5 },
    { name: 'scheduler', kind: 'text' as const, value: 'warp' },
  ];
  expect(toRecipe(toTestCandidate('k', { extras: odd }))).toMatchObject({ seed: 42, scheduler: 'linear' });
});

describe('the loss', () => {
  it('is of the answers alone in every format, and said', () => {
    for (const base_model_id of ['qwen3-0.6b', 'llama3.2-1b', 'phi-4-mini']) {
      const input = of({ base_model_id });
      for (const { toText } of CONFIGS) expect(toText(input)).toMatch(/# Loss: the assistant's turns alone/);
    }
    expect(readYaml(formatOf('axolotl').toText(of()))[0]).toMatchObject({
      train_on_inputs: false,
      datasets: [{ roles_to_train: ['assistant'] }],
    });
    expect(readYaml(formatOf('llamafactory').toText(of()))[0]).toMatchObject({
      train_on_prompt: false,
      mask_history: false,
    });
    expect(formatOf('unsloth').toText(of())).toContain('train_on_responses_only(trainer, ');
    expect(toShellWords(formatOf('trl').toText(of())).join(' ')).toContain('--assistant_only_loss true');
  });

  it('is of every token where no template is known, and then the comment says so', () => {
    const unknown = toTestInput([toTestCandidate('k', { base_model_id: 'org/name' })]);
    for (const id of ['trl', 'unsloth'] as const)
      expect(formatOf(id).toText(unknown)).toMatch(/# Loss: every token, prompts too/);
    const line = /^# trains on every token: no chat template is known for this model;/m;
    expect(formatOf('unsloth').toText(unknown)).toMatch(line);
    expect(formatOf('unsloth').toText(of())).not.toMatch(line);
  });

  it('is of completions in TRL where it has no training template: the rows are split by a program that runs', async () => {
    const words = toShellWords(formatOf('trl').toText(of({ base_model_id: 'llama3.2-1b' })));
    expect(words.join(' ')).toContain('--completion_only_loss true');
    expect(words).not.toContain('--assistant_only_loss');
    const program = words.find((word) => word.startsWith('SPLIT_ROWS='))?.slice('SPLIT_ROWS='.length) ?? '';
    const at = words.indexOf('-c');
    expect(words.slice(at - 1, at + 6)).toEqual([
      'python',
      '-c',
      '$SPLIT_ROWS',
      'x.training.jsonl',
      'rows/x.prompt-completion/training.jsonl',
      'x.validation.jsonl',
      'rows/x.prompt-completion/validation.jsonl',
    ]);
    const hasPython = await promisify(execFile)('python3', ['--version']).then(
      () => true,
      () => false,
    );
    if (!hasPython) return;
    const folder = await mkdtemp(join(tmpdir(), 'split-'));
    const [source, target] = [join(folder, 'in.jsonl'), join(folder, 'out.jsonl')];
    const [system, user, answer] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Ü?' },
      { role: 'assistant', content: 'A "quoted"\nline' },
    ];
    const tools = [{ type: 'function' }];
    await writeFile(source, `${JSON.stringify({ messages: [system, user, answer, user, answer], tools })}\n\n`);
    await promisify(execFile)('python3', ['-IS', '-c', program, source, target]);
    const lines = (await readFile(target, 'utf8')).trimEnd().split('\n');
    await rm(folder, { recursive: true });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { tools, prompt: [system, user], completion: [answer] },
      { tools, prompt: [system, user, answer, user], completion: [answer] },
    ]);
  });
});

const CHOSEN = {
  lora_rank: 4,
  lora_alpha: 12,
  lora_dropout: 0.1,
  target_modules: ['q_proj', 'v_proj'],
  seed: 7,
  warmup_steps: 3,
  weight_decay: 0.05,
  scheduler: 'cosine',
  max_length: 640,
} as const;
const CHOSEN_LINES: Readonly<Record<ConfigId, readonly string[]>> = {
  axolotl: [
    'lora_r: 4',
    'lora_alpha: 12',
    'lora_dropout: 0.1',
    'lora_target_modules:\n  - "q_proj"\n  - "v_proj"',
    'seed: 7',
    'warmup_steps: 3',
    'weight_decay: 0.05',
    'lr_scheduler: "cosine"',
    'sequence_len: 640',
  ],
  llamafactory: [
    'lora_rank: 4',
    'lora_alpha: 12',
    'lora_dropout: 0.1',
    'lora_target: "q_proj,v_proj"',
    'seed: 7',
    'warmup_steps: 3',
    'weight_decay: 0.05',
    'lr_scheduler_type: "cosine"',
    'cutoff_len: 640',
  ],
  trl: [
    '--lora_r 4',
    '--lora_alpha 12',
    '--lora_dropout 0.1',
    '--lora_target_modules q_proj v_proj',
    '--seed 7',
    '--warmup_steps 3',
    '--weight_decay 0.05',
    '--lr_scheduler_type cosine',
    '--max_length 640',
  ],
  unsloth: [
    'r=4,',
    'lora_alpha=12,',
    'lora_dropout=0.1,',
    'target_modules=["q_proj", "v_proj"],',
    'random_state=7,',
    'warmup_steps=3,',
    'weight_decay=0.05,',
    'lr_scheduler_type="cosine",',
    'MAX_LENGTH = 640\n',
  ],
};

it.each(CONFIGS.map(({ id }) => id as ConfigId))(
  '%s has each setting that was chosen, before a run wrote it down',
  (id) => {
    const text = formatOf(id).toText(of({ chosen: CHOSEN }));
    for (const line of CHOSEN_LINES[id]) expect(text).toContain(line);
    expect(text).not.toContain('lora_target_linear');
  },
);
