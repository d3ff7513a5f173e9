// One experiment of the sample: a job as the service gives it to the trainer, in this process, and its line of runs.json.
import { toRightRows } from '#core/contract/rightRows.ts';
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { toAdapter } from '#core/contract/trainingSettings.ts';
import { thin } from '#features/runs/shared/settings/downsampleCurve.ts';
import type { TrainerJob } from '#trainer/protocol/trainerProtocol.ts';
import { TrainerError } from '#trainer/files/readModel.ts';
import { runJob } from '#trainer/runJob.ts';
import { WARM_UP_STEPS } from '#trainer/training/schedule.ts';
import { openSampleModel } from './askModel.ts';
import { measureHandWritten, measureOnRows, type HandWrittenResult } from './measures.ts';
import { BATCH, SEED, type SampleExperiment } from './plan.ts';
import type { BaseLink } from './trainBase.ts';

export const BASE_NAME = 'support-base';
export const BASE_FILE = `${BASE_NAME}.Q8_0.gguf`;

/** What `sampleFiles.ts` of the studio reads. */
export interface RunRecord {
  readonly dataset: string;
  readonly experiment: number;
  readonly mode: 'lora' | 'full';
  readonly learning_rate: number;
  readonly n_epochs: number;
  readonly batch: string;
  readonly training_count: number;
  readonly validation_count: number;
  readonly steps: number;
  /** Of the processor, for all steps: a machine that is busy doesn't change it much. */
  readonly seconds: number;
  readonly first_loss: number;
  readonly last_loss_mean20: number | null;
  readonly failed: string | null;
  readonly file: string | null;
  readonly held_out_base: Readonly<Record<string, number>>;
  readonly held_out?: Readonly<Record<string, number>>;
  readonly settings: Readonly<Record<string, string | number>>;
  readonly losses: readonly (readonly [number, number | null])[];
}

interface Step {
  readonly step: number;
  readonly loss: number | null;
  readonly seconds: number;
}

const LAST = 20;
const MOST_LOSSES = 250;

/** The losses that the record keeps. Steps count from 0. */
export function toKeptLosses(steps: readonly Step[]): RunRecord['losses'] {
  const values = steps.map(({ loss }) => loss ?? Number.NaN);
  return thin({ length: steps.length, values }, { limit: MOST_LOSSES }).flatMap((at) => {
    const { step = 1, loss = null } = steps[at] ?? {};
    return [[step - 1, loss === null ? null : Number(loss.toPrecision(4))] as const];
  });
}

function readSteps(path: string): Map<number, Step> {
  if (!existsSync(path)) return new Map();
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  // After a resume a step may be there twice: the later line counts.
  return new Map(lines.map((line) => JSON.parse(line) as Step).map((step) => [step.step, step]));
}

function toJob(folder: string, { dataset, number, lora, rate, epochs }: SampleExperiment): TrainerJob {
  return {
    protocol: 1,
    experiment_id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    base: { id: BASE_NAME, file: join(folder, BASE_FILE), adapter: null, context: null },
    data: { training: join(folder, `${dataset}.train.jsonl`), validation: join(folder, `${dataset}.val.jsonl`) },
    output: join(folder, `${dataset}-${number}`),
    resume: true,
    training_type: lora ? 'lora' : 'full',
    n_epochs: epochs,
    batch_size: BATCH,
    learning_rate: rate,
    lora: lora ? toAdapter({}) : null,
    seed: SEED,
    checkpoint_every: 25,
  };
}

const countLines = (path: string): number => readFileSync(path, 'utf8').trim().split('\n').length;

const toFileName = ({ dataset, number, lora }: SampleExperiment): string =>
  `support-${dataset}-${number}.${lora ? 'lora.F16' : 'Q8_0'}.gguf`;

/** Trains to the end, or to the stop. A run that diverges ends with its reason. */
async function train(job: TrainerJob, link: BaseLink): Promise<'stopped' | { readonly failed: string | null }> {
  const log = join(job.output, 'steps.jsonl');
  mkdirSync(job.output, { recursive: true });
  let last = process.cpuUsage();
  try {
    const end = await runJob(job, {
      isStopped: () => link.isStopped(),
      emit(event) {
        if (event.type !== 'progress') return;
        const { user, system } = process.cpuUsage(last);
        last = process.cpuUsage();
        const step: Step = { step: event.step, loss: event.loss, seconds: (user + system) / 1e6 };
        appendFileSync(log, `${JSON.stringify(step)}\n`);
      },
    });
    return end === 'stopped' ? 'stopped' : { failed: null };
  } catch (error) {
    if (error instanceof TrainerError) return { failed: error.message };
    throw error;
  }
}

export interface ExperimentResult {
  readonly record: RunRecord;
  /** null: the run failed. */
  readonly handWritten: HandWrittenResult | null;
}

/** The base, the rows and the results are in `folder`. 'stopped': call it again to go on. */
export async function runExperiment(
  folder: string,
  experiment: SampleExperiment,
  handWrittenCount: number,
  link: BaseLink,
): Promise<'stopped' | ExperimentResult> {
  const job = toJob(folder, experiment);
  const { dataset, number, lora, rate, epochs } = experiment;
  const end = await train(job, link);
  if (end === 'stopped') return 'stopped';
  const { failed } = end;
  // The step at which a run fails is not told as progress: its reason names what came of it.
  const steps = [...readSteps(join(job.output, 'steps.jsonl')).values()].toSorted((a, b) => a.step - b.step);
  const recent = steps.slice(-LAST).flatMap(({ loss }) => (loss === null ? [] : [loss]));
  const heldOut = readFileSync(job.data.validation, 'utf8');
  const base = job.base.file ?? '';
  const file = failed === null ? toFileName(experiment) : null;
  const served = file === null ? null : join(folder, file);
  if (served !== null) copyFileSync(join(job.output, lora ? 'adapter.F16.gguf' : 'model.Q8_0.gguf'), served);
  const model = served === null ? null : openSampleModel({ file: lora ? base : served, adapter: lora ? served : null });
  const rightRows = model && toRightRows((await model.measure(heldOut))?.isRight ?? []);
  const record: RunRecord = {
    dataset,
    experiment: number,
    mode: lora ? 'lora' : 'full',
    learning_rate: rate,
    n_epochs: epochs,
    batch: `${BATCH} packed rows of 128 tokens`,
    training_count: countLines(job.data.training),
    validation_count: countLines(job.data.validation),
    steps: steps.length,
    seconds: Math.round(steps.reduce((sum, { seconds }) => sum + seconds, 0)),
    first_loss: Number((steps[0]?.loss ?? 0).toFixed(4)),
    last_loss_mean20:
      failed === null ? Number((recent.reduce((sum, loss) => sum + loss, 0) / recent.length).toFixed(4)) : null,
    failed,
    file,
    held_out_base: await measureOnRows(openSampleModel({ file: base, adapter: null }), dataset, heldOut),
    ...(model && { held_out: await measureOnRows(model, dataset, heldOut) }),
    settings: {
      ...(rightRows && { right_rows: rightRows }),
      ...(failed === null && { decoding: 'greedy' }),
      ...(lora && { lora_rank: toAdapter({}).rank, lora_alpha: toAdapter({}).alpha }),
      seed: SEED,
      optimizer: 'adamw',
      scheduler: 'cosine to 10 %',
      warmup_steps: WARM_UP_STEPS,
    },
    losses: toKeptLosses(steps),
  };
  const handWritten = model && (await measureHandWritten(model, dataset, handWrittenCount));
  rmSync(join(job.output, 'checkpoint.bin'), { force: true });
  return { record, handWritten };
}
