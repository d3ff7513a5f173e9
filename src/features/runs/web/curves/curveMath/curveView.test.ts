import { describe, expect, it } from 'vitest';
import { parseCurveView, toCurveViewText, USUAL_VIEW, type CurveView } from './curveView.ts';

const view: CurveView = { x: 'elapsed', isLog: true, outliers: 'cut', smoothing: 0.6, runs: 'all', best: 'eval/a=b;c' };

describe('the view in the address', () => {
  it('is read as it was written', () => expect(parseCurveView(toCurveViewText(view))).toEqual(view));

  it('is not named while it is the usual one', () => expect(toCurveViewText(USUAL_VIEW)).toBeNull());

  it.each([null, '', 'x=moon', 'smooth=7', 'smooth=NaN', 'runs=some', '=;;='])('takes %j for the usual one', (text) =>
    expect(parseCurveView(text)).toEqual(USUAL_VIEW),
  );

  it('takes a stray percent sign literally', () => expect(parseCurveView('best=100%').best).toBe('100%'));
});
