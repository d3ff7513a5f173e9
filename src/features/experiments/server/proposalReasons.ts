// The sentences that explain a proposed experiment: its purpose, the runs to compare with, cautions. Pure.
// This file only describes; it must not choose anything.
import type { BaseModel } from './catalogue.ts';
import { chooseMode, findOwnRun, toChosenRun, type RunFact, type SnapshotFacts } from './evidence.ts';
import { describeRuns, toFailureText, toModeName, toRunName } from './evidenceWords.ts';
import { describeMeasured, NOT_MEASURED } from './measuredWords.ts';
import { toHyperparameters, type Plan } from './hyperparameters.ts';
import type { Proposal } from './proposals.ts';
import { joinSentences, toCountText, toEpochsText, toRateText } from './reasonText.ts';
import { describeCautions, describeEpochs, describeFormula } from './reasons.ts';

/** The order of PROPOSAL_KINDS. */
const RULE = 'Next step of the standard sweep, to train here.';

const SEED = 'A proposal holds no seed: set it in your trainer.';

/** `Repeat run Experiment 1 · LoRA (6e-3) with another seed`: the name in the tree (proposals have numbers too). */
function toRepeatLead(run: RunFact): string {
  const values = `${run.lora ? 'LoRA' : 'full'} (${toRateText(run.learning_rate)})`;
  const again = `Repeat ${toRunName(run)} · ${values} with another seed`;
  return run.failure === null
    ? `${again}, as a baseline: it shows how far results vary by chance.`
    : `${again} only to see whether it fails again.`;
}

function toOtherWayWords(facts: SnapshotFacts, plan: Plan): string {
  const own = findOwnRun(facts, plan.isLora);
  if (!own) return `it has not run on this snapshot, so nothing shows whether it beats ${toModeName(!plan.isLora)}`;
  const had = own.n_epochs === plan.n_epochs ? 'other values' : toEpochsText(own.n_epochs);
  return `its run on this snapshot had ${had}, so the two can’t be compared fairly`;
}

/** The action and its reason in one sentence of at most 25 words. */
function toLead(facts: SnapshotFacts, { kind, plan, factor, tried }: Proposal): string {
  if (tried) return toRepeatLead(tried);
  const { learning_rate_multiplier, n_epochs } = toHyperparameters(plan, factor);
  const suggested = `the suggested ${toRateText(toHyperparameters(plan, 1).learning_rate_multiplier)}`;
  const what = `Try ${toModeName(plan.isLora)} at ${toRateText(learning_rate_multiplier)}`;
  const whole = `${what} for ${toEpochsText(n_epochs)}`;
  if (kind === 'suggested') return `${whole}: the suggested values, which have not run on this snapshot.`;
  if (kind === 'other-way') return `${whole}: ${toOtherWayWords(facts, plan)}.`;
  if (kind === 'lower-rate') return `${what}, a third of ${suggested}: shows whether a lower rate generalises better.`;
  if (kind === 'higher-rate') return `${what}, three times ${suggested}: shows how far it can be raised.`;
  return `${whole}: shows whether longer training helps, as all else has run or is near a rate that failed.`;
}

/** The runs of this snapshot to compare the result with. */
function toReferences(facts: SnapshotFacts, { kind, plan, tried }: Proposal): readonly RunFact[] {
  if (tried) return [tried];
  const own = kind === 'other-way' ? findOwnRun(facts, plan.isLora) : null;
  return [toChosenRun(chooseMode(facts)), own].filter((run) => run !== null);
}

function describeRateOrigin(plan: Plan, { snapshot_id }: SnapshotFacts): string {
  const { run, measured } = plan;
  if (measured) return describeMeasured(plan);
  if (run === null) return `The rate follows from the formula alone (${NOT_MEASURED}).`;
  return run.snapshot_id === snapshot_id ? '' : `The rate is from ${toRunName(run)} on another snapshot.`;
}

/** One experiment of the local base model. */
export function toProposalReason(model: BaseModel, facts: SnapshotFacts, proposal: Proposal): string {
  const { plan, tried, warning, recommended } = proposal;
  const references = toReferences(facts, proposal).filter((run) => run.failure === null);
  return joinSentences(
    toLead(facts, proposal),
    tried ? SEED : '',
    recommended ? RULE : '',
    `${toEpochsText(plan.n_epochs)}, about ${toCountText(plan.steps)} steps.`,
    references.length > 0
      ? `To compare with: ${describeRuns(references).replace(/^On/, 'on').replace(/^So/, 'so')}`
      : '',
    describeRateOrigin(plan, facts),
    tried?.failure ? `In this studio ${toFailureText(tried, facts)}.` : '',
    warning && warning !== tried ? `Near this rate ${toFailureText(warning, facts)}.` : '',
    describeCautions(model, facts, [plan]),
  );
}

/** The experiment on the runner-up model. */
export function toRunnerUpReason(model: BaseModel, facts: SnapshotFacts, plan: Plan, lead: string): string {
  return joinSentences(
    lead,
    'LoRA matches full training on data of this size (LoRA Without Regret).',
    plan.measured
      ? `${toCountText(plan.steps)} steps at batch ${plan.batch_size}.`
      : `${describeEpochs(plan, facts)}, ${toCountText(plan.steps)} steps at batch ${plan.batch_size}.`,
    plan.measured ? describeMeasured(plan) : describeFormula(model, plan),
    describeCautions(model, facts, [plan]),
  );
}
