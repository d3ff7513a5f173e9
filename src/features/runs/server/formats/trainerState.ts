// `trainer_state.json` of HF's Trainer: the log of a run, its progress, and whether it came to its end.
import { isObject, type JsonObject } from '#core/contract/readJson.ts';
import { Curve } from '#features/runs/server/curve.ts';
import type { Progress, StatusSign } from '#features/runs/server/evidence.ts';
import { isSummaryFigure, toMetricName } from '#features/runs/server/metricNames.ts';
import { Unreadable } from '#features/runs/server/reader.ts';
import { parseLooseJsonBytes, toFinite, toPositive, toRecord, toText } from './looseJson.ts';

const MAX_NAMES = 5000;

export interface TrainerState {
  readonly curves: ReadonlyMap<string, Curve>;
  /** Figures of the whole run; only the state that is saved at the end has them. */
  readonly summary: ReadonlyMap<string, number>;
  readonly progress: Progress;
  readonly hasSummaryRow: boolean;
  readonly hasStopped: boolean;
  readonly bestCheckpoint: string | null;
  /** The step of the best checkpoint, else of the best evaluation; null: none, or its measure is not finite. */
  readonly bestStep: number | null;
  readonly trialName: string | null;
  /** How many steps lie between two rows of the log. */
  readonly loggingSteps: number | null;
  /** Of a trial of a search. */
  readonly settings: JsonObject;
}

/** Throws Unreadable, also for a file that was caught half written. */
export function parseTrainerState(content: Uint8Array): TrainerState {
  const state = parseLooseJsonBytes(content);
  if (!isObject(state) || !Array.isArray(state['log_history'])) {
    throw new Unreadable('It is no state of the Trainer: log_history is missing');
  }
  const rows = state['log_history'].filter(isObject);
  const control = toRecord(toRecord(toRecord(state['stateful_callbacks'])['TrainerControl'])['args']);
  const maxSteps = toPositive(state['max_steps']);
  return {
    ...toCurves(rows),
    // The Trainer fills in what was not set and rounds up: these are no settings. Its train_batch_size is one device's part.
    progress: {
      step: toFinite(state['global_step']),
      totalSteps: maxSteps,
      epoch: toFinite(state['epoch']),
      totalEpochs: toPositive(state['num_train_epochs']),
    },
    hasSummaryRow: rows.some((row) => row['train_loss'] !== undefined && row['train_runtime'] !== undefined),
    hasStopped: control['should_training_stop'] === true,
    bestCheckpoint: toText(state['best_model_checkpoint']),
    bestStep: toBestStep(state),
    trialName: toText(state['trial_name']),
    loggingSteps: toPositive(state['logging_steps']),
    settings: toRecord(state['trial_params']),
  };
}

const CHECKPOINT_STEP = /[\\/]checkpoint-(\d+)$/;

function toBestStep(state: JsonObject): number | null {
  if (toFinite(state['best_metric']) === null) return null;
  const step = CHECKPOINT_STEP.exec(toText(state['best_model_checkpoint']) ?? '')?.[1];
  return step === undefined ? toFinite(state['best_global_step']) : Number(step);
}

function toCurves(rows: readonly JsonObject[]): Pick<TrainerState, 'curves' | 'summary'> {
  const all = new Map<string, Curve>();
  for (const row of rows) {
    const step = toFinite(row['step']);
    if (step === null) continue;
    for (const [key, value] of Object.entries(row)) {
      if (key === 'step' || typeof value !== 'number') continue;
      const name = toMetricName(key);
      let curve = all.get(name);
      if (!curve) {
        if (all.size >= MAX_NAMES) continue;
        // Several rows of one step, such as training, evaluation and summary, repeat the epoch.
        all.set(name, (curve = new Curve({ skipsRepeats: name === 'epoch' })));
      }
      curve.push(step, value);
    }
  }
  const summary = new Map<string, number>();
  for (const [name, curve] of all) {
    const value = isSummaryFigure(name) ? toFinite(curve.lastValue) : null;
    if (value === null) continue;
    summary.set(name, value);
    if (curve.length === 1) all.delete(name);
  }
  return { curves: all, summary };
}

/** Measures of the checkpoint at this step: what the rows of its step say. */
export function measuresAt(state: TrainerState, step: number): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [name, curve] of state.curves) {
    const { steps, values } = curve.read();
    const value = values[steps.lastIndexOf(step)];
    if (value !== undefined && Number.isFinite(value)) found.set(name, value);
  }
  return found;
}

/** Whether this state is the end of its run; null: it does not say so. */
export function findEnd(state: TrainerState, file: string, modifiedAt: number): StatusSign | null {
  const { step, totalSteps } = state.progress;
  const sign = (kind: StatusSign['kind'], reason: string, place: string): StatusSign => ({
    kind,
    reason,
    at: modifiedAt,
    source: { file, place },
  });
  if (state.hasSummaryRow) return sign('finished', 'its log ends with the summary of the training', 'log_history');
  if (step !== null && totalSteps !== null && step >= totalSteps) {
    return sign('complete', `it reached step ${step} of ${totalSteps}`, 'global_step');
  }
  if (!state.hasStopped) return null;
  const reached = totalSteps === null ? `step ${step}` : `step ${step} of ${totalSteps}`;
  return sign('complete', `the trainer stopped it at ${reached}`, 'stateful_callbacks');
}

/** The rows of a file such as `all_results.json`: flat numbers. Throws Unreadable. */
export function parseResults(content: Uint8Array): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const [key, value] of Object.entries(toRecord(parseLooseJsonBytes(content)))) {
    const number = toFinite(value);
    if (number === null || found.size >= MAX_NAMES) continue;
    found.set(isSummaryFigure(key) ? key : toMetricName(key), number);
  }
  return found;
}
