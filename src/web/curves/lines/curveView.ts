// How curves are shown, as the address holds it: `x=epoch;log;cut;smooth=0.6;best=eval%2Floss`. Pure.
import { MOST_SMOOTHING } from './smoothing.ts';

/** In the order of the page. `elapsed`: since the run's first point. `time`: of the clock. */
export const X_AXES = ['step', 'epoch', 'tokens', 'elapsed', 'time'] as const;
export type XAxis = (typeof X_AXES)[number];

export const X_LABELS: Readonly<Record<XAxis, string>> = {
  step: 'step',
  epoch: 'epoch',
  tokens: 'tokens',
  elapsed: 'time since start',
  time: 'time of day',
};

export interface CurveView {
  readonly x: XAxis;
  readonly isLog: boolean;
  /** Outliers don't stretch the y axis. */
  readonly isCut: boolean;
  /** 0: not smoothed. */
  readonly smoothing: number;
  /** The runs: those chosen in the table, or all below the node; null: the chosen ones if there are any. */
  readonly runs: 'chosen' | 'all' | null;
  /** The metric whose best value so far is drawn over the runs; null: none. */
  readonly best: string | null;
}

export const USUAL_VIEW: CurveView = { x: 'step', isLog: false, isCut: false, smoothing: 0, runs: null, best: null };

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
    isCut: parts.has('cut'),
    smoothing: smoothing > 0 && smoothing <= MOST_SMOOTHING ? smoothing : 0,
    runs: runs === 'all' || runs === 'chosen' ? runs : null,
    best: parts.get('best') || null,
  };
}

/** null: the usual view, which the address does not name. */
export function toCurveViewText({ x, isLog, isCut, smoothing, runs, best }: CurveView): string | null {
  const parts = [
    x === 'step' ? '' : `x=${x}`,
    isLog ? 'log' : '',
    isCut ? 'cut' : '',
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
