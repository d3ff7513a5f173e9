// For tests: jobs that are handed to frameworks whose programs write down what they are called with.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { parseTrainerLine, trainerJobSchema, type TrainerJob } from '#trainer/protocol/trainerProtocol.ts';
import { toTrainerCommand } from './namedTrainers.ts';

export const FAKE = join(import.meta.dirname, 'fakeTrainer.fixture.mjs');
export const ROW = {
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
    { role: 'user', content: 'Bye' },
    { role: 'assistant', content: 'See you' },
  ],
};

export let root: string;

/** For the top level of a test file: a new folder with the frameworks' programs for each of its tests. */
export function useFrameworks(): void {
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'train-with-'));
    mkdirSync(join(root, 'bin'));
    for (const name of ['trl', 'axolotl', 'accelerate', 'llamafactory-cli', 'swift', 'python3'])
      symlinkSync(FAKE, join(root, 'bin', name));
  });
  afterEach(() => rmSync(root, { recursive: true }));
}

export function toJob(more: Partial<TrainerJob> = {}): TrainerJob {
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
export function train(
  args: readonly string[],
  job = toJob(),
  env: Readonly<Record<string, string>> = {},
  rows = 3,
  row: object = ROW,
) {
  const calls = join(root, 'calls');
  writeFileSync(calls, '');
  writeFileSync(join(root, 'job.json'), JSON.stringify(job));
  writeFileSync(job.data.training, `${JSON.stringify(row)}\n`.repeat(rows));
  writeFileSync(job.data.validation, `${JSON.stringify(row)}\n`);
  const PATH = [join(root, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  const [program = '', ...words] = toTrainerCommand(args, root);
  const { status, stdout } = spawnSync(program, [...words, join(root, 'job.json')], {
    env: { PATH, FAKE_CALLS: calls, ...env },
    encoding: 'utf8',
  });
  const events = stdout.trim().split('\n').map(parseTrainerLine);
  expect(events.flatMap(({ problem }) => problem ?? [])).toEqual([]);
  const lines = readFileSync(calls, 'utf8').trim().split('\n').filter(Boolean);
  return { status, events, calls: lines.map((line) => JSON.parse(line) as string[]) };
}
export const read = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
export const MODEL = ['--model', 'qwen2.5-0.5b=Qwen/Qwen2.5-0.5B-Instruct'];
