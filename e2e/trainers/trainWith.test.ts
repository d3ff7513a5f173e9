// Jobs that are handed to other frameworks: what they are called with, and what the studio is told of their lines.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseTrainerLine, trainerJobSchema, type TrainerJob } from '#shared/contract/training/trainerProtocol.ts';

const [WRAPPER, FAKE] = ['trainWith.mjs', 'fakeTrainer.fixture.mjs'].map((name) => join(import.meta.dirname, name)) as [
  string,
  string,
];
const ROW = {
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
    { role: 'user', content: 'Bye' },
    { role: 'assistant', content: 'See you' },
  ],
};

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'train-with-'));
  mkdirSync(join(root, 'bin'));
  for (const name of ['trl', 'axolotl', 'llamafactory-cli', 'tune', 'python3'])
    symlinkSync(FAKE, join(root, 'bin', name));
});
afterEach(() => rmSync(root, { recursive: true }));

function toJob(more: Partial<TrainerJob> = {}): TrainerJob {
  return trainerJobSchema.parse({
    protocol: 1,
    experiment_id: '3f0c1a52-7b1e-4a1d-9c55-0123456789ab',
    base: { id: 'qwen2.5-0.5b', file: null, adapter: null, context: null },
    data: { training: join(root, 'training.jsonl'), validation: join(root, 'validation.jsonl') },
    output: join(root, 'output'),
    resume: false,
    training_type: 'lora',
    n_epochs: 2,
    batch_size: 4,
    learning_rate: 0.0005,
    lora: { rank: 8, alpha: 16 },
    seed: 7,
    checkpoint_every: 25,
    ...more,
  });
}

/** Runs a job as the studio does. */
function train(args: readonly string[], job = toJob(), env: Readonly<Record<string, string>> = {}) {
  const calls = join(root, 'calls');
  writeFileSync(calls, '');
  writeFileSync(join(root, 'job.json'), JSON.stringify(job));
  writeFileSync(job.data.training, `${JSON.stringify(ROW)}\n`.repeat(3));
  writeFileSync(job.data.validation, `${JSON.stringify(ROW)}\n`);
  const PATH = [join(root, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  const { status, stdout } = spawnSync(process.execPath, [WRAPPER, ...args, join(root, 'job.json')], {
    env: { PATH, FAKE_CALLS: calls, LLAMA_CPP: '/llama.cpp', ...env },
    encoding: 'utf8',
  });
  const events = stdout.trim().split('\n').map(parseTrainerLine);
  expect(events.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  const lines = readFileSync(calls, 'utf8').trim().split('\n').filter(Boolean);
  return { status, events, calls: lines.map((line) => JSON.parse(line) as string[]) };
}
const read = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
const MODEL = ['--model', 'qwen2.5-0.5b=Qwen/Qwen2.5-0.5B-Instruct'];

it.each([
  [
    'trl',
    'trl',
    ['sft', '--config'],
    { num_train_epochs: 2, per_device_train_batch_size: 4, lora_r: 8, use_peft: true },
  ],
  ['axolotl', 'axolotl', ['train'], { num_epochs: 2, micro_batch_size: 4, lora_r: 8, adapter: 'lora' }],
  ['llama-factory', 'llamafactory-cli', ['train'], { num_train_epochs: 2, lora_rank: 8, finetuning_type: 'lora' }],
  [
    'unsloth',
    'python3',
    [join(import.meta.dirname, 'unslothJob.py')],
    { lora: { rank: 8, alpha: 16 }, in_4bit: false },
  ],
] as const)('%s gets its config, and its lines become events', (framework, program, start, settings) => {
  const { status, events, calls } = train([framework, ...MODEL]);
  expect(status).toBe(0);
  const [trained = [], converted = []] = calls;
  expect(trained.slice(0, -1)).toEqual([program, ...start]);
  const config = read(trained.at(-1) ?? '');
  expect(config).toMatchObject(settings);
  expect(JSON.stringify(config)).toContain('"learning_rate":0.0005');
  expect(JSON.stringify(config)).toContain('Qwen/Qwen2.5-0.5B-Instruct');
  expect(converted.slice(0, 4)).toEqual([
    'python3',
    '/llama.cpp/convert_lora_to_gguf.py',
    '--base-model-id',
    'Qwen/Qwen2.5-0.5B-Instruct',
  ]);
  expect(events.filter(({ type }) => type !== 'log')).toMatchObject([
    { type: 'start', steps: 2 },
    { type: 'progress', step: 1, loss: 2, gradient_norm: 1.5, learning_rate: 0.001, epoch: 0.5 },
    { type: 'progress', step: 2, loss: 1, gradient_norm: null, learning_rate: 0.0005, epoch: 1 },
    { type: 'validation', step: 2, loss: 0.75 },
    { type: 'result', model: { kind: 'adapter', file: join(root, 'output', 'adapter.gguf') } },
  ]);
  expect(readFileSync(join(root, 'output', 'adapter.gguf'), 'utf8')).toBe('GGUF');
});

it('torchtune gets its overrides, and its lines become events', () => {
  const config = ['--config', 'qwen2_5/0.5B_lora_single_device'];
  const { status, events, calls } = train(['torchtune', ...MODEL, ...config]);
  expect(status).toBe(0);
  expect(calls[0]?.slice(0, 5)).toEqual(['tune', 'run', 'lora_finetune_single_device', ...config]);
  expect(calls[0]).toEqual(
    expect.arrayContaining(['epochs=2', 'batch_size=4', 'optimizer.lr=0.0005', 'model.lora_rank=8', 'seed=7']),
  );
  expect(events.find(({ type }) => type === 'progress')).toMatchObject({ step: 1, loss: 2, tokens_per_second: 512.5 });
  const without = train(['torchtune', ...MODEL]);
  expect([without.status, without.events.at(-1)?.type]).toEqual([1, 'failure']);
});

it('a base model whose name is a flag is handed to no program', () => {
  const { base } = toJob();
  const { status, events, calls } = train(['trl'], toJob({ base: { ...base, id: '--outfile=/etc/x' } }));
  expect([status, calls]).toEqual([1, []]);
  expect(events.at(-1)).toMatchObject({ reason: expect.stringContaining('not known which weights') as string });
});

it('TRL gets a row for each answer; all weights are written as a whole model', () => {
  const { events, calls } = train(['trl', ...MODEL], toJob({ training_type: 'full', lora: null }));
  const config = read(calls[0]?.at(-1) ?? '');
  expect(config['use_peft']).toBeUndefined();
  const rows = readFileSync(join(String(config['dataset_name']), 'train.jsonl'), 'utf8')
    .trim()
    .split('\n');
  expect(rows).toHaveLength(6);
  expect(JSON.parse(rows[1] ?? '')).toEqual({ prompt: ROW.messages.slice(0, 3), completion: ROW.messages.slice(3) });
  expect(calls[1]?.[1]).toBe('/llama.cpp/convert_hf_to_gguf.py');
  expect(events.at(-1)).toMatchObject({ type: 'result', model: { kind: 'gguf' } });
});

it.each([
  ['an unknown framework', ['other', ...MODEL], {}, /There is no framework other/],
  ['a base model that nobody knows', ['trl'], {}, /not known which weights qwen2\.5-0\.5b has/],
  [
    'a framework that fails',
    ['trl', ...MODEL],
    { FAKE_FAILS: '1' },
    /ended with 1\. Its last line: torch\.OutOfMemory/,
  ],
  ['a program that is not there', ['trl', ...MODEL], { PATH: '/nowhere' }, /ended with there is no program trl/],
])('%s: a failure with its reason', (_, args, env, reason) => {
  const { status, events } = train(args, toJob(), env);
  expect(status).toBe(1);
  expect(events.at(-1)).toMatchObject({ type: 'failure', reason: expect.stringMatching(reason) as string });
});
