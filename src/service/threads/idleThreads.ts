// Threads that have done their work and wait for more of it: to start one takes some hundred milliseconds.
import type { Isolated } from './isolated.ts';

interface Opened {
  readonly isolated: Pick<Isolated<never>, 'ended' | 'end'>;
}

export interface Spares<Thread extends Opened> {
  /** One that waits, else a new one. */
  take(): Thread;
  /** It has done its work, and remembers none of it. */
  giveBack(thread: Thread): void;
  close(): Promise<void>;
}

const IDLE_MS = 30_000;

/** Keeps one thread that waits, for a while. `open`: opens one. */
export function openSpares<Thread extends Opened>(open: () => Thread, idleMs = IDLE_MS): Spares<Thread> {
  let spare: Thread | null = null;
  let idle: NodeJS.Timeout | undefined;

  function takeSpare(): Thread | null {
    clearTimeout(idle);
    const taken = spare;
    spare = null;
    return taken;
  }

  return {
    take: () => takeSpare() ?? open(),
    giveBack(thread) {
      void takeSpare()?.isolated.end();
      spare = thread;
      const forget = (): void => {
        if (spare === thread) spare = null;
      };
      void thread.isolated.ended.then(forget);
      idle = setTimeout(() => void takeSpare()?.isolated.end(), idleMs);
      idle.unref();
    },
    async close() {
      await takeSpare()?.isolated.end();
    },
  };
}
