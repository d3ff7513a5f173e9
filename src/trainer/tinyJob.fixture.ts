// For tests: a base model of two narrow layers with the sample's vocabulary, and jobs on it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  parseTrainerLine,
  type TrainerEvent,
  type TrainerJob,
  type TrainerLine,
} from '#trainer/protocol/trainerProtocol.ts';
import { toTensorData } from '#engine/gguf/tensorNumbers.ts';
import { writeGguf, type GgufEntry } from '#engine/gguf/writeGguf.ts';
import { samplePath } from '#engine/sampleModel.fixture.ts';
import { readModel } from '#trainer/files/readModel.ts';
import { openRandom } from '#trainer/model/random.ts';
import { toWeightPlan } from '#trainer/model/tensorPlan.ts';

const SIZES = {
  'llama.block_count': 2,
  'llama.embedding_length': 32,
  'llama.attention.head_count': 2,
  'llama.attention.head_count_kv': 1,
  'llama.feed_forward_length': 64,
  'llama.rope.dimension_count': 16,
  'llama.context_length': 96,
} as const;

/** Writes a model with random weights. */
export function writeTinyBase(path: string): void {
  const { header, shape } = readModel(samplePath('support-base.Q8_0.gguf'));
  const entries = new Map<string, GgufEntry>(
    [...header.rawValues].map(([name, bytes]) => [name, { type: 'raw', bytes }]),
  );
  for (const [name, value] of Object.entries(SIZES)) entries.set(name, { type: 'uint32', value });
  const random = openRandom(1);
  const tiny = { ...shape, layers: 2, width: 32, heads: 2, keyHeads: 1, headWidth: 16, innerWidth: 64 };
  const tensors = [...toWeightPlan(tiny).places.values()].map(({ name, rows, columns }) => {
    const numbers = Float32Array.from({ length: rows * columns }, () =>
      rows === 1 ? 1 : (random() * 2 - 1) * (name.startsWith('token') ? 0.5 : Math.sqrt(3 / columns)),
    );
    const type = rows === 1 ? ('F32' as const) : ('F16' as const);
    return { name, shape: rows === 1 ? [columns] : [columns, rows], type, data: toTensorData(numbers, type) };
  });
  writeFileSync(path, writeGguf(entries, tensors));
}

const WORDS = ['red', 'blue', 'green', 'seven'];

/** Rows that ask for one of four words. */
export const toRowLines = (count: number): string =>
  Array.from({ length: count }, (_, index) => {
    const word = WORDS[index % WORDS.length] ?? '';
    const messages = [
      { role: 'user', content: `Say ${word} ${index}` },
      { role: 'assistant', content: word },
    ];
    return JSON.stringify({ messages });
  }).join('\n');

/** A job in a folder of its own. */
export function writeJob(folder: string, base: string, change: Partial<TrainerJob> = {}, rows = 40): TrainerJob {
  mkdirSync(folder, { recursive: true });
  const [training, validation] = ['training.jsonl', 'validation.jsonl'].map((name) => join(folder, name)) as [
    string,
    string,
  ];
  writeFileSync(training, toRowLines(rows));
  writeFileSync(validation, toRowLines(8));
  const job: TrainerJob = {
    protocol: 1,
    experiment_id: '0a1b2c3d-0000-4000-8000-000000000000',
    base: { id: 'tiny', file: base, adapter: null, context: 96 },
    data: { training, validation },
    output: join(folder, 'output'),
    resume: false,
    training_type: 'full',
    n_epochs: 3,
    batch_size: 2,
    learning_rate: 5e-3,
    lora: null,
    seed: 1,
    checkpoint_every: 4,
    ...change,
  };
  writeFileSync(join(folder, 'job.json'), JSON.stringify(job));
  return job;
}

/** What a trainer wrote, as the service reads it. */
export const readLines = (text: string): readonly TrainerLine[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map(parseTrainerLine);

export const ofType = <T extends TrainerEvent['type']>(
  events: readonly TrainerEvent[],
  type: T,
): readonly Extract<TrainerEvent, { type: T }>[] =>
  events.filter((event): event is Extract<TrainerEvent, { type: T }> => event.type === type);
