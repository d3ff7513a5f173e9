// Trains the base model from random weights, in steps that a checkpoint keeps.
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { readCheckpoint, replaceFile, writeCheckpoint } from '#server/nano/files/checkpoint.ts';
import { readModel, TrainerError } from '#server/nano/files/readModel.ts';
import { writeModel } from '#server/nano/files/writeModel.ts';
import { toRowLength } from '#server/nano/model/batch.ts';
import { openTransformer } from '#server/nano/model/transformer.ts';
import { loadWeights } from '#server/nano/model/weights.ts';
import { findDivergence } from '#server/nano/training/schedule.ts';
import { openTraining } from '#server/nano/training/training.ts';
import { toCorpusRows } from './corpusRows.ts';

export interface BaseSettings {
  readonly rows: number;
  readonly rate: number;
  /** Sequences of 128 tokens. */
  readonly batchSize: number;
  readonly seed: number;
}

interface BaseFiles {
  /** A model with random weights. */
  readonly start: string;
  readonly checkpoint: string;
  readonly result: string;
}

export interface BaseLink {
  say(line: string): void;
  /** Asked between steps. True: save and end. */
  isStopped(): boolean;
}

const PASS_TOKENS = 1024;
const CHECKPOINT_EVERY = 25;
const SAID_EVERY = 50;

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);

/** Writes `result` in Q8_0, from which fine-tuning begins and which is served. 'stopped': call it again to go on. */
export async function trainBase(
  files: BaseFiles,
  name: string,
  { rows: count, rate, batchSize, seed }: BaseSettings,
  link: BaseLink,
): Promise<'done' | 'stopped'> {
  const source = readModel(files.start);
  const rows = toCorpusRows(source, seed, count);
  const maxRow = Math.max(...rows.map(toRowLength)) + 1;
  const maxTokens = Math.max(PASS_TOKENS, maxRow);
  const model = openTransformer({ shape: source.shape, adapter: null, maxTokens, maxRow });
  loadWeights(model, source);
  const training = openTraining(model, rows, { epochs: 1, batchSize, rate, seed }, maxTokens);
  const hash = createHash('sha256').update(JSON.stringify([rate, batchSize, seed]));
  for (const { tokens, isTarget } of rows) hash.update(tokens).update(isTarget);
  const fingerprint = hash.digest('hex');
  const stored = [model.trained.weights, model.trained.means, model.trained.squares].map((region) =>
    model.memory.machine.floats(region),
  );
  const losses = [...(readCheckpoint(files.checkpoint, fingerprint, stored)?.losses ?? [])];
  link.say(
    `base: ${rows.length} rows, ${training.steps} steps of ${training.tokensPerStep} tokens, ${losses.length} done`,
  );
  const save = (): void =>
    writeCheckpoint(files.checkpoint, { fingerprint, step: losses.length, losses, best: null }, stored);
  const from = process.cpuUsage();
  const begun = losses.length;
  while (losses.length < training.steps) {
    if (link.isStopped()) {
      save();
      return 'stopped';
    }
    losses.push(training.run(losses.length + 1).loss);
    const divergence = findDivergence(losses);
    if (divergence !== null) throw new TrainerError(divergence, 'Lower the rate of the base model.');
    if (losses.length % CHECKPOINT_EVERY === 0) save();
    if (losses.length % SAID_EVERY === 0) {
      const { user, system } = process.cpuUsage(from);
      const seconds = (user + system) / 1e6;
      const left = (seconds / (losses.length - begun)) * (training.steps - losses.length);
      const recent = mean(losses.slice(-SAID_EVERY)).toFixed(3);
      link.say(`base: step ${losses.length}, loss ${recent}, ${(left / 60).toFixed(1)} min of the processor left`);
    }
    await setImmediate();
  }
  save();
  replaceFile(files.result, [writeModel(source.header, name, 'Q8_0', model.tensor)]);
  return 'done';
}
