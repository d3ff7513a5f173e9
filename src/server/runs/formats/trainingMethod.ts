// How a run optimises, recognised by what only one trainer of TRL writes: its tags, its settings, or its metrics.
// Source: TRL 1.13, `trainer/*_config.py` and the metrics that `trainer/*_trainer.py` log.

const METHODS = 'sft|dpo|grpo|kto|orpo|cpo|rloo|reward|prm|gkd|xpo|ppo|bco|nash-md|online-dpo';
const TAG = new RegExp(`^(?:${METHODS}|reward-trainer)$`);

/** By the tags of a model card: `sft`, `dpo`, `reward-trainer`. */
export function methodOfTags(tags: readonly string[]): string | null {
  const tag = tags.find((tag) => TAG.test(tag));
  return tag === 'reward-trainer' ? 'reward' : (tag ?? null);
}

/** Settings that the class of one method has alone, in the order in which they are asked. */
const OWN_SETTINGS: readonly (readonly [string, string])[] = [
  ['desirable_weight', 'kto'],
  ['center_rewards_coefficient', 'reward'],
  ['scale_rewards', 'grpo'],
  ['normalize_advantages', 'rloo'],
  ['f_divergence_type', 'dpo'],
  ['completion_only_loss', 'sft'],
];

/** By the names of all settings that the arguments of the trainer have. */
export function methodOfSettings(has: (name: string) => boolean): string | null {
  return OWN_SETTINGS.find(([name]) => has(name))?.[1] ?? null;
}

/** By the names of metrics (`metricNames.ts`). CPO and DPO with an SFT term log the same ones: no answer. */
export function methodOfMetrics(has: (name: string) => boolean): string | null {
  if (has('log_odds_ratio')) return 'orpo';
  if (has('rewards/chosen')) {
    if (has('kl')) return 'kto';
    return has('rewards/accuracies') && !has('nll_loss') ? 'dpo' : null;
  }
  if (has('reward') && has('reward_std')) return 'grpo';
  return null;
}
