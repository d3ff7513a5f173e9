// One name for a metric, whatever tracker wrote it: the key of HF's `log_history`, evaluation under `eval/`.

const EVALUATION = /^(eval|test|val|valid|validation|predict)[_/]/;
const TRAINING = /^(?:train|training)[_/]/;
/** PyTorch's tutorial and `add_scalars` name the rows last: `Loss/train`, `Loss/test`. */
const ROWS_LAST = /^([A-Za-z]\w*)\/(train|training|eval|test|val|valid|validation)$/;

/** Figures of a whole run, which the Trainer logs once, at the end, in a row of their own. */
export const SUMMARY_FIGURES: ReadonlySet<string> = new Set([
  'train_runtime',
  'train_loss',
  'train_samples_per_second',
  'train_steps_per_second',
  'train_tokens_per_second',
  'total_flos',
]);

export const isSummaryFigure = (name: string): boolean => SUMMARY_FIGURES.has(name);

/**
 * `train/loss`, `train_loss_step` and `Loss/train` -> `loss`; `eval_loss`, `val/loss` and `Loss/val` -> `eval/loss`;
 * `eval_rewards/accuracies` -> `eval/rewards/accuracies`. The figures that only say how quick an evaluation was keep their
 * names, `eval/runtime`, and those of a whole training too, `train_loss`: see `toStepName`.
 */
export function toMetricName(raw: string): string {
  const [, measure, rows] = ROWS_LAST.exec(raw) ?? [];
  if (measure !== undefined && rows !== undefined) return toMetricName(`${rows}/${measure.toLowerCase()}`);
  const name = raw.startsWith('train/') ? raw.slice('train/'.length) : raw;
  if (isSummaryFigure(name)) return name;
  const [own] = TRAINING.exec(name) ?? [];
  // Lightning names what it logs at steps and at the ends of epochs; an evaluation has its mean alone.
  if (own !== undefined) return name.slice(own.length).replace(/_step$/, '') || name;
  const [prefix] = EVALUATION.exec(name) ?? [];
  if (prefix === undefined) return name;
  const rest = name.slice(prefix.length).replace(/_epoch$/, '');
  if (rest === '') return name;
  const kind = prefix.startsWith('test') || prefix.startsWith('predict') ? prefix.slice(0, -1) : 'eval';
  return `${kind}/${rest}`;
}

/** The name of a figure of the whole training that was logged at many steps: it is a curve, and `train_loss` the loss. */
export const toStepName = (figure: string): string => (figure === 'train_loss' ? 'loss' : figure);

/** Whether it is measured on rows that were not trained on. */
export const isEvaluation = (name: string): boolean => /^(eval|test|predict)\//.test(name);
