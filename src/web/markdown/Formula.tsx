import { memo, Suspense } from 'react';
import { toPreloadedView } from '#web/ui/lazy/preloadedView.ts';
import { FormulaSource } from './FormulaSource.tsx';

// Asked for with the first formula. Where it doesn't arrive, formulas stay as they were typed.
const math = toPreloadedView(async () => (await import('./MathView.tsx')).MathView, FormulaSource);

interface FormulaProps {
  text: string;
}

/** A formula in an answer; as it was typed while it can't be shown as one. */
export const Formula = memo(function Formula({ text }: FormulaProps) {
  return (
    <Suspense fallback={<FormulaSource text={text} />}>
      <math.View text={text} />
    </Suspense>
  );
});
