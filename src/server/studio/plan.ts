// Hyperparameters of one base model for one snapshot, with the rule or run behind each. Pure.
import type { Hyperparameters } from '#shared/contract/recommendation.ts';
import type { BaseModel, LocalTraining } from './catalogue.ts';
import { chooseMode, findOwnRun, findRateRun, toChosenRun, type RunFact, type SnapshotFacts } from './evidence.ts';
import { toBatchSize, toEpochs, toLearningRate, toSignificant, toSteps } from './hyperparameterRules.ts';

export interface Plan {
  readonly isLora: boolean;
  readonly n_epochs: number;
  /** The epochs of the published rule. */
  readonly rule_epochs: number;
  /** The run of this snapshot that decides between full training and LoRA. Its epochs are used if it had more than the rule says. */
  readonly chosen_run: RunFact | null;
  readonly batch_size: number;
  readonly learning_rate: number;
  readonly steps: number;
  /** The run of this snapshot whose steps are used; null when they are estimated from the rows. */
  readonly steps_run: RunFact | null;
  /** The rate of the published formula for the same batch. */
  readonly formula_rate: number;
  /** The run whose rate is used; null when the rate comes from the formula. */
  readonly run: RunFact | null;
}

interface PackedSteps {
  readonly steps: number;
  readonly steps_run: RunFact | null;
}

/** Optimizer steps of the local trainer, which packs rows: measured on this snapshot, or estimated from bytes. */
function toPackedSteps(facts: SnapshotFacts, local: LocalTraining, epochs: number): PackedSteps {
  const own = [findOwnRun(facts, true), findOwnRun(facts, false)].filter((run) => run?.steps);
  const steps_run = own.find((run) => run?.n_epochs === epochs) ?? own[0] ?? null;
  if (steps_run?.steps) {
    const sequences = (steps_run.steps / steps_run.n_epochs) * steps_run.batch_size;
    return { steps: Math.max(1, Math.round((sequences * epochs) / local.batch_size)), steps_run };
  }
  const stepTokens = local.batch_size * local.sequence_tokens * local.fill;
  return {
    steps: Math.max(1, Math.ceil((facts.training_bytes / local.bytes_per_token / stepTokens) * epochs)),
    steps_run: null,
  };
}

export function toPlan(model: BaseModel, facts: SnapshotFacts, isLora: boolean): Plan {
  const { hidden_size, rate, local } = model;
  const rows = facts.training_count;
  const rule_epochs = toEpochs(rows);
  // Both ways of training get the same epochs, so that they can be compared.
  const chosen_run = local ? toChosenRun(chooseMode(facts)) : null;
  const n_epochs = Math.max(rule_epochs, chosen_run?.n_epochs ?? 0);
  const batch_size = local?.batch_size ?? toBatchSize(rows, n_epochs, isLora);
  const formula_rate = toSignificant(toLearningRate({ hidden_size, exponent: rate.exponent, isLora, batch_size }));
  const run = local ? findRateRun(facts, isLora) : null;
  const steps = local
    ? toPackedSteps(facts, local, n_epochs)
    : { steps: toSteps(rows, n_epochs, batch_size), steps_run: null };
  const learning_rate = run?.learning_rate ?? formula_rate;
  return { isLora, n_epochs, rule_epochs, chosen_run, batch_size, learning_rate, ...steps, formula_rate, run };
}

/** The same plan with more or fewer epochs. */
export function toPlanOfEpochs(plan: Plan, n_epochs: number): Plan {
  return { ...plan, n_epochs, steps: Math.max(1, Math.round((plan.steps / plan.n_epochs) * n_epochs)) };
}

/**
 * ASSUMED: in this studio `learning_rate_multiplier` is the peak learning rate itself (SPEC 2.2 does not say what it
 * multiplies, and services differ); the reason of the recommended model states it.
 */
export function toHyperparameters(plan: Plan, factor = 1): Hyperparameters {
  return {
    n_epochs: plan.n_epochs,
    batch_size: plan.batch_size,
    learning_rate_multiplier: toSignificant(plan.learning_rate * factor),
  };
}
