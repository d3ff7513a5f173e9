// How a run optimises, recognised by what only one trainer of TRL writes: its tags, the class of its arguments, its settings,
// or its metrics. Source: TRL 1.16, `_tag_names` of `trainer/` and `experimental/`, `*_config.py` and the metrics that
// `*_trainer.py` log; names of earlier versions too.

/** As a model card's tags have them. The class of a trainer's arguments is named like them: `IWOPDConfig`. */
const METHODS: readonly string[] = (
  'sft dpo grpo kto rloo reward distillation a2po async-distillation async-grpo cpo gkd gmpo gold iw-opd online-dpo orpo ' +
  'sdft sdpo server-distillation tpo bco minillm nash-md papo ppo prm xpo'
).split(' ');
const BY_WORD: ReadonlyMap<string, string> = new Map(METHODS.map((method) => [method.replaceAll('-', ''), method]));

/** By the tags of a model card: `sft`, `dpo`, `reward-trainer`. */
export function methodOfTags(tags: readonly string[]): string | null {
  for (const tag of tags) {
    if (tag === 'reward-trainer') return 'reward';
    if (METHODS.includes(tag)) return tag;
  }
  return null;
}

/** By the class of the training arguments: `trl.trainer.sft_config.SFTConfig`, `UnslothSFTConfig`. */
export function methodOfClass(name: string): string | null {
  const [, word] = /(?:^|\.)(?:Unsloth)?([A-Za-z0-9]+)Config$/.exec(name) ?? [];
  return (word !== undefined && BY_WORD.get(word.toLowerCase())) || null;
}

/**
 * Settings that the class of one method has alone, in the order in which they are asked: a class that inherits the
 * settings of another one comes before it.
 */
const OWN_SETTINGS: readonly (readonly [string, string])[] = [
  ['use_uld_loss', 'gold'],
  ['seq_kd', 'gkd'],
  ['iw_opd_epsilon', 'iw-opd'],
  ['teacher_server_urls', 'async-distillation'],
  ['generate_from_teacher', 'sdft'],
  ['dont_reprompt_on_self_success', 'sdpo'],
  ['teacher_model_server_url', 'server-distillation'],
  ['teacher_model_name_or_path', 'distillation'],
  ['fork_threshold_tokens', 'async-grpo'],
  ['num_value_samples', 'a2po'],
  ['missing_eos_penalty', 'online-dpo'],
  ['cpo_alpha', 'cpo'],
  ['tpo_alpha', 'tpo'],
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
