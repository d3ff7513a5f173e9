// How curves are shown, as the address holds it: `x=epoch;log;cut;smooth=0.6;best=eval%2Floss`. Pure.
import { MOST_SMOOTHING } from './smoothing.ts';

/**
 * In the order of the page. `share`: percent of the run's own steps. `elapsed`: since the run's first point. `time`: of the
 * clock.
 */
export const X_AXES = ['step', 'share', 'epoch', 'tokens', 'elapsed', 'time'] as const;
export type XAxis = (typeof X_AXES)[number];

export const X_LABELS: Readonly<Record<XAxis, string>> = {
  step: 'step',
  share: 'percent of the run',
  epoch: 'epoch',
  tokens: 'tokens',
  elapsed: 'time since start',
  time: 'time of day',
};

/**
 * Which outliers don't stretch the y axis. `far`: values over 20 times the median, so that one diverged run doesn't flatten
 * the others.
 */
export const OUTLIERS = ['far', 'cut', 'shown'] as const;
export type Outliers = (typeof OUTLIERS)[number];

export const OUTLIER_LABELS: Readonly<Record<Outliers, string>> = {
  far: 'cut over 20 × median',
  cut: 'cut all',
  shown: 'show all',
};

export interface CurveView {
  readonly x: XAxis;
  readonly isLog: boolean;
  readonly outliers: Outliers;
  /** 0: not smoothed. */
  readonly smoothing: number;
  /** The runs: those chosen in the table, or all below the node; null: the chosen ones if there are any. */
  readonly runs: 'chosen' | 'all' | null;
  /** The metric whose best value so far is drawn over the runs; null: none. */
  readonly best: string | null;
}

export const USUAL_VIEW: CurveView = { x: 'step', isLog: false, outliers: 'far', smoothing: 0, runs: null, best: null };

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Unknown parts are ignored. */
export function parseCurveView(text: string | null): CurveView {
  const parts = new Map(
    (text ?? '').split(';').map((part) => {
      const [name = '', value = ''] = part.split('=', 2);
      return [name, decode(value)] as const;
    }),
  );
  const smoothing = Number(parts.get('smooth') ?? 0);
  const runs = parts.get('runs');
  return {
    x: X_AXES.find((axis) => axis === parts.get('x')) ?? 'step',
    isLog: parts.has('log'),
    outliers: OUTLIERS.find((each) => parts.has(each)) ?? 'far',
    smoothing: smoothing > 0 && smoothing <= MOST_SMOOTHING ? smoothing : 0,
    runs: runs === 'all' || runs === 'chosen' ? runs : null,
    best: parts.get('best') || null,
  };
}

/** null: the usual view, which the address does not name. */
export function toCurveViewText({ x, isLog, outliers, smoothing, runs, best }: CurveView): string | null {
  const parts = [
    x === 'step' ? '' : `x=${x}`,
    isLog ? 'log' : '',
    outliers === 'far' ? '' : outliers,
    smoothing > 0 ? `smooth=${smoothing}` : '',
    runs === null ? '' : `runs=${runs}`,
    best === null ? '' : `best=${encodeURIComponent(best)}`,
  ];
  return parts.filter((part) => part !== '').join(';') || null;
}

/** Metrics that count epochs or tokens, the first one that a run has counts. */
export const X_METRICS: Readonly<Record<'epoch' | 'tokens', readonly string[]>> = {
  epoch: ['epoch'],
  tokens: ['num_tokens', 'num_input_tokens_seen', 'tokens', 'trained_tokens', 'tokens/total'],
};
