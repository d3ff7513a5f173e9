// The measure that a dataset's default evaluation gives its runs: its pass rate, named after it. Pure.

const PREFIX = 'evaluation: ';

/** Its name among the measures of a run. */
export const toEvaluationMeasure = (evaluation: string): string => `${PREFIX}${evaluation}`;

/** The name of the evaluation; null: it is another measure. */
export const readEvaluationMeasure = (measure: string): string | null =>
  measure.startsWith(PREFIX) ? measure.slice(PREFIX.length) : null;
