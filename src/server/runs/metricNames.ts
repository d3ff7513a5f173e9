// One name for a metric, whatever tracker wrote it: the key of HF's `log_history`, evaluation under `eval/`.

const EVALUATION = /^(eval|test|val|validation|predict)[_/]/;

/**
 * `train/loss` -> `loss`, `eval_loss` and `val/loss` -> `eval/loss`, `eval_rewards/accuracies` -> `eval/rewards/accuracies`.
 * The figures that only say how quick an evaluation was keep their names: `eval/runtime`.
 */
export function toMetricName(raw: string): string {
  const name = raw.startsWith('train/') ? raw.slice('train/'.length) : raw;
  const [prefix] = EVALUATION.exec(name) ?? [];
  if (prefix === undefined) return name;
  const rest = name.slice(prefix.length);
  const kind = prefix.startsWith('test') || prefix.startsWith('predict') ? prefix.slice(0, -1) : 'eval';
  return `${kind}/${rest}`;
}

/** Whether it is measured on rows that were not trained on. */
export const isEvaluation = (name: string): boolean => /^(eval|test|predict)\//.test(name);
