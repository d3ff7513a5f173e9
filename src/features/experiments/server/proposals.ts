// Chooses which experiments on the local base model to run next, and which one first. Pure.
import type { BaseModel } from './catalogue.ts';
import {
  chooseMode,
  findNearFailure,
  findSaturated,
  toChosenRun,
  type RunFact,
  type SnapshotFacts,
} from './evidence.ts';
import { toSignificant } from '#features/experiments/shared/measured/hyperparameterRules.ts';
import { JOB_LIMITS } from '#core/contract/limits.ts';
import { toHyperparameters, toPlan, toPlanOfEpochs, type Plan } from './hyperparameters.ts';

/** In the order of preference: the first untried kind is recommended. */
const PROPOSAL_KINDS = ['suggested', 'other-way', 'lower-rate', 'higher-rate', 'longer'] as const;
type ProposalKind = (typeof PROPOSAL_KINDS)[number];

export interface Proposal {
  readonly kind: ProposalKind;
  readonly plan: Plan;
  /** The proposal's rate divided by the plan's. */
  readonly factor: number;
  /** The run of this snapshot that already had these values; only `suggested` is proposed again. */
  readonly tried: RunFact | null;
  /** A failed run that suggests that this one fails too. */
  readonly warning: RunFact | null;
  readonly recommended: boolean;
}

type Draft = Omit<Proposal, 'recommended'>;

/** The run of this snapshot with these values; a succeeded run comes before a failed one. */
function findTried(facts: SnapshotFacts, plan: Plan, factor: number): RunFact | null {
  const { n_epochs, batch_size, learning_rate_multiplier: rate } = toHyperparameters(plan, factor);
  const same = facts.runs.filter(
    (run) =>
      run.snapshot_id === facts.snapshot_id &&
      run.lora === plan.isLora &&
      run.n_epochs === n_epochs &&
      run.batch_size === batch_size &&
      toSignificant(run.learning_rate) === rate,
  );
  return same.find((run) => run.failure === null) ?? same[0] ?? null;
}

function toDraft(facts: SnapshotFacts, kind: ProposalKind, plan: Plan, factor = 1): Draft {
  const warning = findNearFailure(facts, plan.isLora, plan.learning_rate * factor);
  return { kind, plan, factor, tried: findTried(facts, plan, factor), warning };
}

const isOpen = ({ tried, warning }: Draft): boolean => tried === null && warning === null;

/** Twice the epochs, or the next number that has not run, up to the most that can be started; null: all have run. */
function toLonger(facts: SnapshotFacts, plan: Plan): Draft | null {
  const { max } = JOB_LIMITS.epochs;
  for (let epochs = Math.min(plan.n_epochs * 2, max); epochs > plan.n_epochs && epochs <= max; epochs += 1) {
    const draft = toDraft(facts, 'longer', toPlanOfEpochs(plan, epochs));
    if (!draft.tried) return draft;
  }
  return null;
}

/**
 * Three rates around the suggested values, and, once there is a run to compare with, LoRA instead of full training or the reverse.
 * Values that have already run are left out, except for the suggested ones: they are worth a repeat and come last.
 */
export function toProposals(model: BaseModel, facts: SnapshotFacts): readonly Proposal[] {
  const choice = chooseMode(facts);
  const plan = toPlan(model, facts, choice.isLora);
  const suggested = toDraft(facts, 'suggested', plan);
  const otherWay = toChosenRun(choice) ? [toDraft(facts, 'other-way', toPlan(model, facts, !choice.isLora))] : [];
  const rates = [toDraft(facts, 'lower-rate', plan, 1 / 3), toDraft(facts, 'higher-rate', plan, 3)];
  // A way of training that is clearly behind is worth a run only after the rates of the better one.
  const order = choice.basis === 'better' ? [suggested, ...rates, ...otherWay] : [suggested, ...otherWay, ...rates];
  const untried = order.filter(({ tried }) => tried === null);
  const longer = untried.some(isOpen) ? null : toLonger(facts, plan);
  const offered = longer ? [...untried, longer] : untried;
  const first = offered.find(isOpen) ?? offered.at(-1);
  const rest = offered.filter((draft) => draft !== first);
  // No training can show an improvement on these validation rows, so none is recommended.
  const isDone = findSaturated(facts, choice) !== null;
  const toProposal = (draft: Draft): Proposal => ({ ...draft, recommended: draft === first && !isDone });
  return [...(first ? [first] : []), ...rest, ...(suggested.tried ? [suggested] : [])].map(toProposal);
}
