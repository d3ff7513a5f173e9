import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { PlainOnError } from '#ui/markdown/PlainOnError.tsx';
import { showLoadError } from '#ui/lazy/loadErrors.ts';
import { AnswerText } from './AnswerText.tsx';
import { useDesk } from '#features/playground/web/desk/deskStore.ts';
import { useDiffChoice, findDiffTarget } from './diffTargets.ts';

/** Shows the plain answer when the code of the differences fails to load. */
function WithoutDiff({ children }: { children: ReactNode }) {
  useEffect(showLoadError, []);
  return children;
}

const DiffView = lazy(async () => ({
  default: await import('./DiffView.tsx').then(
    ({ DiffView: View }) => View,
    () => WithoutDiff,
  ),
}));

interface AnswerBodyProps {
  paneId: string;
  turnId: string;
  text: string;
  /** The answer has ended. */
  isSettled: boolean;
  isLive: boolean;
}

/** An answer's text, or its differences from another answer. */
export function AnswerBody({ paneId, turnId, text, isSettled, isLive }: AnswerBodyProps) {
  const choice = useDiffChoice();
  const against = useDesk(({ desk }) => (isSettled ? findDiffTarget(desk, choice, paneId, turnId) : null));
  const plain = <AnswerText text={text} isLive={isLive} />;
  if (!against) return plain;
  return (
    <PlainOnError text={text}>
      <Suspense fallback={plain}>
        <DiffView paneId={paneId} turnId={turnId} text={text} against={against}>
          {plain}
        </DiffView>
      </Suspense>
    </PlainOnError>
  );
}
