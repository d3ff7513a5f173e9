// Whether the weights of a run are lost: from a step on it logged no finite numbers any more. transformers writes a loss of exactly
// 0 then (`logging_nan_inf_filter`), so the loss alone doesn't say it. Pure.
import type { CurvePoints } from '#server/runs/points/columns.ts';
import { perRun, type JoinedRun } from './joinedRun.ts';

export interface Divergence {
  /** The first step of the end that is not finite. */
  readonly step: number;
  /** `grad_norm is not finite`: as part of a sentence. */
  readonly words: string;
}

/** Two, so that a single value that was logged wrongly decides nothing: scaling of fp16 also makes single infinite norms. */
const DIVERGED_POINTS = 2;
const ENTROPY = /(?:^|\/)entropy$/;
const EVAL_LOSS = /^eval\/(?:.+_)?loss$/;

interface End {
  readonly step: number;
  readonly points: number;
}

/** The end of a curve without finite values; null: its last value is finite, or there is none. */
function toLostEnd({ steps, values, length }: CurvePoints): End | null {
  let at = length;
  while (at > 0 && !Number.isFinite(values[at - 1])) at -= 1;
  return at === length ? null : { step: steps[at] ?? 0, points: length - at };
}

const toPoints = (run: JoinedRun, name: string): CurvePoints | null => {
  const curve = run.curves().get(name);
  return curve && curve.length > 0 ? curve.read() : null;
};

/** The last value of a curve and its step. */
const toLast = (points: CurvePoints | null): { readonly step: number; readonly value: number } | null =>
  points && { step: points.steps[points.length - 1] ?? 0, value: points.values[points.length - 1] ?? Number.NaN };

export const toDivergence = perRun((run): Divergence | null => {
  const loss = toPoints(run, 'loss');
  const norms = toPoints(run, 'grad_norm');
  const lastNorm = toLast(norms);
  const say = (name: string, { step }: End): Divergence => ({ step, words: `${name} is not finite` });

  const lossEnd = loss && toLostEnd(loss);
  if (lossEnd && lossEnd.points >= DIVERGED_POINTS) return say('loss', lossEnd);
  const normEnd = norms && toLostEnd(norms);
  const lastLoss = toLast(loss)?.value;
  const isLossGone = lastLoss !== undefined && (lastLoss === 0 || !Number.isFinite(lastLoss));
  if (normEnd && (normEnd.points >= DIVERGED_POINTS || isLossGone)) return say('grad_norm', normEnd);
  for (const name of run.curves().keys()) {
    if (!EVAL_LOSS.test(name) && !ENTROPY.test(name)) continue;
    const points = toPoints(run, name);
    const end = points && toLostEnd(points);
    // Weights that are lost never have a finite gradient again: then the rows of the evaluation had nothing to count.
    const wentOn = end && lastNorm && Number.isFinite(lastNorm.value) && lastNorm.step > end.step;
    if (end && !wentOn) return say(name, end);
  }
  return null;
});
