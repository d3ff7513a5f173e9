import { Suspense } from 'react';
import { PlainOnError } from '#ui/markdown/PlainOnError.tsx';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { recordIdOf, shownAnswer, type AnswerTurn } from '#features/playground/web/desk/desk.ts';
import { toSampleSet } from '#features/playground/web/desk/samples.ts';

const RepeatVerdict = toLazyPart(
  'The comparison with the first answer',
  async () => (await import('./RepeatVerdict.tsx')).RepeatVerdict,
);
const SamplesView = toLazyPart(
  'The comparison of samples',
  async () => (await import('./SamplesView.tsx')).SamplesView,
);

interface AnswerFindingsProps {
  turn: AnswerTurn;
  paneId: string;
}

/** Compares several answers to the same request: samples and repeats. */
export function AnswerFindings({ turn, paneId }: AnswerFindingsProps) {
  const answer = shownAnswer(turn);
  const { repeats, isEdited } = answer;
  const samples = toSampleSet(turn.versions, turn.shown);
  if (samples === null && (repeats === undefined || isEdited)) return null;
  return (
    <PlainOnError text="The comparison of the answers could not be loaded. Reload the page to try again.">
      <Suspense fallback={<p className="min-h-7" />}>
        {samples && <SamplesView paneId={paneId} turn={turn} samples={samples} />}
        {repeats !== undefined && !isEdited && (
          <RepeatVerdict
            turnId={turn.id}
            before={turn.versions.find((version) => recordIdOf(version) === repeats && !version.isEdited) ?? null}
            answer={answer}
          />
        )}
      </Suspense>
    </PlainOnError>
  );
}
