// Counts how often a pane's settings were replaced as a whole, and how often a person pressed Run. Fields use the
// counts as keys: they remount, and drop messages about text that was typed before.
import { create } from 'zustand';

interface Epochs {
  /** Counts for all panes. */
  readonly all: number;
  /** Additional counts of single panes, by pane id. */
  readonly own: Readonly<Record<string, number>>;
  /** Runs that a person started. */
  readonly runs: number;
}

const useEpochs = create<Epochs>(() => ({ all: 0, own: {}, runs: 0 }));

export const useFieldsEpoch = (paneId: string): number => useEpochs(({ all, own }) => all + (own[paneId] ?? 0));

/** Remounts the fields of these panes, or of all (null). */
export function renewFields(paneIds: readonly string[] | null): void {
  useEpochs.setState(({ all, own }) => {
    if (paneIds === null) return { all: all + 1 };
    return { own: { ...own, ...Object.fromEntries(paneIds.map((id) => [id, (own[id] ?? 0) + 1])) } };
  });
}

/** For fields that hold no text themselves: the next run drops their message about a rejected text. */
export const useRunsEpoch = (): number => useEpochs(({ runs }) => runs);

export const renewAfterRun = (): void => useEpochs.setState(({ runs }) => ({ runs: runs + 1 }));
