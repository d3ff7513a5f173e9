// Whether the weights of a run are lost: from a step on it logged no finite numbers any more. transformers writes a loss of exactly
// 0 then (`logging_nan_inf_filter`), so the loss alone doesn't say it. Pure.
import type { JoinedCurve } from './joinedCurve.ts';
import { perRun } from './joinedRun.ts';

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
function toLostEnd(curve: JoinedCurve | undefined): End | null {
  if (!curve || Number.isFinite(curve.lastValue)) return null;
  const { steps, values, length } = curve.read();
  let at = length;
  while (at > 0 && !Number.isFinite(values[at - 1])) at -= 1;
  return { step: steps[at] ?? 0, points: length - at };
}

export const toDivergence = perRun((run): Divergence | null => {
  const curves = run.curves();
  const loss = curves.get('loss');
  const norms = curves.get('grad_norm');
  const say = (name: string, { step }: End): Divergence => ({ step, words: `${name} is not finite` });

  const lossEnd = toLostEnd(loss);
  if (lossEnd && lossEnd.points >= DIVERGED_POINTS) return say('loss', lossEnd);
  const normEnd = toLostEnd(norms);
  const isLossGone = loss !== undefined && (loss.lastValue === 0 || !Number.isFinite(loss.lastValue));
  if (normEnd && (normEnd.points >= DIVERGED_POINTS || isLossGone)) return say('grad_norm', normEnd);
  for (const [name, curve] of curves) {
    if (!EVAL_LOSS.test(name) && !ENTROPY.test(name)) continue;
    const end = toLostEnd(curve);
    // Weights that are lost never have a finite gradient again: then the rows of the evaluation had nothing to count.
    const wentOn = end && norms && Number.isFinite(norms.lastValue) && norms.lastStep > end.step;
    if (end && !wentOn) return say(name, end);
  }
  return null;
});
