import { expect, it } from 'vitest';
import { recommendationSchema } from '#core/contract/recommendation.ts';
import { SNAPSHOT_ID } from '#service/http/testService.fixture.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import type { Training } from '#features/training/server/openTraining.ts';
import { toTrainedStudio } from './trainedStudio.ts';

it('what can not be trained here is recommended for elsewhere, and what was not recommended stays so', async () => {
  const settings = { n_epochs: 3, batch_size: 8, learning_rate_multiplier: 1e-3 };
  const toModel = (base_model_id: string, recommended: boolean) => ({
    base_model_id,
    recommended,
    full_hyperparameters: settings,
    lora_hyperparameters: settings,
    reason_for_recommendation: 'Why.',
  });
  const toRun = (base_model_id: string, recommended: boolean) => ({
    ...settings,
    base_model_id,
    recommended,
    lora: true,
    training_type: 'lora' as const,
    reason_for_recommendation: 'Why.',
  });
  const given = ['own', 'large'].flatMap((base) => [
    { base, recommended: true },
    { base, recommended: false },
  ]);
  const record = {
    snapshot_id: SNAPSHOT_ID,
    status: 'completed' as const,
    recommended_models: given.map(({ base, recommended }) => toModel(base, recommended)),
    recommended_experiments: given.map(({ base, recommended }) => toRun(base, recommended)),
  };
  const studio = toTrainedStudio(
    { findRecommendation: async () => record } as Partial<Studio> as Studio,
    { findWaits: async () => (base: string) => (base === 'own' ? null : 'It waits.') } as Partial<Training> as Training,
  );
  const placed = recommendationSchema.parse(await studio.findRecommendation(SNAPSHOT_ID));
  for (const list of [placed.recommended_models, placed.recommended_experiments])
    expect(list.map(({ recommended, recommended_elsewhere }) => [recommended, recommended_elsewhere])).toEqual([
      [true, undefined],
      [false, undefined],
      [false, true],
      [false, undefined],
    ]);
});
