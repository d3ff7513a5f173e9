// Hyperparameters of one base model for one snapshot, with what they rest on. Pure.
// It must not know how they are explained.
import type { Hyperparameters } from '../contract/recommendation';
import type { BaseModel } from './catalogue';
import { findBestRun, type RunFact, type SnapshotFacts } from './evidence';
import { toBatchSize, toEpochs, toLearningRate, toSignificant, toSteps } from './hyperparameterRules';

export interface Plan {
  readonly isLora: boolean;
  readonly n_epochs: number;
  readonly batch_size: number;
  readonly learning_rate: number;
  readonly steps: number;
  /** What the published formula gives for the same batch. */
  readonly formula_rate: number;
  /** The run that the rate was measured in; null when the rate is the formula's. */
  readonly run: RunFact | null;
}

/** Optimizer steps of the local trainer, which packs rows: as measured on this snapshot, else by the rows' bytes. */
function toPackedSteps(facts: SnapshotFacts, local: NonNullable<BaseModel['local']>, epochs: number): number {
  const own = facts.runs.find((run) => run.snapshot_id === facts.snapshot_id && run.failure === null && run.steps !== null);
  if (own?.steps) return Math.round((own.steps / own.n_epochs) * epochs);
  const stepTokens = local.batch_size * local.sequence_tokens * local.fill;
  return Math.ceil((facts.training_bytes / local.bytes_per_token / stepTokens) * epochs);
}

export function toPlan(model: BaseModel, facts: SnapshotFacts, isLora: boolean): Plan {
  const rows = facts.training_count;
  const n_epochs = toEpochs(rows);
  const batch_size = model.local?.batch_size ?? toBatchSize(rows, n_epochs, isLora);
  const { hidden_size, rate } = model;
  const formula_rate = toSignificant(toLearningRate({ hidden_size, exponent: rate.exponent, isLora, batch_size }));
  const run = model.local ? findBestRun(facts, isLora) : null;
  return {
    isLora,
    n_epochs,
    batch_size,
    learning_rate: run?.learning_rate ?? formula_rate,
    steps: model.local ? toPackedSteps(facts, model.local, n_epochs) : toSteps(rows, n_epochs, batch_size),
    formula_rate,
    run,
  };
}

/**
 * ASSUMED: in this studio `learning_rate_multiplier` is the peak learning rate itself (SPEC 2.2 does not say what it
 * multiplies, and services differ); every reason states it.
 */
export function toHyperparameters(plan: Plan, factor = 1): Hyperparameters {
  return {
    n_epochs: plan.n_epochs,
    batch_size: plan.batch_size,
    learning_rate_multiplier: toSignificant(plan.learning_rate * factor),
  };
}
