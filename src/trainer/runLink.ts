// What a run says and asks while it goes on.
import { setImmediate } from 'node:timers/promises';
import type { TrainerEvent } from '#trainer/protocol/trainerProtocol.ts';
import type { measureExport } from './measureExport.ts';

export interface RunLink {
  emit(event: TrainerEvent): void;
  /** Asked between steps. True: save and end. */
  isStopped(): boolean;
  /** That a run may use; missing: one. A run that goes on has as many as it began with. */
  readonly threads?: number;
  /** Compares the answers before and after the export; missing: nothing is compared. */
  readonly measureExport?: typeof measureExport;
}

export interface PausedLink extends RunLink {
  /** Between passes of work that is no step. */
  pause(): Promise<void>;
}

/** A studio ends a trainer that says nothing for a quarter of an hour. */
const QUIET_MS = 60_000;

/** A link that says in its pauses that the run goes on, if it has said nothing for a while. */
export function toPausedLink(link: RunLink, quietMs = QUIET_MS): PausedLink {
  let saidAt = performance.now();
  const emit = (event: TrainerEvent): void => {
    saidAt = performance.now();
    link.emit(event);
  };
  return {
    ...link,
    emit,
    isStopped: () => link.isStopped(),
    async pause() {
      if (performance.now() - saidAt > quietMs) emit({ type: 'log', text: 'It still measures rows.' });
      await setImmediate();
    },
  };
}
