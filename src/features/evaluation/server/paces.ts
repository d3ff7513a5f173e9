// How quickly runs go on: answers of the last minute.
import type { Pace } from './runRecords.ts';

const WINDOW_MS = 60_000;

export interface Paces {
  /** One more answer. */
  add(runId: string): void;
  paceOf(runId: string): Pace | null;
  end(runId: string): void;
}

/** `now`: milliseconds from any fixed point. */
export function openPaces(now: () => number): Paces {
  /** Answers by the second in which they came. */
  const counts = new Map<string, { readonly beganAt: number; readonly seconds: Map<number, number> }>();
  return {
    add(runId) {
      const own = counts.get(runId) ?? { beganAt: now(), seconds: new Map<number, number>() };
      counts.set(runId, own);
      const second = Math.floor(now() / 1000);
      own.seconds.set(second, (own.seconds.get(second) ?? 0) + 1);
      for (const each of own.seconds.keys()) if (each * 1000 < now() - WINDOW_MS) own.seconds.delete(each);
    },
    paceOf(runId) {
      const own = counts.get(runId);
      if (own === undefined) return null;
      let sum = 0;
      for (const [second, count] of own.seconds) if (second * 1000 >= now() - WINDOW_MS) sum += count;
      const seconds = Math.max(1, Math.min(WINDOW_MS, now() - own.beganAt) / 1000);
      return { perSecond: Number((sum / seconds).toFixed(2)) };
    },
    end: (runId) => void counts.delete(runId),
  };
}
