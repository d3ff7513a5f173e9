import { describe, expect, it } from 'vitest';
import { methodOfClass, methodOfSettings, methodOfTags } from './trainingMethod.ts';

/** Trainers of TRL 1.16: tag, class of the arguments, and settings of that class. */
const TRAINERS: readonly (readonly [tag: string, className: string, settings: readonly string[]])[] = [
  ['sft', 'SFTConfig', ['completion_only_loss', 'packing', 'loss_type']],
  ['dpo', 'DPOConfig', ['f_divergence_type', 'beta', 'loss_type']],
  ['kto', 'KTOConfig', ['desirable_weight', 'beta', 'loss_type']],
  ['grpo', 'GRPOConfig', ['scale_rewards', 'beta', 'num_generations']],
  ['rloo', 'RLOOConfig', ['normalize_advantages', 'beta', 'num_generations']],
  ['reward-trainer', 'RewardConfig', ['center_rewards_coefficient']],
  ['distillation', 'DistillationConfig', ['teacher_model_name_or_path', 'beta']],
  ['server-distillation', 'ServerDistillationConfig', ['teacher_model_name_or_path', 'teacher_model_server_url']],
  ['async-distillation', 'AsyncDistillationConfig', ['teacher_server_urls', 'beta']],
  ['async-grpo', 'AsyncGRPOConfig', ['fork_threshold_tokens', 'num_generations']],
  ['gkd', 'GKDConfig', ['completion_only_loss', 'seq_kd', 'teacher_model_name_or_path']],
  ['gold', 'GOLDConfig', ['completion_only_loss', 'seq_kd', 'teacher_model_name_or_path', 'use_uld_loss']],
  ['sdpo', 'SDPOConfig', ['scale_rewards', 'dont_reprompt_on_self_success']],
  ['sdft', 'SDFTConfig', ['generate_from_teacher']],
  ['iw-opd', 'IWOPDConfig', ['iw_opd_epsilon', 'teacher_model_name_or_path', 'teacher_model_server_url']],
  ['online-dpo', 'OnlineDPOConfig', ['missing_eos_penalty', 'beta']],
  ['a2po', 'A2POConfig', ['num_value_samples', 'reward_weights']],
  ['cpo', 'CPOConfig', ['cpo_alpha', 'simpo_gamma']],
  ['tpo', 'TPOConfig', ['tpo_alpha']],
];

describe('the method of a run', () => {
  it.each(TRAINERS)('of the trainer %s is told by tag, class and settings', (tag, className, settings) => {
    const method = methodOfTags(['trl', tag]);
    expect(method).not.toBeNull();
    expect(methodOfClass(`trl.trainer.${tag}_config.${className}`)).toBe(method);
    expect(methodOfClass(`Unsloth${className}`)).toBe(method);
    expect(methodOfSettings((name) => settings.includes(name))).toBe(method);
  });

  it.each(['gmpo', 'orpo'])('of the trainer %s has no setting of its own', (tag) => {
    expect([methodOfTags([tag]), methodOfClass(`x.${tag.toUpperCase()}Config`)]).toEqual([tag, tag]);
  });

  it('is unknown for other classes and tags', () => {
    for (const name of ['transformers.training_args.TrainingArguments', 'x.TrainingConfig', 'x.Config', 'sft'])
      expect(methodOfClass(name)).toBeNull();
    expect(methodOfTags(['trl', 'sft-of-mine', 'lora'])).toBeNull();
  });
});
