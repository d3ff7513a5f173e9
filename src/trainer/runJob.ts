// One training from its job to its result: rows, model, steps, measures, checkpoints, files.
import { JOB_LIMITS } from '#core/contract/limits.ts';
import { BUILT_IN_REFUSALS, findRefusedSetting, toChosen } from '#core/contract/trainingSettings.ts';
import { toRightRows } from '#core/contract/rightRows.ts';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toPauseStep, type TrainerJob } from '#trainer/protocol/trainerProtocol.ts';
import type { ExportParity } from '#core/contract/exportParity.ts';
import {
  readCheckpoint,
  readCheckpointThreads,
  writeCheckpoint,
  type CheckpointState,
} from '#trainer/files/checkpoint.ts';
import { readModel, TrainerError, type ModelSource } from '#trainer/files/readModel.ts';
import { loadWeights, startAdapter } from '#trainer/model/weights.ts';
import { openModelTemplate } from '#trainer/text/modelTemplate.ts';
import { openPreferenceRun, toPreferenceSettings } from '#trainer/preference/preferenceTraining.ts';
import { readComparisons } from '#trainer/preference/readComparisons.ts';
import { readRows, type ReadRow, type ReadUnits, type RowReader } from '#trainer/text/readRows.ts';
import { openTokenizer } from '#trainer/text/tokenizer.ts';
import { countThreads, toThreadTokens } from '#trainer/shared/threads.ts';
import { openCrew, type Crew } from '#trainer/threads/crew.ts';
import { findDivergence } from '#trainer/training/schedule.ts';
import {
  measureHeldOut,
  openTraining,
  type HeldOutResult,
  type Learning,
  type LearningOptions,
} from '#trainer/training/training.ts';
import type { AskedModel } from './measureExport.ts';
import { toPausedLink, type PausedLink, type RunLink } from './runLink.ts';
import { addStartAdapter } from './startAdapter.ts';
import { answerRows, pickShown } from './shownAnswers.ts';
import { writeResult, writeStep, type WrittenResult } from './writeResult.ts';

/** Validation rows that are measured: enough for a share within 3 %, and a second of work. */
const MOST_HELD_OUT = 400;
/** The work of a step is timed over so many steps. */
const TIMED_STEPS = 20;

interface Run extends Pick<Learning, 'training' | 'measure'> {
  readonly job: TrainerJob;
  readonly link: PausedLink;
  readonly source: ModelSource;
  readonly crew: Crew;
  /** Whose answers are measured: of pairs, with the preferred one. */
  readonly heldOut: readonly ReadRow[];
  /** All validation rows, also those that are not measured. */
  readonly validationCount: number;
  readonly maxTokens: number;
  readonly checkpoint: string;
  readonly fingerprint: string;
  readonly asked: Pick<AskedModel, 'tokenizer' | 'template' | 'maxRow'>;
}

/** Reads both files, and says what is left out. Throws TrainerError where too little is left. */
function readFiles<Unit>(job: TrainerJob, link: PausedLink, most: number, readText: (text: string) => ReadUnits<Unit>) {
  const read = (path: string): ReadUnits<Unit> => readText(readFileSync(path, 'utf8'));
  const training = read(job.data.training);
  if (training.leftOut > 0)
    link.emit({ type: 'log', text: `${training.leftOut} rows are left out; ${training.reason ?? ''}` });
  if (training.cut > 0)
    link.emit({ type: 'log', text: `${training.cut} rows are longer than ${most} tokens and are cut.` });
  if (training.rows.length < JOB_LIMITS.trainingRows)
    throw new TrainerError(
      `There are ${training.rows.length} training rows with an answer to learn, and at least ${JOB_LIMITS.trainingRows} are needed.` +
        (training.reason === null ? '' : ` The first that was left out is ${training.reason}.`),
      'Add rows in which an assistant answers within the context.',
    );
  const { rows: heldOut, count: validationCount } = read(job.data.validation);
  if (heldOut.length > MOST_HELD_OUT)
    link.emit({ type: 'log', text: `The first ${MOST_HELD_OUT} of ${heldOut.length} validation rows are measured.` });
  return { training, heldOut: heldOut.slice(0, MOST_HELD_OUT), validationCount };
}

const findLongest = (lengths: readonly number[]): number => lengths.reduce((most, one) => Math.max(most, one), 0);

/** The rows of a job as its objective learns them. `longest`: tokens of a row, and of what must go through the model together. */
function readData(job: TrainerJob, reader: RowReader, link: PausedLink) {
  const { most } = reader;
  const { objective } = job;
  if (objective === 'grpo')
    throw new TrainerError(
      'The built-in trainer trains no GRPO.',
      'Start the service with a trainer that can, such as --trainer trl.',
    );
  if (objective === undefined || objective === 'sft') {
    const { training, heldOut, validationCount } = readFiles(job, link, most, (text) => readRows(text, reader));
    const longest = findLongest([...training.rows, ...heldOut].map(({ tokens }) => tokens.length));
    const open = ({ crew, settings, maxTokens }: LearningOptions): Learning => ({
      training: openTraining(crew, training.rows, settings, maxTokens),
      prepare: async () => {},
      measure: () => measureHeldOut(crew, heldOut, maxTokens, link.pause),
    });
    return { counts: training, heldOut, validationCount, longest, longestUnit: longest, open };
  }
  const read = (text: string) => readComparisons(text, objective, reader);
  const { training, heldOut, validationCount } = readFiles(job, link, most, read);
  const units = [...training.rows, ...heldOut].map(({ answers }) => answers.map(({ tokens }) => tokens.length));
  const open = ({ settings, ...options }: LearningOptions): Learning =>
    openPreferenceRun({
      ...options,
      training: training.rows,
      heldOut,
      settings: { ...settings, ...toPreferenceSettings(job, objective) },
      pause: link.pause,
    });
  return {
    counts: training,
    heldOut: heldOut.flatMap(({ answers }) => answers.filter(({ isWanted }) => isWanted)),
    validationCount,
    longest: findLongest(units.flat()),
    longestUnit: findLongest(units.map((lengths) => lengths.reduce((sum, length) => sum + length, 0))),
    open,
  };
}

/** What decides the bits of a run. */
function toFingerprint(job: TrainerJob): string {
  const { training_type, n_epochs, batch_size, learning_rate, lora, seed } = job;
  const hash = createHash('sha256');
  hash.update(JSON.stringify([training_type, n_epochs, batch_size, learning_rate, lora, seed]));
  const { warmup_steps, weight_decay, scheduler, max_length } = job;
  const { objective, beta, desirable_weight, undesirable_weight } = job;
  const more = JSON.stringify({
    warmup_steps,
    weight_decay,
    scheduler,
    max_length,
    objective,
    beta,
    desirable_weight,
    undesirable_weight,
  });
  // A run of an earlier version, which had none of them, goes on.
  if (more !== '{}') hash.update(more);
  for (const path of [job.base.file, job.base.adapter, job.data.training])
    if (path !== null) hash.update(readFileSync(path));
  return hash.digest('hex');
}

function openRun(job: TrainerJob, link: PausedLink) {
  if (job.base.file === null)
    throw new TrainerError(
      `This studio has no file of the model ${job.base.id}.`,
      'Choose a base model that is a GGUF file here, or start the service with --trainer CMD.',
    );
  const lora = job.training_type === 'full' ? null : job.lora;
  if (job.training_type !== 'full' && lora === null)
    throw new TrainerError('The job trains an adapter, and has no rank.', 'Set lora.rank and lora.alpha.');
  const chosen = { lora_dropout: lora?.dropout, target_modules: lora?.target_modules };
  const refused = findRefusedSetting(toChosen(chosen), BUILT_IN_REFUSALS);
  if (refused !== null) throw new TrainerError(refused.reason, 'Start it again without that setting.');
  const source = readModel(job.base.file);
  const tokenizer = openTokenizer(source.header);
  const template = openModelTemplate(source.header, tokenizer);
  const { context } = source.shape;
  const most = Math.min(context, job.base.context ?? context, job.max_length ?? context);
  const data = readData(job, { template, tokenizer, most }, link);
  const checkpoint = join(job.output, 'checkpoint.bin');
  const fingerprint = toFingerprint(job);
  const begun = job.resume ? readCheckpointThreads(checkpoint, fingerprint) : null;
  const threads = begun ?? countThreads(link.threads ?? 1, job.batch_size);
  const maxTokens = toThreadTokens(threads, data.longestUnit);
  const maxRow = data.longest;
  const crew = openCrew({ shape: source.shape, adapter: lora, maxTokens, maxRow, threads });
  const { model } = crew;
  loadWeights(model, source);
  if (lora !== null) startAdapter(model, lora.rank, job.seed);
  if (job.base.adapter !== null) addStartAdapter(model, job.base.adapter, lora);
  const settings = {
    epochs: job.n_epochs,
    batchSize: job.batch_size,
    rate: job.learning_rate,
    seed: job.seed,
    schedule: job,
    weightDecay: job.weight_decay,
  };
  const { prepare, ...learning } = data.open({ crew, settings, maxTokens, maxRow });
  mkdirSync(job.output, { recursive: true });
  const run: Run = {
    ...learning,
    job,
    link,
    source,
    crew,
    heldOut: data.heldOut,
    validationCount: data.validationCount,
    maxTokens,
    checkpoint,
    fingerprint,
    asked: { tokenizer, template, maxRow },
  };
  return { run, counts: data.counts, prepare };
}

const toStored = ({ crew: { model } }: Run): readonly Float32Array[] => {
  const { weights, means, squares } = model.trained;
  return [weights, means, squares].map((region) => model.memory.machine.floats(region));
};

/** What a run has come to. */
interface State {
  readonly losses: number[];
  best: CheckpointState['best'];
}

function save(run: Run, { losses, best }: State, model?: WrittenResult['model']): void {
  const step = losses.length;
  const { fingerprint, crew } = run;
  writeCheckpoint(run.checkpoint, { fingerprint, step, losses, best, threads: crew.threads }, toStored(run));
  run.link.emit({ type: 'checkpoint', step, file: run.checkpoint, ...(model && { model }) });
}

/** What is done already. */
function resume(run: Run): State {
  if (!run.job.resume) return { losses: [], best: null };
  const found = readCheckpoint(run.checkpoint, run.fingerprint, toStored(run));
  if (found === null) {
    run.link.emit({ type: 'log', text: 'There is no checkpoint of this run: it begins again.' });
    return { losses: [], best: null };
  }
  run.crew.model.refresh();
  run.link.emit({ type: 'log', text: `Goes on after step ${found.step}.` });
  return { losses: [...found.losses], best: found.best };
}

async function tell(run: Run, step: number, now: HeldOutResult, before: HeldOutResult | null): Promise<void> {
  const { crew, maxTokens, asked, heldOut, link } = run;
  const shown = pickShown(now, before).flatMap((row) => heldOut[row] ?? []);
  const answers = await answerRows({ ...asked, crew, maxTokens, pause: link.pause }, shown);
  const { loss, exactMatch, metrics } = now;
  link.emit({ type: 'validation', step, loss, exact_match: exactMatch, ...(metrics && { metrics }), answers });
}

/** The last measure of this attempt, and after which step it was made. */
interface Measured {
  step: number | null;
  result: HeldOutResult | null;
}

/** Measures the weights as they are, and saves them, also as a model to try. */
async function measureStep(
  run: Run,
  state: State,
  measured: Measured,
  { base, isPause }: { readonly base: HeldOutResult | null; readonly isPause: boolean },
): Promise<void> {
  const step = state.losses.length;
  const now = await run.measure();
  if (now !== null) {
    // Where many candidates pause, their answers would take longer than their steps.
    if (isPause) run.link.emit({ type: 'validation', step, loss: now.loss, exact_match: now.exactMatch, answers: [] });
    else await tell(run, step, now, measured.result ?? base);
    if (state.best === null || now.loss < state.best.loss) state.best = { step, loss: now.loss };
  }
  [measured.step, measured.result] = [step, now];
  save(run, state, writeStep(run.crew.model, run.source.header, run.job, step, state.best?.step ?? null));
}

const toMeasures = ({ loss, exactMatch, isRight, measures }: HeldOutResult): Record<string, number> => ({
  validation_loss: loss,
  ...(exactMatch !== null && { exact_match: exactMatch }),
  ...measures,
  rows: isRight.length,
});

const toMeasuredRows = ({ heldOut, validationCount }: Run, { isRight }: HeldOutResult): string | undefined =>
  toRightRows(
    isRight,
    heldOut.map(({ place }) => place),
    validationCount,
  );

/** Whether the files answer as the trainer does. A file that can't be asked is found out by the service, which loads it. */
async function measureFiles(run: Run, files: WrittenResult['files']): Promise<ExportParity | null> {
  const { job, link, crew, maxTokens, asked } = run;
  if (link.measureExport === undefined) return null;
  link.emit({ type: 'log', text: 'The files are written, and asked what the trainer was asked.' });
  try {
    const options = { ...asked, crew, maxTokens, pause: link.pause };
    return await link.measureExport(options, readFileSync(job.data.validation, 'utf8'), files);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    link.emit({ type: 'log', text: `The answers before and after the export could not be compared: ${reason}` });
    return null;
  }
}

async function train({ run, counts, prepare }: ReturnType<typeof openRun>): Promise<'done' | 'stopped'> {
  const { training, link, job, crew } = run;
  if (crew.threads > 1) link.emit({ type: 'log', text: `It is trained on ${crew.threads} threads.` });
  link.emit({
    type: 'start',
    steps: training.steps,
    tokens_per_step: training.tokensPerStep,
    rows: counts.rows.length,
    rows_cut: counts.cut,
    rows_left_out: counts.leftOut,
  });
  // The base is measured before a checkpoint takes its place.
  await prepare();
  const base = await run.measure();
  const state = resume(run);
  const { losses } = state;
  if (losses.length === 0 && base !== null) await tell(run, 0, base, null);
  const measured: Measured = { step: null, result: null };
  const pauseStep = job.pause_at === undefined ? training.steps : toPauseStep(job.pause_at, training.steps);
  const times: number[] = [];
  while (losses.length < training.steps) {
    if (link.isStopped()) {
      save(run, state);
      return 'stopped';
    }
    if (losses.length >= pauseStep) {
      if (measured.step !== losses.length) await measureStep(run, state, measured, { base, isPause: true });
      return 'stopped';
    }
    const from = performance.now();
    const result = await training.run(losses.length + 1);
    losses.push(result.loss);
    const divergence = findDivergence(losses);
    if (divergence !== null)
      throw new TrainerError(divergence, 'Start it again with a lower learning rate, such as a third of this one.');
    times.push((performance.now() - from) / 1000);
    if (times.length > TIMED_STEPS) times.shift();
    const seconds = times.reduce((sum, time) => sum + time, 0) / times.length;
    link.emit({
      type: 'progress',
      step: result.step,
      epoch: result.epoch,
      loss: result.loss,
      learning_rate: result.rate,
      gradient_norm: result.norm,
      tokens_per_second: result.tokens / seconds,
      seconds_left: seconds * (training.steps - result.step),
      ...(result.metrics && { metrics: result.metrics }),
    });
    if (result.isEpochEnd) await measureStep(run, state, measured, { base, isPause: false });
    else if (result.step % job.checkpoint_every === 0) save(run, state);
    await link.pause();
  }
  const last = measured.result ?? (await run.measure());
  const { model, files } = writeResult(crew.model, run.source.header, job);
  const parity = await measureFiles(run, files);
  link.emit({
    type: 'result',
    model,
    files: files.flatMap(({ format, path, isServed }) => (isServed ? [] : [{ format, file: path }])),
    ...(parity === null ? {} : { parity: { ...parity, formats: [...parity.formats] } }),
    ...(last === null ? {} : { measures: toMeasures(last), right_rows: toMeasuredRows(run, last), decoding: 'greedy' }),
    ...(base === null ? {} : { base_measures: toMeasures(base) }),
  });
  return 'done';
}

/**
 * Runs a job to its result, or to its pause. 'stopped': a checkpoint was saved, from which the same job goes on. Throws
 * TrainerError if the run can't begin or has diverged.
 */
export async function runJob(job: TrainerJob, link: RunLink): Promise<'done' | 'stopped'> {
  const opened = openRun(job, toPausedLink(link));
  try {
    return await train(opened);
  } finally {
    await opened.run.crew.end();
  }
}
