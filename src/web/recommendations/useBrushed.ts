// What the plot's brush (in the address) leaves of a record. The code that reads a brush comes with the first brush:
// most pages have none.
import { useEffect, useMemo, useState } from 'react';
import type { Candidate, Choices } from '#shared/training/candidates.ts';
import type { BrushedChoices } from './brushedChoices.ts';

type Read = (choices: Choices, brush: readonly string[]) => BrushedChoices;

let known: Read | null = null;

export async function loadBrush(): Promise<Read> {
  known = (await import('./brushedChoices.ts')).toBrushedChoices;
  return known;
}

const isAnyInside = (_candidate: Candidate): boolean => true;

/** Everything until the code is there, and when it can't be had: a filter that fails hides nothing. */
export function useBrushed(choices: Choices, brush: readonly string[]): BrushedChoices {
  const [read, setRead] = useState<Read | null>(() => known);
  const isWanted = brush.length > 0 && read === null;
  useEffect(() => {
    if (!isWanted) return undefined;
    let isGone = false;
    void loadBrush().then(
      (code) => (isGone ? undefined : setRead(() => code)),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [isWanted]);
  return useMemo(
    () =>
      read && brush.length > 0
        ? read(choices, brush)
        : { models: choices.models, experiments: choices.experiments, isInside: isAnyInside },
    [read, choices, brush],
  );
}
