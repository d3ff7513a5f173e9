// The results of a training as its experiment keeps them.
import { asc, eq } from 'drizzle-orm';
import { cutText } from '#core/contract/schemas.ts';
import type { TrainerJob, TrainerResult } from '#trainer/protocol/trainerProtocol.ts';
import type { Orm } from '#service/database/database.ts';
import type { HeldOut, TrainingSettings } from '#service/database/tables.ts';
import type { Results } from './jobStates.ts';
import { trainingPoints, trainings } from './trainingTables.ts';

/** Those that a job file has under the same names. */
const SAME = [
  'seed',
  'warmup_steps',
  'weight_decay',
  'scheduler',
  'max_length',
  'objective',
  'beta',
  'desirable_weight',
  'undesirable_weight',
  'reward_function',
] as const satisfies readonly (keyof TrainerJob & keyof TrainingSettings)[];

type GivenSettings = Pick<TrainerJob, 'lora' | (typeof SAME)[number]>;

/** Steps of which the mean is the last loss. */
const LAST = 20;

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** Finite numbers alone; `rows` is a count. */
function toMeasures(measures: TrainerResult['measures']): HeldOut | null {
  const entries = Object.entries(measures ?? {}).filter(
    (entry): entry is [string, number] => entry[1] !== null && (entry[0] !== 'rows' || isCount(entry[1])),
  );
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** Settings that are numbers, and which ones. */
const NUMBERS = {
  lora_rank: isCount,
  lora_alpha: Number.isFinite,
  seed: Number.isSafeInteger,
  lora_dropout: Number.isFinite,
  warmup_steps: isCount,
  weight_decay: Number.isFinite,
  max_length: isCount,
} as const satisfies Partial<Record<keyof TrainingSettings, (value: number) => boolean>>;

/** The settings that a run has been given, as its experiment keeps them. */
export function toGivenSettings(given: GivenSettings): TrainingSettings {
  const { rank, alpha, dropout, target_modules: modules } = given.lora ?? {};
  const all = {
    lora_rank: rank,
    lora_alpha: alpha,
    lora_dropout: dropout,
    target_modules: modules?.join(', '),
    ...Object.fromEntries(SAME.map((name) => [name, given[name]])),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** What the trainer says of its settings; where it says nothing, what it was given. */
function toSettings({ decoding, right_rows, settings }: TrainerResult, given: GivenSettings): TrainingSettings {
  const found: Record<string, unknown> = {
    ...toGivenSettings(given),
    ...(decoding != null && { decoding }),
    ...(right_rows != null && { right_rows }),
  };
  for (const [name, isSetting] of Object.entries(NUMBERS)) {
    const value = settings?.[name];
    if (typeof value === 'number' && isSetting(value)) found[name] = value;
  }
  for (const name of ['optimizer', 'scheduler'] as const) {
    const value = settings?.[name];
    if (typeof value === 'string') found[name] = cutText(value, 100);
  }
  return found;
}

/** What is known of a run from its steps, however it ended. */
export async function readCurveResults(orm: Orm, experimentId: string): Promise<Results> {
  const points = await orm
    .select({ step: trainingPoints.step, loss: trainingPoints.loss })
    .from(trainingPoints)
    .where(eq(trainingPoints.experiment_id, experimentId))
    .orderBy(asc(trainingPoints.step));
  const [training] = await orm.select().from(trainings).where(eq(trainings.experiment_id, experimentId));
  const last = points.slice(-LAST);
  const mean = last.reduce((sum, { loss }) => sum + loss, 0) / last.length;
  const finite = (value: number | undefined): number | null => (Number.isFinite(value) ? (value ?? null) : null);
  return {
    steps: points.at(-1)?.step ?? null,
    seconds: training ? Math.round(training.seconds * 10) / 10 : null,
    first_loss: finite(points[0]?.loss),
    last_loss: finite(mean),
    losses: points.length === 0 ? null : points.map(({ step, loss }) => [step, finite(loss)] as const),
  };
}

/** What the trainer measured. */
export function toResults(result: TrainerResult, given: GivenSettings): Results {
  return {
    held_out: toMeasures(result.measures),
    held_out_base: toMeasures(result.base_measures),
    settings: { ...toSettings(result, given), ...(result.parity && { parity: result.parity }) },
  };
}
