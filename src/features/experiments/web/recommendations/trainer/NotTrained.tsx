import { Suspense, useContext } from 'react';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { PlaceMark } from '#features/experiments/web/recommendations/listControl.ts';

const NotTrainedNote = toLazyPart('A note', async () => (await import('./NotTrainedNote.tsx')).NotTrainedNote);

interface NotTrainedProps {
  base: string;
}

/** Why this studio's trainer does not train a base model; nothing if it does, and in a remote studio. */
export function NotTrained({ base }: NotTrainedProps) {
  return (
    useContext(PlaceMark) && (
      <Suspense>
        <NotTrainedNote base={base} />
      </Suspense>
    )
  );
}
