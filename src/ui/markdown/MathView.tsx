import { createElement, memo, useCallback, useSyncExternalStore, type ReactNode } from 'react';
import { openTimedWorker, workerOpener } from '#ui/timing/timedWorker.ts';
import { openWorkerCache } from '#ui/timing/workerCache.ts';
import { FormulaSource } from './FormulaSource.tsx';
import './math.css';
import type { MathElement } from './mathAllowed.ts';
import { SCROLLING } from '#ui/kit/scrolling.ts';

interface MathViewProps {
  text: string;
}

const worker = openTimedWorker<string, MathElement | null>({
  openWorker: workerOpener(() => new Worker(new URL('./mathWorker.ts', import.meta.url), { type: 'module' })),
  // Generous, as a busy machine must not lose formulas that are fine.
  jobMs: 2000,
  maxSlow: 5,
});
const formulas = openWorkerCache<string, MathElement | null, MathElement | null>({
  run: worker.run,
  toKey: (source) => source,
  toFound: (outcome) => (outcome.kind === 'done' ? outcome.result : null),
  batchSize: 16,
  maxKept: 2000,
});

/** In a line, a source longer than this may be wider than a pane. Characters. */
const MAX_INLINE = 50;

function toElement(part: MathElement | string): ReactNode {
  if (typeof part === 'string') return part;
  const className = part.looks.length > 0 ? part.looks.join(' ') : undefined;
  return createElement(part.name, { ...part.attributes, className }, ...part.children.map(toElement));
}

/** A formula in MathML. Its source is shown until that is ready, or if it is no formula. */
export const MathView = memo(function MathView({ text }: MathViewProps) {
  const follow = useCallback((onChange: () => void) => formulas.follow(text, onChange), [text]);
  const math = useSyncExternalStore(follow, () => formulas.get(text));
  if (!math) return <FormulaSource text={text} />;
  const isDisplay = math.attributes['display'] === 'block';
  if (!isDisplay && text.length <= MAX_INLINE) return <span className="md-math">{toElement(math)}</span>;
  return (
    <bdi
      {...SCROLLING}
      dir="ltr"
      className={isDisplay ? 'md-math md-math-display' : 'md-math md-math-wide'}
      aria-label="Formula"
    >
      {toElement(math)}
    </bdi>
  );
});
