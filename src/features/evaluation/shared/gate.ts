// Whether models are good enough, from the scores of a run: for scripts that go on or stop. Pure.
import type { Rate, Scores } from './contract/evaluationRuns.ts';

export interface GateRule {
  /** Share of answers that must pass, 0..1; null: no such bound. */
  readonly minPass: number | null;
  /** How much lower than the baseline's a pass rate may be, as a share 0..1; null: models are not compared. */
  readonly margin: number | null;
}

/** undecided: the rows are too few to say. */
export type GateOutcome = 'pass' | 'worse' | 'undecided';

export interface GatedModel {
  readonly model: string;
  readonly rate: Rate;
  /** Bounds of the 95 % interval of its rate minus that of the baseline, as shares; null: not compared. */
  readonly difference: { readonly rows: number; readonly low: number; readonly high: number } | null;
  readonly outcome: GateOutcome;
}

export interface Gate {
  readonly outcome: GateOutcome;
  readonly models: readonly GatedModel[];
}

/** Both bounds on the good side pass, both on the other are worse. */
function judge(low: number, high: number, bound: number): GateOutcome {
  if (low >= bound) return 'pass';
  return high < bound ? 'worse' : 'undecided';
}

const worstOf = (outcomes: readonly GateOutcome[]): GateOutcome =>
  (['worse', 'undecided'] as const).find((each) => outcomes.includes(each)) ?? 'pass';

/** Judges all models of the scores but the baseline of a comparison. */
export function toGate(scores: Scores, { minPass, margin }: GateRule): Gate {
  const judged = scores.models.filter(({ model }) => margin === null || model !== scores.baseline);
  const models = judged.map(({ model, rate, difference }): GatedModel => {
    const compared =
      margin === null || difference === null
        ? null
        : { rows: difference.rows, low: difference.low / 100, high: difference.high / 100 };
    const outcomes: GateOutcome[] = [];
    if (minPass !== null) outcomes.push(judge(rate.low, rate.high, minPass));
    if (margin !== null) outcomes.push(compared ? judge(compared.low, compared.high, -margin) : 'undecided');
    return { model, rate, difference: compared, outcome: rate.total === 0 ? 'undecided' : worstOf(outcomes) };
  });
  return { outcome: worstOf(models.map(({ outcome }) => outcome)), models };
}
