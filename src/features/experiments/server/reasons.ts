// The sentences that explain a base model: the rule or run behind each value, and cautions. Pure.
// This file only describes; it must not choose anything.
import type { BaseModel, LocalTraining } from './catalogue.ts';
import { findOwnFailure, type ModeChoice, type SnapshotFacts } from './evidence.ts';
import { describeChoice, describeComparison, toFailureText, toModeName, toRunName } from './evidenceWords.ts';
import { describeMeasured, describePrediction, NOT_MEASURED } from './measuredWords.ts';
import type { Plan } from './hyperparameters.ts';
import { joinSentences, toCountText, toEpochsText, toRateText, toRatioText, toRowsText } from './reasonText.ts';

const CONVENTION = 'learning_rate_multiplier is the peak learning rate itself.';
/** Axolotl's and Unsloth's usual LoRA rate. */
const COMMON_LORA_RATE = 2e-4;
const FEW_ROWS = 10;
const FEW_STEPS = 100;
const COOKBOOK = 'the OpenAI cookbook (Chat_finetuning_data_prep)';

/** Both ways of training one model. */
export interface PlanPair {
  readonly full: Plan;
  readonly lora: Plan;
}

/** The cautions in one sentence, or an empty text. `plans` are those that the reason mentions. */
export function describeCautions(model: BaseModel, facts: SnapshotFacts, plans: readonly Plan[]): string {
  const isDerived = plans.some(({ run, measured }) => run === null && measured === null);
  const cautions = [
    facts.training_count < FEW_ROWS ? `fewer than ${FEW_ROWS} training rows only try out the pipeline` : null,
    plans.some((plan) => plan.steps < FEW_STEPS)
      ? `fewer than ${FEW_STEPS} steps is short (Tinker wants at least 100; on such runs LoRA takes about 15x the ` +
        'full rate, says LoRA Without Regret)'
      : null,
    isDerived && model.rate.calibration === null ? 'the rate formula was not calibrated on this model family' : null,
    facts.validation_count === 0 ? 'without validation rows nothing shows overfitting' : null,
  ].filter((caution) => caution !== null);
  return cautions.length > 0 ? `Caution: ${cautions.join('; ')}.` : '';
}

export function describeEpochs({ n_epochs, rule_epochs, chosen_run }: Plan, { training_count }: SnapshotFacts): string {
  const epochs = toEpochsText(n_epochs);
  const rows = `for ${toRowsText(training_count)}`;
  if (chosen_run && n_epochs > rule_epochs)
    return `${epochs}, as in ${toRunName(chosen_run)}; ${COOKBOOK} gives ${rule_epochs} ${rows}`;
  const shown =
    chosen_run && chosen_run.n_epochs < n_epochs ? ` (${toRunName(chosen_run)} had ${chosen_run.n_epochs})` : '';
  return `${epochs} by ${COOKBOOK} ${rows}${shown} (${NOT_MEASURED})`;
}

/** `6e-3 for LoRA (run Experiment 1 on another snapshot)`. */
function toRateOrigin({ run, isLora, learning_rate }: Plan, { snapshot_id }: SnapshotFacts): string {
  const where = run?.snapshot_id === snapshot_id ? '' : ' on another snapshot';
  const origin = run ? `${toRunName(run)}${where}` : 'by the formula';
  return `${toRateText(learning_rate)} for ${toModeName(isLora)} (${origin})`;
}

/** Where the local model's rates come from: this studio's runs if there are any, and the formula. */
function describeLocalRates(plans: readonly Plan[], facts: SnapshotFacts): string {
  const formula =
    "Tinker's formula (cookbook, hyperparam_utils), scaled to this batch by our unpublished scaling rule,";
  const formulaRates = plans.map((plan) => toRateText(plan.formula_rate)).join(' and ');
  const published = `${formula} gives ${formulaRates} (${NOT_MEASURED}).`;
  const known = plans.filter(({ run }) => run !== null);
  if (plans.every(({ run, measured }) => run === null && measured === null))
    return `No run of this studio has measured its rates yet: ${published}`;
  return joinSentences(
    known.length > 0 ? `Rates: ${known.map((plan) => toRateOrigin(plan, facts)).join(', ')}.` : '',
    ...plans.map((plan) => describeMeasured(plan)),
    ...plans.map((plan) => describePrediction(plan, facts)),
    published,
  );
}

function toStepsSource({ n_epochs, steps_run }: Plan): string {
  if (steps_run === null) return "estimated from the rows' bytes";
  const { n_epochs: epochs, steps } = steps_run;
  return epochs === n_epochs
    ? `as in ${toRunName(steps_run)}`
    : `scaled from ${toRunName(steps_run)}, ${toCountText(steps ?? 0)} steps of ${toEpochsText(epochs)}`;
}

/** How rows become steps: the trainer packs them. */
function describeSteps(plan: Plan, { training_count }: SnapshotFacts, local: LocalTraining): string {
  const { n_epochs, steps, batch_size } = plan;
  const perSequence = toCountText((training_count * n_epochs) / (steps * batch_size));
  return (
    `Rows are packed into sequences of ${local.sequence_tokens} tokens, about ${perSequence} rows in each, and a ` +
    `step takes ${batch_size} sequences: ` +
    `${toRowsText(training_count)} x ${toEpochsText(n_epochs)} make about ${toCountText(steps)} steps ` +
    `(${toStepsSource(plan)}).`
  );
}

/** Why the local base model, and which way of training it. */
export function toLocalReason(
  model: BaseModel,
  local: LocalTraining,
  facts: SnapshotFacts,
  { full, lora }: PlanPair,
  choice: ModeChoice,
): string {
  const plans: readonly [Plan, Plan] = choice.isLora ? [lora, full] : [full, lora];
  const failure = findOwnFailure(facts);
  return joinSentences(
    describeChoice(choice, facts),
    describeComparison(choice),
    'Train it here: it is the one base model of this list that runs in this studio.',
    describeLocalRates(plans, facts),
    plans[0].measured && plans[0].chosen_run === null ? '' : `${describeEpochs(plans[0], facts)}.`,
    describeSteps(plans[0], facts, local),
    CONVENTION,
    failure ? `On this snapshot ${toFailureText(failure, facts)}.` : '',
    describeCautions(model, facts, plans),
  );
}

export function describeFormula(model: BaseModel, lora: Plan): string {
  const size = toCountText(model.hidden_size);
  const ratio = toRatioText(lora.learning_rate, COMMON_LORA_RATE);
  const formula = `Tinker's formula (cookbook, hyperparam_utils) for hidden size ${size}`;
  const derivation = 'times the square root of batch / 128 (our unpublished scaling rule)';
  const rate = toRateText(lora.learning_rate);
  return `Rate: ${formula}, ${derivation}; LoRA's ${rate} is ${ratio} of Axolotl and Unsloth (${NOT_MEASURED}).`;
}

/** Advice for a model that is trained elsewhere. `lead` gives the reason for its place in the list. */
export function toAdviceReason(model: BaseModel, facts: SnapshotFacts, { full, lora }: PlanPair, lead: string): string {
  const loraSteps = `${toCountText(lora.steps)} steps with LoRA at batch ${lora.batch_size}`;
  const fullSteps = `${toCountText(full.steps)} with full training at batch ${full.batch_size}`;
  return joinSentences(
    lead,
    lora.measured ? `${loraSteps}, ${fullSteps}.` : `${describeEpochs(lora, facts)}: ${loraSteps}, ${fullSteps}.`,
    describeMeasured(lora),
    describeMeasured(full),
    lora.measured ? '' : describeFormula(model, lora),
    describeCautions(model, facts, [lora, full]),
  );
}
