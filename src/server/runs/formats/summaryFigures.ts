// Figures of a whole run, which the Trainer logs once, at the end, in a row of their own.

/** As HF names them. */
export const SUMMARY_FIGURES: ReadonlySet<string> = new Set([
  'train_runtime',
  'train_loss',
  'train_samples_per_second',
  'train_steps_per_second',
  'train_tokens_per_second',
  'total_flos',
]);

export const isSummaryFigure = (name: string): boolean => SUMMARY_FIGURES.has(name);
