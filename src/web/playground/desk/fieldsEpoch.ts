// Counts how often a pane's settings were replaced as a whole, and how often something was run: fields then begin anew,
// without what they said of a text that was typed before.
import { create } from 'zustand';

interface Epochs {
  /** Of all panes. */
  readonly all: number;
  /** What single panes have on top, by their ids. */
  readonly own: Readonly<Record<string, number>>;
  /** Runs that a person started. */
  readonly runs: number;
}

const useEpochs = create<Epochs>(() => ({ all: 0, own: {}, runs: 0 }));

export const useFieldsEpoch = (paneId: string): number => useEpochs(({ all, own }) => all + (own[paneId] ?? 0));

/** The fields of these panes, or of all (null), begin anew. */
export function renewFields(paneIds: readonly string[] | null): void {
  useEpochs.setState(({ all, own }) => {
    if (paneIds === null) return { all: all + 1 };
    return { own: { ...own, ...Object.fromEntries(paneIds.map((id) => [id, (own[id] ?? 0) + 1])) } };
  });
}

/** For fields that keep no text of their own: what they say of one that was not taken goes with the next run. */
export const useRunsEpoch = (): number => useEpochs(({ runs }) => runs);

export const renewAfterRun = (): void => useEpochs.setState(({ runs }) => ({ runs: runs + 1 }));
