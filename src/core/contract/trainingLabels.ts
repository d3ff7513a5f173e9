// What people read for the settings of a training. Without the schemas of trainingSettings.ts, which no table needs.

export const SETTING_LABELS = {
  objective: 'Objective',
  beta: 'Beta',
  desirable_weight: 'Desirable weight',
  undesirable_weight: 'Undesirable weight',
  reward_function: 'Reward function',
  lora_rank: 'LoRA rank',
  lora_alpha: 'LoRA alpha',
  lora_dropout: 'LoRA dropout',
  target_modules: 'Target modules',
  seed: 'Seed',
  warmup_steps: 'Warm-up',
  weight_decay: 'Weight decay',
  scheduler: 'Scheduler',
  max_length: 'Max length',
} as const;

export type SettingName = keyof typeof SETTING_LABELS;
