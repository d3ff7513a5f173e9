// Trains the base model from random weights, in steps that a checkpoint keeps.
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { readCheckpoint, replaceFile, writeCheckpoint } from '#server/nano/files/checkpoint.ts';
import { readModel, TrainerError, type ModelSource } from '#server/nano/files/readModel.ts';
import { writeModel } from '#server/nano/files/writeModel.ts';
import { toRowLength } from '#server/nano/model/batch.ts';
import { openTransformer } from '#server/nano/model/transformer.ts';
import { loadWeights } from '#server/nano/model/weights.ts';
import { findDivergence } from '#server/nano/training/schedule.ts';
import { openTraining } from '#server/nano/training/training.ts';
import { openCorpus } from './corpusRows.ts';

export interface BaseSettings {
  /** Of the first stage, which repeat words. */
  readonly copyRows: number;
  /** Of the second stage. */
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

/** Training from random weights in two stages: copying, then everything. A stage has its own rows and its own rate's course. */
function openStages(source: ModelSource, { copyRows, rows, rate, batchSize, seed }: BaseSettings) {
  const corpus = openCorpus(source, seed);
  const sets = [corpus.toCopyRows(copyRows), corpus.toRows(rows)];
  const maxRow = Math.max(...sets.flat().map(toRowLength)) + 1;
  const maxTokens = Math.max(PASS_TOKENS, maxRow);
  const model = openTransformer({ shape: source.shape, adapter: null, maxTokens, maxRow });
  loadWeights(model, source);
  const stages = sets.map((set) => openTraining(model, set, { epochs: 1, batchSize, rate, seed }, maxTokens));
  const hash = createHash('sha256').update(JSON.stringify([rate, batchSize, seed]));
  for (const { tokens, isTarget } of sets.flat()) hash.update(tokens).update(isTarget);
  return { model, stages, fingerprint: hash.digest('hex') };
}

/** Writes `result` in Q8_0, from which fine-tuning begins and which is served. 'stopped': call it again to go on. */
export async function trainBase(
  files: BaseFiles,
  name: string,
  settings: BaseSettings,
  link: BaseLink,
): Promise<'done' | 'stopped'> {
  const source = readModel(files.start);
  const { model, stages, fingerprint } = openStages(source, settings);
  const { weights, means, squares } = model.trained;
  const stored = [weights, means, squares].map((region) => model.memory.machine.floats(region));
  const moments = stored.slice(1);
  const losses = [...(readCheckpoint(files.checkpoint, fingerprint, stored)?.losses ?? [])];
  const steps = stages.reduce((sum, stage) => sum + stage.steps, 0);
  link.say(`base: ${steps} steps of about ${stages.at(-1)?.tokensPerStep} tokens, ${losses.length} done`);
  const save = (): void =>
    writeCheckpoint(files.checkpoint, { fingerprint, step: losses.length, losses, best: null }, stored);
  const from = process.cpuUsage();
  const begun = losses.length;
  let before = 0;
  for (const stage of stages) {
    while (losses.length < before + stage.steps) {
      if (link.isStopped()) {
        save();
        return 'stopped';
      }
      // AdamW counts its steps from the beginning of a stage.
      if (losses.length === before) for (const moment of moments) moment.fill(0);
      losses.push(stage.run(losses.length - before + 1).loss);
      const divergence = findDivergence(losses.slice(before));
      if (divergence !== null) throw new TrainerError(divergence, 'Lower the rate of the base model.');
      if (losses.length % CHECKPOINT_EVERY === 0) save();
      if (losses.length % SAID_EVERY === 0) {
        const { user, system } = process.cpuUsage(from);
        const left = ((user + system) / 60e6 / (losses.length - begun)) * (steps - losses.length);
        const recent = mean(losses.slice(-SAID_EVERY)).toFixed(3);
        link.say(`base: step ${losses.length}, loss ${recent}, ${left.toFixed(1)} min of the processor left`);
      }
      await setImmediate();
    }
    before += stage.steps;
  }
  save();
  replaceFile(files.result, [writeModel(source.header, name, 'Q8_0', model.tensor)]);
  return 'done';
}
