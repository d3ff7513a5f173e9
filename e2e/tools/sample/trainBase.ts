// Trains the base model from random weights, in steps that a checkpoint keeps.
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { readCheckpoint, replaceFile, writeCheckpoint } from '#trainer/files/checkpoint.ts';
import { readModel, TrainerError, type ModelSource } from '#trainer/files/readModel.ts';
import { writeModel } from '#trainer/files/writeModel.ts';
import type { TokenRow } from '#trainer/model/batch.ts';
import { openTransformer } from '#trainer/model/transformer.ts';
import { loadWeights } from '#trainer/model/weights.ts';
import { toLoneCrew, type Crew } from '#trainer/threads/crew.ts';
import { measureHeldOut, openTraining, type Training } from '#trainer/training/training.ts';
import { LESSON_NAMES, type Lesson } from './corpusPairs.ts';
import { openCorpus, type Mixture } from './corpusRows.ts';

export interface BaseSettings {
  readonly rows: number;
  /** Rows whose order is drawn together, of one mixture. */
  readonly chunk: number;
  readonly rate: number;
  /** Sequences of 128 tokens. */
  readonly batchSize: number;
  readonly seed: number;
  /** Rows of each lesson that are measured on the way; never trained on. */
  readonly measured: number;
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
const MEASURED_EVERY = 500;
const WARM_UP = 100;
/** The rate falls over this last part of all steps: from soon after the copying on. */
const FALLING = 0.85;
const LEAST_SHARE = 0.03;
/** Steps whose mean is held against the start alone: where other rows begin, the loss rises, and nothing is wrong. */
const JUDGED = 20;

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);

/** The rate rises, stays, and falls in a straight line: what is learnt late settles in the fall. `step` from 1 on. */
export function toBaseRate(step: number, steps: number, rate: number): number {
  const left = (steps - step + 1) / Math.max(1, steps * FALLING);
  return rate * Math.min(1, step / WARM_UP, LEAST_SHARE + (1 - LEAST_SHARE) * Math.min(1, left));
}

interface Plan {
  readonly crew: Crew;
  readonly stages: readonly Training[];
  readonly lessons: readonly (readonly [Lesson, readonly TokenRow[]])[];
  readonly maxTokens: number;
  readonly fingerprint: string;
}

/** Of the first chunks, and of all others. Copying comes first and alone, and is left little by little. */
const COPYING: Mixture = { copied: 1, covering: 0 };
const MIXTURES: readonly Mixture[] = [
  COPYING,
  COPYING,
  COPYING,
  { copied: 0.5, covering: 0.3 },
  { copied: 0.25, covering: 0.15 },
  { copied: 0.08, covering: 0.08 },
];

/**
 * Training from random weights. Rows come in chunks, so that a plan of more rows has the same first steps, and a checkpoint
 * of before the fall of the rate serves both.
 */
function openPlan(source: ModelSource, { rows, chunk, rate, batchSize, seed, measured }: BaseSettings): Plan {
  const corpus = openCorpus(source, seed);
  const sets = Array.from({ length: Math.ceil(rows / chunk) }, (_, index) => {
    const mixture = MIXTURES[Math.min(index, MIXTURES.length - 1)] as Mixture;
    return corpus.toRows(Math.min(chunk, rows - index * chunk), mixture);
  });
  const other = openCorpus(source, seed + 1);
  const lessons = LESSON_NAMES.map((lesson) => [lesson, other.toLessonRows(lesson, measured)] as const);
  const maxRow = source.shape.context;
  const maxTokens = Math.max(PASS_TOKENS, maxRow);
  const model = openTransformer({ shape: source.shape, adapter: null, maxTokens, maxRow });
  loadWeights(model, source);
  const crew = toLoneCrew(model);
  const stages: Training[] = [];
  let steps = 0;
  for (const [index, set] of sets.entries()) {
    const before = steps;
    // Other rows have larger gradients: with the full rate at once, what was learnt is lost.
    const hasNews = index > 0 && index < MIXTURES.length && MIXTURES[index] !== MIXTURES[index - 1];
    const toRate = (step: number): number =>
      toBaseRate(step, steps, rate) * (hasNews ? Math.min(1, (step - before) / WARM_UP) : 1);
    const part = { stepsBefore: before, toRate };
    const stage = openTraining(crew, set, { epochs: 1, batchSize, rate, seed, part }, maxTokens);
    steps += stage.steps;
    stages.push(stage);
  }
  const hash = createHash('sha256').update(JSON.stringify([rate, batchSize, seed]));
  for (const { tokens, isTarget } of sets[0] ?? []) hash.update(tokens).update(isTarget);
  return { crew, stages, lessons, maxTokens, fingerprint: hash.digest('hex') };
}

/** What part of each lesson's rows the model answers exactly. */
async function tellLessons({ crew, lessons, maxTokens }: Plan, link: BaseLink): Promise<void> {
  const shares: string[] = [];
  for (const [lesson, rows] of lessons) {
    const result = await measureHeldOut(crew, rows, maxTokens, setImmediate);
    shares.push(`${lesson} ${((result?.exactMatch ?? 0) * 100).toFixed(0)} %`);
  }
  link.say(`base: exactly right: ${shares.join(', ')}`);
}

/** Writes `result` in Q8_0, from which fine-tuning begins and which is served. 'stopped': call it again to go on. */
export async function trainBase(
  files: BaseFiles,
  name: string,
  settings: BaseSettings,
  link: BaseLink,
): Promise<'done' | 'stopped'> {
  const source = readModel(files.start);
  const plan = openPlan(source, settings);
  const { crew, stages, fingerprint } = plan;
  const { model } = crew;
  const { weights, means, squares } = model.trained;
  const stored = [weights, means, squares].map((region) => model.memory.machine.floats(region));
  const losses = [...(readCheckpoint(files.checkpoint, fingerprint, stored)?.losses ?? [])];
  if (losses.length > 0) model.refresh();
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
      losses.push((await stage.run(losses.length - before + 1)).loss);
      if (!(mean(losses.slice(-JUDGED)) < (losses[0] ?? 0) + 1))
        throw new TrainerError('The loss rose above its start, or is not finite.', 'Lower the rate of the base model.');
      if (losses.length % CHECKPOINT_EVERY === 0) save();
      if (losses.length % SAID_EVERY === 0) {
        const { user, system } = process.cpuUsage(from);
        const left = ((user + system) / 60e6 / (losses.length - begun)) * (steps - losses.length);
        const recent = mean(losses.slice(-SAID_EVERY)).toFixed(3);
        link.say(`base: step ${losses.length}, loss ${recent}, ${left.toFixed(1)} min of the processor left`);
      }
      if (losses.length % MEASURED_EVERY === 0) await tellLessons(plan, link);
      await setImmediate();
    }
    before += stage.steps;
  }
  save();
  await tellLessons(plan, link);
  replaceFile(files.result, [writeModel(source.header, name, 'Q8_0', model.tensor)]);
  return 'done';
}
