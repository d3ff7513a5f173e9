// The sentences that explain a recommendation: which rule or run each value comes from, and what to mind. Pure.
// It must not choose anything.
import type { BaseModel } from './catalogue';
import { describeFailure, type RunFact, type SnapshotFacts } from './evidence';
import type { Plan } from './plan';
import { joinSentences, toCountText, toPercentText, toRateText, toRatioText } from './reasonText';

const CONVENTION = 'learning_rate_multiplier is the peak learning rate itself.';
/** Axolotl's and Unsloth's usual LoRA rate. */
const COMMON_LORA_RATE = 2e-4;
const FEW_ROWS = 10;
const FEW_STEPS = 100;

/** Both ways of training one model. */
export interface PlanPair {
  readonly full: Plan;
  readonly lora: Plan;
}

/** A sentence of what to mind, or nothing. `plans` are those that the reason speaks of. */
function describeCautions(model: BaseModel, facts: SnapshotFacts, plans: readonly Plan[]): string {
  const isDerived = plans.some((plan) => plan.run === null);
  const cautions = [
    facts.training_count < FEW_ROWS ? `fewer than ${FEW_ROWS} training rows only try out the pipeline` : null,
    plans.some((plan) => plan.steps < FEW_STEPS)
      ? `fewer than ${FEW_STEPS} steps is short (Tinker wants at least 100; on such runs LoRA takes about 15x the full rate, says LoRA Without Regret)`
      : null,
    isDerived && model.rate.calibration === null ? 'the rate formula was not calibrated on this model family' : null,
    facts.validation_count === 0 ? 'without validation rows nothing shows overfitting' : null,
  ].filter((caution) => caution !== null);
  return cautions.length > 0 ? `Caution: ${cautions.join('; ')}.` : '';
}

function describeEpochs({ n_epochs }: Plan, { training_count }: SnapshotFacts): string {
  const epochs = `${n_epochs} ${n_epochs === 1 ? 'epoch' : 'epochs'}`;
  return `${epochs} by the OpenAI cookbook (Chat_finetuning_data_prep) for ${toCountText(training_count)} rows`;
}

const modeName = (plan: Plan): string => (plan.isLora ? 'LoRA' : 'full training');
const modeTitle = (plan: Plan): string => (plan.isLora ? 'LoRA' : 'Full training');

/** Where the local model's rates come from: this studio's runs where there are any, and the formula beside them. */
function describeLocalRates(plans: readonly Plan[], facts: SnapshotFacts): string {
  const formula = "Tinker's formula (cookbook, hyperparam_utils), scaled to this batch by a derivation of ours,";
  const formulaRates = plans.map((plan) => toRateText(plan.formula_rate)).join(' and ');
  const measured = plans.filter((plan) => plan.run !== null);
  if (measured.length === 0) return `No run of this studio has measured its rates yet: ${formula} gives ${formulaRates}.`;
  const rates = measured.map((plan) => `${toRateText(plan.learning_rate)} for ${modeName(plan)}`).join(', ');
  const failure = describeFailure(facts);
  return `Rates measured in this studio's own runs: ${rates}${failure ? `; ${failure}` : ''}. ${formula} would give ${formulaRates}.`;
}

/** Why the local base model. `choice` says which way of training it, and why. */
export function toLocalReason(model: BaseModel, facts: SnapshotFacts, { full, lora }: PlanPair, choice: string): string {
  return joinSentences(
    `The one base model that this studio can train and serve. ${choice}`,
    describeLocalRates([full, lora], facts),
    `${describeEpochs(full, facts)}: about ${toCountText(full.steps)} steps of ${full.batch_size} packed sequences.`,
    CONVENTION,
    describeCautions(model, facts, [full, lora]),
  );
}

function describeFormula(model: BaseModel, lora: Plan): string {
  const size = toCountText(model.hidden_size);
  const ratio = toRatioText(lora.learning_rate, COMMON_LORA_RATE);
  const formula = `Tinker's formula (cookbook, hyperparam_utils) for hidden size ${size}`;
  const derivation = 'times the square root of batch / 128, a derivation of ours like the batch';
  return `Rate: ${formula}, ${derivation}; LoRA's ${toRateText(lora.learning_rate)} is ${ratio} of Axolotl and Unsloth.`;
}

/** Advice for a model that is trained elsewhere. `lead` says why it is listed where it is. */
export function toAdviceReason(model: BaseModel, facts: SnapshotFacts, { full, lora }: PlanPair, lead: string): string {
  const loraSteps = `${toCountText(lora.steps)} steps with LoRA at batch ${lora.batch_size}`;
  const fullSteps = `${toCountText(full.steps)} with full training at batch ${full.batch_size}`;
  return joinSentences(
    lead,
    `${describeEpochs(lora, facts)}: ${loraSteps}, ${fullSteps}.`,
    describeFormula(model, lora),
    CONVENTION,
    describeCautions(model, facts, [lora, full]),
  );
}

function describeOutcome(run: RunFact, { answer_shape }: SnapshotFacts): string {
  if (answer_shape !== 'text' && run.exact_match !== null) {
    return `: ${toPercentText(run.exact_match)} of the held-out answers were exactly right`;
  }
  return run.last_loss === null ? '' : `: its loss ended at ${toRateText(run.last_loss)}`;
}

/** The run of this snapshot that already used these values. */
function describeRepeat(facts: SnapshotFacts, plan: Plan, rate: number): string {
  const run = facts.runs.find(
    (entry) =>
      entry.snapshot_id === facts.snapshot_id &&
      entry.failure === null &&
      entry.lora === plan.isLora &&
      entry.learning_rate === rate &&
      entry.n_epochs === plan.n_epochs &&
      entry.batch_size === plan.batch_size,
  );
  return run ? `Experiment ${run.experiment_number} of this snapshot ran with these values${describeOutcome(run, facts)}.` : '';
}

/** One rate of the bracket around the suggested one; `purpose` is what it is for. */
export interface RateStep {
  readonly factor: number;
  readonly purpose: string;
}

/** One experiment of the local base model. */
export function toExperimentReason(model: BaseModel, facts: SnapshotFacts, plan: Plan, { factor, purpose }: RateStep): string {
  const failure = factor > 1 ? describeFailure(facts) : null;
  return joinSentences(
    purpose,
    `${modeTitle(plan)}, ${describeEpochs(plan, facts)}, about ${toCountText(plan.steps)} steps.`,
    describeRepeat(facts, plan, plan.learning_rate * factor),
    failure ? `In this studio ${failure}.` : '',
    CONVENTION,
    describeCautions(model, facts, [plan]),
  );
}

/** The experiment on the runner-up model. */
export function toRunnerUpReason(model: BaseModel, facts: SnapshotFacts, plan: Plan, lead: string): string {
  return joinSentences(
    lead,
    'LoRA matches full training on data of this size (LoRA Without Regret).',
    `${describeEpochs(plan, facts)}, ${toCountText(plan.steps)} steps at batch ${plan.batch_size}.`,
    describeFormula(model, plan),
    CONVENTION,
    describeCautions(model, facts, [plan]),
  );
}
