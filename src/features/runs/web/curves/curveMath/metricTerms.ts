// What the metrics of trainers mean, in one sentence each. Names as in the `log_history` of Hugging Face. Pure.

const TERMS: Readonly<Record<string, string>> = {
  loss: 'Training loss: mean negative log-likelihood of the trained tokens, or the method’s own objective. Lower is better.',
  learning_rate: 'Learning rate at that step, after warm-up and schedule.',
  grad_norm: 'Length of the gradient before clipping. Spikes show unstable steps; NaN means that a step diverged.',
  mean_token_accuracy: 'Share of trained tokens that the model would have chosen itself.',
  entropy: 'Mean entropy of the predicted tokens (nats). Near 0 the model is always sure, and explores nothing.',
  num_tokens: 'Tokens seen so far.',
  num_input_tokens_seen: 'Tokens seen so far.',
  epoch: 'Passes over the training rows.',
  // DPO and its relatives
  'rewards/chosen': 'DPO: β times how much likelier the chosen answers became than under the reference model.',
  'rewards/rejected': 'DPO: the same for the rejected answers. It should fall below the chosen ones.',
  'rewards/margins': 'DPO: chosen reward minus rejected reward. It should rise.',
  'rewards/accuracies': 'DPO: share of pairs whose chosen answer has the higher reward. 0.5 is chance.',
  'logps/chosen': 'Log-probability of the chosen answers. If it falls too, the model unlearns both answers.',
  'logps/rejected': 'Log-probability of the rejected answers.',
  'logits/chosen': 'Mean logit over the chosen answers.',
  'logits/rejected': 'Mean logit over the rejected answers.',
  nll_loss: 'The likelihood part of the loss on the chosen answers.',
  log_odds_ratio: 'ORPO: log of the odds ratio of chosen to rejected answers. It should rise.',
  log_odds_chosen: 'ORPO: log odds of the chosen answers.',
  // GRPO and other online methods
  reward: 'Mean reward of the sampled answers, all reward functions together. Higher is better.',
  reward_std: 'Spread of rewards within a group of answers. Near 0 there is nothing to learn from.',
  kl: 'Distance (KL divergence) from the reference model. A jump often means that the reward is being gamed.',
  frac_reward_zero_std: 'Share of groups whose answers all got the same reward: they teach nothing.',
  'completions/mean_length': 'Mean length of the sampled answers in tokens.',
  'completions/min_length': 'Shortest sampled answer in tokens.',
  'completions/max_length': 'Longest sampled answer in tokens.',
  'completions/clipped_ratio': 'Share of answers that were cut off at the length limit.',
  'completions/mean_terminated_length': 'Mean length of the answers that ended by themselves.',
  'completions/min_terminated_length': 'Shortest answer that ended by itself.',
  'completions/max_terminated_length': 'Longest answer that ended by itself.',
  'clip_ratio/region_mean': 'Share of tokens whose update was clipped.',
  'clip_ratio/low_mean': 'Share of tokens clipped at the lower bound.',
  'clip_ratio/high_mean': 'Share of tokens clipped at the upper bound.',
  clip_ratio: 'Share of tokens whose update was clipped.',
  step_time: 'Seconds for one optimizer step.',
  'objective/kl': 'PPO: distance (KL divergence) from the reference model.',
  'objective/rlhf_reward': 'PPO: score minus the KL penalty. It should rise.',
  'objective/scores': 'PPO: mean score of the reward model.',
  // Reward models
  accuracy: 'Share of pairs, or of rows, that are right.',
  margin: 'Reward model: mean difference between chosen and rejected answers.',
  'system/memory_gib': 'Memory of the trainer’s processes (GiB).',
  'system/gpu_percent':
    'How busy the graphics cards are that the trainer sees, on average. Far below 100 it waits for data.',
  'system/gpu_memory_gib': 'Memory that is used on these cards, all together (GiB), whoever uses it.',
  runtime: 'Seconds that it took.',
  samples_per_second: 'Rows per second.',
  steps_per_second: 'Batches per second.',
};

const PATTERNS: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [/^rewards\/(.+)\/mean$/, ([, name]) => `Mean reward that the function ${name} gave.`],
  [/^replaced\//, () => 'Points of an earlier session, which a later one trained again from a checkpoint on.'],
  [/^rewards\/(.+)\/std$/, ([, name]) => `Spread of the rewards that the function ${name} gave.`],
];

function findOwn(name: string): string | null {
  if (Object.hasOwn(TERMS, name)) return TERMS[name] ?? null;
  for (const [pattern, toText] of PATTERNS) {
    const match = pattern.exec(name);
    if (match) return toText(match);
  }
  return null;
}

/** null: a metric that we don't know. */
export function findTerm(name: string): string | null {
  const [, part, rest] = /^(eval|test|predict)\/(.+)$/.exec(name) ?? [];
  if (part === undefined || rest === undefined) return findOwn(name);
  if (rest === 'loss')
    return 'Loss on validation rows, which are not trained on. Lower is better; rising again means overfitting.';
  const own = findOwn(rest);
  return own === null ? null : `On validation rows. ${own}`;
}
