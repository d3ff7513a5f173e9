// Recommends base models, hyperparameters and experiments for a snapshot (SPEC 2.2). Pure.
import type { AnswerShape } from '#core/contract/answerShapes.ts';
import type { ProposedExperiment, ModelRecommendation } from '#core/contract/recommendation.ts';
import type { BaseModel } from './catalogue.ts';
import { chooseMode, findSaturated, type SnapshotFacts } from './evidence.ts';
import { toHyperparameters, toPlan } from './hyperparameters.ts';
import { toPreferenceAdvice } from './preferenceAdvice.ts';
import { toProposalReason, toRunnerUpReason } from './proposalReasons.ts';
import { toProposals, type Proposal } from './proposals.ts';
import { toAdviceReason, toLocalReason } from './reasons.ts';
import type { RecommendationBody } from '#service/database/tables.ts';

/** What to train on a GPU elsewhere, by the shape of the answers: our own judgement, as this studio has no runs of it. */
const RUNNER_UPS: Readonly<Record<AnswerShape, { readonly id: string; readonly why: string }>> = {
  'fixed-set': { id: 'qwen2.5-0.5b', why: 'a fixed set of answers needs little model' },
  'tool-calls': { id: 'qwen3-0.6b', why: 'it already knows how to call tools' },
  json: { id: 'qwen2.5-0.5b', why: 'it already writes JSON well for its size' },
  text: { id: 'llama3.2-1b', why: 'free text gains most from a larger model' },
};

const UNTESTED = 'Runner-up; not tested here.';

function toModel(model: BaseModel, facts: SnapshotFacts, runnerUpId: string): ModelRecommendation {
  const full = toPlan(model, facts, false);
  const lora = toPlan(model, facts, true);
  const size = `${model.parameters} parameters`;
  const lead =
    model.id === runnerUpId
      ? `To train on a GPU elsewhere (${size}): ${RUNNER_UPS[facts.answer_shape].why}. ${UNTESTED}`
      : `For comparison (${size}). Not tested here.`;
  return {
    base_model_id: model.id,
    recommended: model.local !== null || model.id === runnerUpId,
    full_hyperparameters: toHyperparameters(full),
    lora_hyperparameters: toHyperparameters(lora),
    reason_for_recommendation: model.local
      ? toLocalReason(model, model.local, facts, { full, lora }, chooseMode(facts))
      : toAdviceReason(model, facts, { full, lora }, lead),
  };
}

function toLocalExperiment(model: BaseModel, facts: SnapshotFacts, proposal: Proposal): ProposedExperiment {
  return {
    base_model_id: model.id,
    ...toHyperparameters(proposal.plan, proposal.factor),
    lora: proposal.plan.isLora,
    recommended: proposal.recommended,
    reason_for_recommendation: toProposalReason(model, facts, proposal),
  };
}

function toRunnerUpExperiment(model: BaseModel, facts: SnapshotFacts): ProposedExperiment {
  const plan = toPlan(model, facts, true);
  const lead = `To train on a GPU elsewhere: ${RUNNER_UPS[facts.answer_shape].why}. ${UNTESTED}`;
  return {
    base_model_id: model.id,
    ...toHyperparameters(plan),
    lora: true,
    recommended: findSaturated(facts, chooseMode(facts)) === null,
    reason_for_recommendation: toRunnerUpReason(model, facts, plan, lead),
  };
}

/** The order of display: the model to train here, the one to train elsewhere, then the catalogue's order. */
function toRank(model: BaseModel, runnerUpId: string): number {
  if (model.local) return 0;
  return model.id === runnerUpId ? 1 : 2;
}

/**
 * Two models and two experiments are recommended: one to train here, and one to train on a GPU elsewhere. No experiment
 * is recommended where nothing is left to win on the validation rows.
 * Throws an error whose message people read when there are no training rows.
 */
export function recommend(facts: SnapshotFacts, catalogue: readonly BaseModel[]): RecommendationBody {
  if (facts.training_count === 0) {
    throw new Error(
      'The snapshot has no training rows, so there is nothing to recommend. Make a snapshot with training rows.',
    );
  }
  const runnerUpId = RUNNER_UPS[facts.answer_shape].id;
  const ranked = catalogue.toSorted((a, b) => toRank(a, runnerUpId) - toRank(b, runnerUpId));
  const body = {
    recommended_models: ranked.map((model) => toModel(model, facts, runnerUpId)),
    recommended_experiments: ranked.flatMap((model) => {
      if (model.local) return toProposals(model, facts).map((proposal) => toLocalExperiment(model, facts, proposal));
      return model.id === runnerUpId ? [toRunnerUpExperiment(model, facts)] : [];
    }),
  };
  return facts.objective === 'sft' ? body : toPreferenceAdvice(body, facts.objective);
}
