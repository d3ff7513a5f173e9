// The candidates of a record that match the plot's brush, which is in the address. The code that reads a brush loads
// with the first brush, because most pages have none.
import { useEffect, useMemo, useState } from 'react';
import type { Candidate, Choices } from '#features/experiments/shared/candidates.ts';
import type { BrushedChoices } from './brushedChoices.ts';

type Read = (choices: Choices, brush: readonly string[]) => BrushedChoices;

let loaded: Read | null = null;

export async function loadBrush(): Promise<Read> {
  loaded = (await import('./brushedChoices.ts')).toBrushedChoices;
  return loaded;
}

const isAlwaysInside = (_candidate: Candidate): boolean => true;

/** All candidates until the code has loaded, and also if it fails to load: a missing filter hides nothing. */
export function useBrushed(choices: Choices, brush: readonly string[]): BrushedChoices {
  const [read, setRead] = useState<Read | null>(() => loaded);
  const isWanted = brush.length > 0 && read === null;
  useEffect(() => {
    if (!isWanted) return undefined;
    let isCancelled = false;
    void loadBrush().then(
      (code) => (isCancelled ? undefined : setRead(() => code)),
      () => undefined,
    );
    return () => {
      isCancelled = true;
    };
  }, [isWanted]);
  return useMemo(
    () =>
      read && brush.length > 0
        ? read(choices, brush)
        : { models: choices.models, experiments: choices.experiments, isInside: isAlwaysInside },
    [read, choices, brush],
  );
}
