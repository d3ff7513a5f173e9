// What MLflow's two stores have in common: states, tags and parameters, which are all text.
import type { JsonObject } from '#core/contract/readJson.ts';
import {
  toEvidence,
  toFact,
  type FactSource,
  type RunEvidence,
  type StatusSign,
} from '#features/runs/server/evidence.ts';
import { isSecretKey } from '#features/runs/server/secretKeys.ts';
import { toText } from './looseJson.ts';
import type { MetricLog } from './metricLog.ts';
import { numberOf } from './pythonDict.ts';
import { toTrainerFacts, type TrainerFacts } from './trainerSettings.ts';

export interface MlflowRun {
  readonly format: string;
  readonly key: string;
  /** MLflow's own id of the run. */
  readonly id: string | null;
  readonly folder: string;
  /** null: MLflow of before 1.30 keeps the name in a tag. */
  readonly name: string | null;
  readonly experiment: string | null;
  /** The name of the run that this one was started in. */
  readonly parent: string | null;
  readonly status: string;
  /** Unix milliseconds. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly params: ReadonlyMap<string, string>;
  readonly tags: ReadonlyMap<string, string>;
  readonly datasets: readonly string[];
  readonly log: MetricLog;
  /** Where the run itself is written down, its parameters and its metrics. */
  readonly source: FactSource;
  readonly paramSource: FactSource;
  readonly metricSource: FactSource;
  readonly lastSignAt: number | null;
}

const MAX_TAGS = 50;
const MAX_TAG = 200;
/** Tags that MLflow sets itself begin so. */
const OWN_TAG = 'mlflow.';
export const PARENT_TAG = 'mlflow.parentRunId';
const NAME_TAG = 'mlflow.runName';
const NOTE_TAG = 'mlflow.note.content';

/** How MLflow's own monitor of the machine names what it sees, with a step of its own. */
export const isSystemMetric = (name: string): boolean => name.startsWith('system/');

export function toMlflowEvidence(run: MlflowRun): RunEvidence {
  const facts = toFacts(run);
  return toEvidence({
    format: run.format,
    key: run.key,
    folder: run.folder,
    trackerId: run.id,
    curveSource: run.metricSource,
    name: toFact(toText(run.name ?? run.tags.get(NAME_TAG)), run.source),
    group: toFact(toText([run.experiment, run.parent].filter((part) => part !== null).join(' / ')), run.source),
    tags: toUserTags(run.tags),
    notes: toFact(toText(run.tags.get(NOTE_TAG)), run.source),
    datasets: run.datasets.length > 0 ? { value: run.datasets, source: run.source } : null,
    ...facts.evidence,
    curves: run.log.curves,
    summary: run.log.summary,
    progress: run.log.toProgress(facts.totalSteps, facts.totalEpochs),
    signs: toSigns(run),
    startedAt: run.startedAt ?? run.log.firstTime,
    endedAt: run.endedAt,
    lastSignAt: run.lastSignAt,
    problems: run.log.problems,
  });
}

/** Parameters are never changed, only added. A database of 1,000 runs has 300,000 of them. */
const known = new WeakMap<MlflowRun['params'], { readonly size: number; readonly facts: TrainerFacts }>();

function toFacts({ params, paramSource }: MlflowRun): TrainerFacts {
  const before = known.get(params);
  if (before?.size === params.size) return before.facts;
  const settings = Object.fromEntries([...params].map(([key, value]) => [key, toSetting(value)]));
  const facts = toTrainerFacts(settings, paramSource);
  known.set(params, { size: params.size, facts });
  return facts;
}

/**
 * A process that was killed leaves RUNNING behind. At the exit of Python a run that was not begun by `with` becomes FINISHED, also
 * after an error (MLflow 3.17), as in HF's Trainer.
 */
const STATES: Readonly<Record<string, StatusSign['kind']>> = {
  RUNNING: 'open',
  FINISHED: 'closed',
  FAILED: 'failed',
  KILLED: 'interrupted',
};

function toSigns({ status, endedAt, source, log }: MlflowRun): readonly StatusSign[] {
  const kind = STATES[status];
  const signs: StatusSign[] = kind ? [{ kind, reason: `MLflow status ${status}`, at: endedAt, source }] : [];
  const runtime = log.summary.get('train_runtime');
  if (runtime)
    signs.push({ kind: 'finished', reason: 'train_runtime was logged', at: endedAt, source: runtime.source });
  return signs;
}

const toUserTags = (tags: ReadonlyMap<string, string>): readonly string[] =>
  [...tags]
    .filter(([key]) => !key.startsWith(OWN_TAG) && !isSecretKey(key))
    .map(([key, value]) => (value === '' ? key : `${key}=${value}`).slice(0, MAX_TAG))
    .slice(0, MAX_TAGS);

/** The value that Python wrote as this text. */
function toSetting(text: string): JsonObject[string] {
  if (text === 'True' || text === 'False') return text === 'True';
  if (text === 'None') return null;
  return numberOf(text) ?? text;
}
