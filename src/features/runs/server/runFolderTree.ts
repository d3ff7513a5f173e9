// A root as a project of the tree: datasets that were trained on, jobs, runs; and its jobs on the wire: settings under one name,
// the trainer's own as further fields, results and losses. Counts are absent: nobody wrote them down.
import { isSucceeded, toJobStatus } from '#core/contract/statuses.ts';
import {
  MAX_NODE_TEXT,
  type DatasetNode,
  type ExperimentNode,
  type JobNode,
  type ProjectNode,
} from '#core/contract/tree.ts';
import { toGroups } from '#features/experiments/shared/grouping.ts';
import { toRunUuid } from './runIdentity.ts';
import { NO_DATA, toModelName, type RunRecord } from './runRecords.ts';
import { JOB_EXPERIMENT_FIELDS, MAX_LOSS_POINTS, type Job, type JobExperiment } from '#core/contract/job.ts';
import type { CurvePoints } from '#features/runs/server/curvePoints/columns.ts';
import { toDivergence } from './runStatus.ts';
import type { ParameterValue } from './evidence.ts';
import type { JoinedRun } from './joinedRun.ts';
import { isEvaluation } from './metricNames.ts';
import { toSettingName, type SettingName } from './settings.ts';
import { thin } from '#features/runs/shared/settings/downsampleCurve.ts';

export interface TreeRoot {
  readonly id: string;
  readonly name: string;
  readonly isScanning: boolean;
}

export interface JobPlace {
  readonly id: string;
  readonly label: string;
  readonly snapshotId: string;
  readonly records: readonly RunRecord[];
}

/** Models that answer with the weights of a run, by the path of the weights. */
export type ModelIds = ReadonlyMap<string, string>;

/** The model of a run: that of its newest weights. */
function toModelId({ run }: RunRecord, models: ModelIds): string | undefined {
  const found = run.checkpoints.flatMap(({ path }) => models.get(path) ?? []);
  return found.at(-1);
}

const toSnapshotId = (rootId: string, datasetKey: string): string => toRunUuid(`${rootId} snapshot ${datasetKey}`);

/** The jobs of a root, in the order of their oldest runs. */
export function toJobPlaces(rootId: string, records: readonly RunRecord[]): readonly JobPlace[] {
  const groups = toGroups(records, ({ dataset, job }) => `${dataset.key}\0${job.key}`);
  return [...groups.values()].flatMap((group): JobPlace[] => {
    const [first] = group;
    if (!first) return [];
    const { dataset, job } = first;
    return [
      {
        id: toRunUuid(`${rootId} job ${dataset.key} ${job.key}`),
        label: job.label,
        snapshotId: toSnapshotId(rootId, dataset.key),
        records: group,
      },
    ];
  });
}

function toExperimentNode(record: RunRecord, number: number, models: ModelIds): ExperimentNode {
  const { id, run, label, status } = record;
  const base = run.settings().get('base_model')?.value;
  const model = toModelId(record, models);
  return {
    id,
    type: 'experiment',
    label,
    status: status.status,
    children: [],
    metadata: {
      id,
      experiment_number: number,
      ...(base === undefined ? {} : { base_model_id: toModelName(String(base)) }),
      ...(status.cause === null ? {} : { status_cause: status.cause }),
      // Not of one that stopped: its reason says how long ago, and each answer would be another tree.
      ...(status.status === 'failed' ? { failure: status.reason.slice(0, MAX_NODE_TEXT) } : {}),
      ...(model === undefined || !isSucceeded(status.status) ? {} : { model_id: model }),
    },
  };
}

function toJobNode({ id, label, records }: JobPlace, models: ModelIds): JobNode {
  return {
    id,
    type: 'finetuning-job',
    label,
    status: toJobStatus(records.map(({ status }) => status.status)),
    children: records.map((record, at) => toExperimentNode(record, at + 1, models)),
    metadata: { id, reasoning: false },
  };
}

/** Named datasets by name, what nobody recorded last. */
const compareDatasets = (a: RunRecord['dataset'], b: RunRecord['dataset']): number =>
  Number(a.key === NO_DATA.key) - Number(b.key === NO_DATA.key) || (a.label < b.label ? -1 : 1);

/** `records`: oldest first. */
export function toProjectNode(root: TreeRoot, records: readonly RunRecord[], models: ModelIds): ProjectNode {
  const datasets = new Map(records.map(({ dataset }) => [dataset.key, dataset]));
  const jobs = toGroups(toJobPlaces(root.id, records), ({ snapshotId }) => snapshotId);
  const children = [...datasets.values()].toSorted(compareDatasets).map(({ key, label }): DatasetNode => {
    const id = toRunUuid(`${root.id} dataset ${key}`);
    const snapshotId = toSnapshotId(root.id, key);
    return {
      id,
      type: 'dataset',
      label,
      status: root.isScanning ? 'processing' : 'completed',
      metadata: { id, ...(key === NO_DATA.key ? { is_recorded: false } : {}) },
      children: [
        {
          id: snapshotId,
          type: 'snapshot',
          label: 'snapshot not recorded',
          children: (jobs.get(snapshotId) ?? []).map((job) => toJobNode(job, models)),
          metadata: { id: snapshotId },
        },
      ],
    };
  });
  return { id: root.id, type: 'project', name: root.name, children };
}

/** Points of all losses of a job, so that one with a thousand runs stays small. */
const MAX_JOB_POINTS = 60_000;
const LEAST_POINTS = 20;
/** Settings of a trainer beside those with one name. */
const MAX_RAW = 150;
const MAX_TEXT = 300;
const MAX_MEASURES = 60;
/** `last_loss` is the mean of so many steps. */
const LAST_STEPS = 20;

/** Names that readers of a job give a meaning. */
const RESERVED: ReadonlySet<string> = new Set([...JOB_EXPERIMENT_FIELDS, 'training_type', '__proto__', 'toJSON']);
/** Differ in all runs, and are the run's folder and name again. */
const PLACES: ReadonlySet<string> = new Set(['output_dir', 'logging_dir', 'run_name']);

/** How quick an evaluation was says nothing about the model. */
const SPEED = /(?:^|[/_])(?:runtime|samples_per_second|steps_per_second|model_preparation_time|jit_compilation_time)$/;

const integerOr = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;

const numberOr = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

function lastFinite({ values, length }: CurvePoints): number | undefined {
  for (let at = length - 1; at >= 0; at -= 1) if (Number.isFinite(values[at])) return values[at];
  return undefined;
}

function toLowest(points: CurvePoints | undefined): number | undefined {
  let lowest: number | undefined;
  for (let at = 0; at < (points?.length ?? 0); at += 1) {
    const value = points?.values[at] ?? Number.NaN;
    if (Number.isFinite(value) && (lowest === undefined || value < lowest)) lowest = value;
  }
  return lowest;
}

/** `eval/loss` is the validation loss; others keep their name without the prefix. */
function toMeasureName(metric: string): string {
  if (metric === 'eval/loss') return 'validation_loss';
  return metric.startsWith('eval/') ? metric.slice('eval/'.length) : metric;
}

function toHeldOut(run: JoinedRun): Record<string, number> | undefined {
  const found = new Map<string, number>();
  const add = (metric: string, value: number | undefined): void => {
    const name = toMeasureName(metric);
    if (value === undefined || SPEED.test(metric) || !isEvaluation(metric)) return;
    if (!found.has(name) && found.size < MAX_MEASURES && name !== '__proto__') found.set(name, value);
  };
  for (const [metric, curve] of run.curves()) if (isEvaluation(metric)) add(metric, lastFinite(curve.read()));
  for (const [metric, fact] of run.summary) add(metric, numberOr(fact.value));
  const best = toLowest(run.curves().get('eval/loss')?.read());
  const last = found.get('validation_loss');
  if (best !== undefined && last !== undefined && best < last) found.set('best_validation_loss', best);
  return found.size === 0 ? undefined : Object.fromEntries(found);
}

function toLastLoss({ steps, values, length }: CurvePoints): number | undefined {
  const last = steps[length - 1] ?? 0;
  let sum = 0;
  let count = 0;
  for (let at = length - 1; at >= 0; at -= 1) {
    if (count > 0 && (steps[at] ?? 0) <= last - LAST_STEPS) break;
    sum += values[at] ?? Number.NaN;
    count += 1;
  }
  return numberOr(sum / count);
}

/** `lostFrom`: the step from which on the losses are none, whatever was written. */
function toLosses(points: CurvePoints, limit: number, lostFrom: number): JobExperiment['losses'] {
  return thin(points, { limit }).flatMap((at) => {
    const step = points.steps[at] ?? -1;
    const loss = step < lostFrom ? (points.values[at] ?? Number.NaN) : Number.NaN;
    return Number.isSafeInteger(step) && step >= 0 ? [{ step, loss: Number.isFinite(loss) ? loss : null }] : [];
  });
}

function toIsAdapter(run: JoinedRun): boolean | undefined {
  const said = run.fact(({ isAdapter }) => isAdapter)?.value;
  if (said !== undefined) return said;
  return run.checkpoints.some(({ kind }) => kind === 'adapter') ? true : undefined;
}

/** The path of a base model, as a trainer needs it again; undefined: it is named, or lies in the hub's own folder. */
const toPath = (base: string): string | undefined =>
  base === toModelName(base) || base.includes('models--') ? undefined : base;

/** PEFT has 40 kinds of adapters that are no LoRA: by their own names; undefined: it is none of those. */
function toOtherType(run: JoinedRun): string | undefined {
  const type = run.settings().get('peft_type')?.value;
  return type === undefined || String(type).toUpperCase() === 'LORA' ? undefined : String(type).toLowerCase();
}

/** Settings that a job's experiment has under another name. */
const OWN_FIELDS: ReadonlySet<SettingName> = new Set(['base_model', 'batch_rows', 'learning_rate', 'epochs']);

/** The settings that have a field of their own, and the others by their one name. */
function toSettingFields(run: JoinedRun) {
  const read = (name: SettingName) => run.settings().get(name)?.value;
  const text = (name: SettingName): string | undefined => {
    const value = read(name);
    return value === undefined ? undefined : String(value);
  };
  const base = text('base_model');
  const method = run.method?.value;
  const fields = {
    base_model_id: base === undefined ? undefined : toModelName(base),
    base_model_path: base === undefined ? undefined : toPath(base),
    batch_size: integerOr(read('batch_rows')),
    learning_rate_multiplier: numberOr(read('learning_rate')),
    // Not those of its progress, which a trainer rounds up.
    n_epochs: numberOr(read('epochs')),
    lora_rank: integerOr(read('lora_rank')),
    lora_alpha: numberOr(read('lora_alpha')),
    seed: integerOr(read('seed')),
    optimizer: text('optimizer'),
    scheduler: text('scheduler'),
    warmup_steps: integerOr(read('warmup_steps')),
  };
  const others = {
    method,
    datasets:
      run
        .fact((evidence) => evidence.datasets)
        ?.value.join(', ')
        .slice(0, MAX_TEXT) || undefined,
  };
  const type = toOtherType(run);
  const named = [...run.settings()].flatMap(([name, { value }]) => (OWN_FIELDS.has(name) ? [] : [[name, value]]));
  return { ...Object.fromEntries(named), ...fields, ...others, ...(type === undefined ? {} : { training_type: type }) };
}

/** A value as a field; undefined: it says nothing, or is too long. */
function toField(value: ParameterValue | undefined): ParameterValue | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value.length > MAX_TEXT ? undefined : value;
}

/** The base model's own config, what trackers add, and where and how often a trainer writes. */
const SIDE =
  /^(?:model_config\.|_|wandb|mlflow|trackio|hub_|push_to_hub|report_to|logging_|save_|dataloader_|ddp_|fsdp|vllm_)/;

interface RawChoice {
  readonly names: readonly string[];
  readonly leftOut: number;
}

/**
 * The trainers' own settings that a job shows: first those in which its runs have other values, then those that some of its
 * runs have, last what is at the side of a training.
 */
function chooseRaw(records: readonly RunRecord[]): RawChoice {
  const values = new Map<string, { first: ParameterValue; differs: boolean; count: number }>();
  for (const { run } of records) {
    for (const [name, { value: raw }] of run.parameters()) {
      const value = toField(raw);
      if (value === undefined || RESERVED.has(name) || PLACES.has(name) || toSettingName(name) !== null) continue;
      const known = values.get(name);
      if (!known) values.set(name, { first: value, differs: false, count: 1 });
      else {
        known.count += 1;
        known.differs ||= known.first !== value;
      }
    }
  }
  const toRank = (name: string, { differs, count }: { differs: boolean; count: number }): number => {
    const isSide = SIDE.test(name);
    if (differs) return isSide ? 1 : 0;
    if (isSide) return 4;
    return count < records.length ? 2 : 3;
  };
  const ranked = [...values].map(([name, about]) => ({ name, rank: toRank(name, about) }));
  ranked.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
  const names = ranked.slice(0, MAX_RAW).map(({ name }) => name);
  return { names, leftOut: ranked.length - names.length };
}

/** Milliseconds that a date can hold, to either side of 1970. */
const MAX_TIME = 8.64e15;

const toMoment = (at: number | null): string | undefined =>
  at === null || Math.abs(at) > MAX_TIME ? undefined : new Date(at).toISOString();

function toExperiment(
  record: RunRecord,
  number: number,
  given: { readonly raw: RawChoice; readonly points: number; readonly models: ModelIds },
): JobExperiment {
  const { id, run, status } = record;
  const loss = run.curves().get('loss')?.read();
  const { raw, points, models } = given;
  const parameters = run.parameters();
  // A run whose loss is lost is ranked by nothing.
  const lost = toDivergence(run);
  const isSaid = lost !== null || status.status === 'failed' || status.status === 'stopped';
  return {
    // Before the fields of ours, which they must not replace.
    ...Object.fromEntries(raw.names.map((name) => [name, toField(parameters.get(name)?.value)])),
    ...toSettingFields(run),
    ...(raw.leftOut === 0 ? {} : { settings_left_out: raw.leftOut }),
    id,
    experiment_number: number,
    lora: toOtherType(run) === undefined ? toIsAdapter(run) : undefined,
    status: status.status,
    model_id: isSucceeded(status.status) ? toModelId(record, models) : undefined,
    status_cause: status.cause ?? undefined,
    failure: isSaid ? status.reason : undefined,
    steps: integerOr(run.progress.step),
    seconds: run.seconds ?? undefined,
    ended_at: toMoment(run.endedAt),
    first_loss: loss && (loss.steps[0] ?? 2) <= 1 ? numberOr(loss.values[0]) : undefined,
    last_loss: loss && loss.length > 0 && !lost ? toLastLoss(loss) : undefined,
    held_out: lost ? undefined : toHeldOut(run),
    losses: loss && loss.length > 0 ? toLosses(loss, points, lost?.step ?? Infinity) : undefined,
  };
}

export function toJob({ id, label, snapshotId, records }: JobPlace, models: ModelIds): Job {
  const share = Math.floor(MAX_JOB_POINTS / Math.max(1, records.length));
  const points = Math.min(MAX_LOSS_POINTS, Math.max(LEAST_POINTS, share));
  const given = { raw: chooseRaw(records), points, models };
  return {
    id,
    name: label,
    snapshot_id: snapshotId,
    status: toJobStatus(records.map(({ status }) => status.status)),
    experiments: records.map((record, at) => toExperiment(record, at + 1, given)),
  };
}
