// The settings that are compared: what the studio recommends, a grid around it, and the defaults of other tools. Pure.
import type { AnswerShape } from '#core/contract/answerShapes.ts';
import { readChosen, type ChosenSettings } from '#core/contract/trainingSettings.ts';
import { recommend } from '#features/experiments/server/recommender.ts';
import { CATALOGUE, LOCAL_BASE_MODEL } from '#features/experiments/server/catalogue.ts';
import { EMPTY_TALLY, reduceTally, toRowFacts } from '#features/experiments/server/snapshotFacts.ts';
import { readBuiltInRuns } from '#features/experiments/shared/measured/builtIn.ts';
import type { Settings } from '#features/experiments/shared/measured/measuredRun.ts';
import { SEQUENCE_TOKENS } from '#trainer/training/packing.ts';
import { toTinker } from '../tools/calibrate/rules.ts';

export interface RuleSettings extends Settings {
  readonly chosen: ChosenSettings;
}

export interface RegretRule {
  readonly name: string;
  readonly settings: RuleSettings;
}

/** What the studio says first of new rows, where no run of this studio can decide. */
export function toRecommended(
  training: readonly string[],
  validation: readonly string[],
): RuleSettings & {
  readonly answer_shape: AnswerShape;
} {
  const pages = [
    ...training.map((body) => ({ bucket: 'training' as const, body })),
    ...validation.map((body) => ({ bucket: 'validation' as const, body })),
  ];
  const facts = toRowFacts(reduceTally(EMPTY_TALLY, pages));
  const nothing = { snapshot_id: '', chosen_measure: null, runs: [], measured: readBuiltInRuns() };
  const { recommended_experiments: experiments } = recommend({ ...facts, ...nothing }, CATALOGUE);
  const first = experiments.find(({ base_model_id, recommended }) => recommended && base_model_id === LOCAL_BASE_MODEL);
  if (!first) throw new Error('Nothing is recommended to train here.');
  const { lora, learning_rate_multiplier: learning_rate, batch_size, n_epochs, ...more } = first;
  return { lora, learning_rate, batch_size, n_epochs, chosen: readChosen(more), answer_shape: facts.answer_shape };
}

/**
 * A grid around what calibration knows, with the epochs of the recommendation: rates of full training, LoRA of two ranks, and
 * around full training at 6e-3 a smaller batch, a longer warm-up, a rate that falls to 0, and a decay of weights.
 */
export function toGrid({ batch_size, n_epochs }: Settings): readonly RuleSettings[] {
  const full = { lora: false, batch_size, n_epochs, learning_rate: 6e-3, chosen: {} };
  return [
    full,
    { ...full, learning_rate: 3e-3 },
    { ...full, learning_rate: 1.5e-3 },
    { ...full, lora: true, learning_rate: 1.2e-2 },
    { ...full, learning_rate: 3e-3, batch_size: 1 },
    { ...full, lora: true, chosen: { lora_rank: 32 } },
    { ...full, chosen: { warmup_steps: 100 } },
    { ...full, learning_rate: 1.2e-2 },
    { ...full, chosen: { scheduler: 'linear' } },
    { ...full, chosen: { weight_decay: 0.1 } },
  ];
}

/** Others count rows of a batch, the built-in trainer counts sequences of 128 tokens that rows share. */
const FILL = 0.9;
const toSequences = (rows: number, tokensPerRow: number): number =>
  Math.max(1, Math.round((rows * tokensPerRow) / (SEQUENCE_TOKENS * FILL)));

/**
 * Defaults that don't look at the data, and one published formula. The optimizer is the built-in trainer's own, and dropout,
 * which it does not have, is left out.
 */
export function toDefaults(rows: number, tokensPerRow: number): readonly RegretRule[] {
  const toBatch = (count: number): { readonly batch_size: number } => ({
    batch_size: toSequences(count, tokensPerRow),
  });
  const trl = { learning_rate: 2e-5, n_epochs: 3, ...toBatch(8) };
  const trlSchedule = { warmup_steps: 0, scheduler: 'linear', weight_decay: 0 } as const;
  const formula = toTinker({ rows }, true);
  return [
    {
      // trl 1.16: SFTConfig over transformers' TrainingArguments.
      name: 'TRL: SFTConfig, all weights',
      settings: { ...trl, lora: false, chosen: trlSchedule },
    },
    {
      // trl 1.16: ModelConfig (r 16, alpha 32) with SFTConfig.
      name: 'TRL: SFTConfig, LoRA r16 a32',
      settings: { ...trl, lora: true, chosen: { ...trlSchedule, lora_rank: 16, lora_alpha: 32 } },
    },
    {
      // unsloth 2026.10: rank and alpha of get_peft_model, the rest of its TrainingConfig (batch 2 x 4).
      name: 'Unsloth: LoRA r16 a16, 2e-4',
      settings: {
        lora: true,
        learning_rate: 2e-4,
        n_epochs: 3,
        ...toBatch(8),
        chosen: { lora_rank: 16, lora_alpha: 16, warmup_steps: 5, scheduler: 'linear', weight_decay: 0.01 },
      },
    },
    {
      name: "Tinker's LoRA formula",
      settings: { ...formula, ...toBatch(formula.batch_size), chosen: {} },
    },
  ];
}

/** The same text for the same settings, whatever the order of their fields. */
export function toRuleText({ lora, learning_rate, batch_size, n_epochs, chosen }: RuleSettings): string {
  const more = Object.entries(chosen)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, value]) => `, ${name} ${String(value)}`);
  return `${lora ? 'LoRA' : 'full'} ${learning_rate}, batch ${batch_size}, ${n_epochs} epochs${more.join('')}`;
}
