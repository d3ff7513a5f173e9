// Hyperparameters of one base model for one snapshot, with the rule or runs behind each. Pure.
import type { Hyperparameters } from '#core/contract/recommendation.ts';
import { JOB_LIMITS } from '#core/contract/limits.ts';
import { toMeasuredSettings, type MeasuredSettings } from '#features/experiments/shared/measured/measuredSettings.ts';
import {
  toBatchSize,
  toEpochs,
  toLearningRate,
  toSignificant,
  toSteps,
} from '#features/experiments/shared/measured/hyperparameterRules.ts';
import { USUAL_SPEED } from '#trainer/shared/trainingEstimate.ts';
import type { BaseModel, LocalTraining } from './catalogue.ts';
import {
  chooseMode,
  findOwnRun,
  findRateRun,
  toChosenRun,
  toTaskFacts,
  type RunFact,
  type SnapshotFacts,
} from './evidence.ts';

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
  /** The run whose rate is used; null when the rate comes from the formula or from `measured`. */
  readonly run: RunFact | null;
  /** Runs on nearby data, from which the values are; null: they are from runs of this snapshot or from published rules. */
  readonly measured: MeasuredSettings | null;
  /** What runs on other data let expect, also where a run of this snapshot decides. */
  readonly expected: MeasuredSettings | null;
  /** The epochs that `measured` gives are more than what a run here has time for. */
  readonly is_shortened: boolean;
}

interface PackedSteps {
  readonly steps: number;
  readonly steps_run: RunFact | null;
}

/** Tokens of a byte of the rows: as in the nearest data, whose words the vocabulary may know as little. */
function toBytesPerToken(local: LocalTraining, measured: MeasuredSettings | null): number {
  const known = measured?.tasks.flatMap(({ best }) => {
    const { bytes_per_row, tokens_per_row } = best.facts;
    return tokens_per_row === null || tokens_per_row <= 0 ? [] : [bytes_per_row / tokens_per_row];
  });
  return known && known.length > 0
    ? known.reduce((sum, value) => sum + value, 0) / known.length
    : local.bytes_per_token;
}

/** Optimizer steps of the local trainer, which packs rows: measured on this snapshot, or estimated from bytes. */
function toPackedSteps(
  facts: SnapshotFacts,
  local: LocalTraining,
  { n_epochs, batch_size, tokens }: { n_epochs: number; batch_size: number; tokens: number },
): PackedSteps {
  const own = [findOwnRun(facts, true), findOwnRun(facts, false)].filter((run) => run?.steps);
  const steps_run = own.find((run) => run?.n_epochs === n_epochs) ?? own[0] ?? null;
  if (steps_run?.steps) {
    const sequences = (steps_run.steps / steps_run.n_epochs) * steps_run.batch_size;
    return { steps: Math.max(1, Math.round((sequences * n_epochs) / batch_size)), steps_run };
  }
  const stepTokens = batch_size * local.sequence_tokens * local.fill;
  return { steps: Math.max(1, Math.ceil((tokens / stepTokens) * n_epochs)), steps_run: null };
}

/** A first run should end while a person waits for it. Longer ones are a choice. */
export const RUN_MINUTES = 4;

/** Epochs that take so long, by the usual speed of one core and six operations a weight and token. */
const toTimelyEpochs = ({ weights }: BaseModel, tokens: number): number =>
  Math.floor((RUN_MINUTES * 60 * USUAL_SPEED) / (6 * weights * Math.max(1, tokens)));

type LocalValues = Pick<Plan, 'n_epochs' | 'batch_size' | 'measured' | 'expected' | 'is_shortened' | 'chosen_run'> & {
  readonly tokens: number;
};

function toLocalValues(model: BaseModel, local: LocalTraining, facts: SnapshotFacts, isLora: boolean): LocalValues {
  const rule_epochs = toEpochs(facts.training_count);
  const found = toMeasuredSettings(toTaskFacts(facts, model.weights), facts.measured, isLora);
  const tokens = facts.training_bytes / toBytesPerToken(local, found);
  const chosen_run = toChosenRun(chooseMode(facts));
  const known = { expected: found, chosen_run, tokens };
  if (chosen_run) {
    // Both ways of training get the same epochs and batch, so that they can be compared.
    const n_epochs = Math.min(JOB_LIMITS.epochs.max, Math.max(rule_epochs, chosen_run.n_epochs));
    const measured = findOwnRun(facts, isLora) ? null : found;
    return { ...known, n_epochs, batch_size: chosen_run.batch_size, measured, is_shortened: false };
  }
  if (!found)
    return { ...known, n_epochs: rule_epochs, batch_size: local.batch_size, measured: null, is_shortened: false };
  const wanted = Math.min(found.n_epochs.value, JOB_LIMITS.epochs.max);
  const n_epochs = Math.min(wanted, Math.max(rule_epochs, toTimelyEpochs(model, tokens)));
  const batch_size = Math.min(found.batch_size.value, JOB_LIMITS.batch.max);
  return { ...known, n_epochs, batch_size, measured: found, is_shortened: n_epochs < wanted };
}

function toLocalPlan(model: BaseModel, local: LocalTraining, facts: SnapshotFacts, isLora: boolean): Plan {
  const { tokens, ...values } = toLocalValues(model, local, facts, isLora);
  const { n_epochs, batch_size, measured } = values;
  const formula_rate = toFormulaRate(model, isLora, batch_size);
  const run = measured ? null : findRateRun(facts, isLora);
  return {
    isLora,
    rule_epochs: toEpochs(facts.training_count),
    ...values,
    learning_rate: run?.learning_rate ?? measured?.learning_rate.value ?? formula_rate,
    ...toPackedSteps(facts, local, { n_epochs, batch_size, tokens }),
    formula_rate,
    run,
  };
}

const toFormulaRate = ({ hidden_size, rate }: BaseModel, isLora: boolean, batch_size: number): number =>
  toSignificant(toLearningRate({ hidden_size, exponent: rate.exponent, isLora, batch_size }));

export function toPlan(model: BaseModel, facts: SnapshotFacts, isLora: boolean): Plan {
  if (model.local) return toLocalPlan(model, model.local, facts, isLora);
  const rows = facts.training_count;
  const measured = toMeasuredSettings(toTaskFacts(facts, model.weights), facts.measured, isLora);
  const rule_epochs = toEpochs(rows);
  const n_epochs = Math.min(measured?.n_epochs.value ?? rule_epochs, JOB_LIMITS.epochs.max);
  const batch_size = Math.min(measured?.batch_size.value ?? toBatchSize(rows, n_epochs, isLora), JOB_LIMITS.batch.max);
  const formula_rate = toFormulaRate(model, isLora, batch_size);
  return {
    isLora,
    n_epochs,
    rule_epochs,
    chosen_run: null,
    batch_size,
    learning_rate: measured?.learning_rate.value ?? formula_rate,
    steps: toSteps(rows, n_epochs, batch_size),
    steps_run: null,
    formula_rate,
    run: null,
    measured,
    expected: measured,
    is_shortened: false,
  };
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
