import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { PlainOnError } from '#web/markdown/PlainOnError.tsx';
import { showLoadError } from '#web/ui/lazy/loadErrors.ts';
import { AnswerText } from './AnswerText.tsx';
import { useDesk } from '#web/playground/desk/deskStore.ts';
import { useDiffChoice } from './diffChoice.ts';
import { findDiffTarget } from './diffTargets.ts';

/** Where the code of differences did not arrive, the answer stays as it is. */
function Undiffed({ children }: { children: ReactNode }) {
  useEffect(showLoadError, []);
  return children;
}

const DiffView = lazy(async () => ({
  default: await import('./DiffView.tsx').then(
    ({ DiffView: View }) => View,
    () => Undiffed,
  ),
}));

interface AnswerBodyProps {
  paneId: string;
  turnId: string;
  text: string;
  /** Nothing more of it comes. */
  isSettled: boolean;
  isLive: boolean;
}

/** An answer's text, or in its place how it differs from another one. */
export function AnswerBody({ paneId, turnId, text, isSettled, isLive }: AnswerBodyProps) {
  const choice = useDiffChoice();
  const against = useDesk(({ desk }) => (isSettled ? findDiffTarget(desk, choice, paneId, turnId) : null));
  const whole = <AnswerText text={text} isLive={isLive} />;
  if (!against) return whole;
  return (
    <PlainOnError text={text}>
      <Suspense fallback={whole}>
        <DiffView paneId={paneId} turnId={turnId} text={text} against={against}>
          {whole}
        </DiffView>
      </Suspense>
    </PlainOnError>
  );
}
