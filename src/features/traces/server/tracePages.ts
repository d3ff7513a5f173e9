// Pages by number, as the hosted studio has them: who asks for one goes on from the nearest page before it that was read.
import { TRACE_LIMITS } from '#features/traces/shared/traceLimits.ts';
import type { TraceList } from '#features/traces/shared/traces.ts';
import type { Database } from '#service/database/database.ts';
import { listTraces, parseCursor, type Place, type TraceQuestion } from './traceList.ts';

/** Beginnings of pages that are kept, of all readers, and how long: new traces move what is on a page. */
const KEPT = 400;
const KEPT_MS = 600_000;

interface KnownPage {
  /** The reader and the question. */
  readonly of: string;
  readonly page: number;
  readonly after: Place;
  /** Monotonic milliseconds. */
  readonly at: number;
}

export interface Pages {
  /**
   * `start`: the number of a page, or the `next` of an answer. `reader`: who asks. Throws Refusal 400 for a page that is too far
   * from all that are known.
   */
  list(question: TraceQuestion, start: number | string, reader: string): Promise<TraceList>;
}

export function openPages({ orm, guard }: Database): Pages {
  /** The one that was found last is last. */
  let known: readonly KnownPage[] = [];
  const keep = (next: KnownPage): void => {
    const others = known.filter(({ of, page }) => of !== next.of || page !== next.page);
    known = [...others.slice(-KEPT + 1), next];
  };
  return {
    async list(question, start, reader) {
      if (typeof start === 'string') return guard(() => listTraces(orm, question, parseCursor(start)));
      const of = JSON.stringify([reader, question]);
      const until = performance.now() - KEPT_MS;
      // Who begins again has new pages.
      known = known.filter((each) => each.at > until && (start > 1 || each.of !== of));
      const [nearest] = known
        .filter((each) => each.of === of && each.page <= start)
        .toSorted((one, other) => other.page - one.page);
      const near = nearest && { rank: (nearest.page - 1) * TRACE_LIMITS.page, after: nearest.after };
      const list = await guard(() => listTraces(orm, question, { rank: (start - 1) * TRACE_LIMITS.page, near }));
      if (list.next !== null) keep({ of, page: start + 1, at: performance.now(), ...parseCursor(list.next) });
      return list;
    },
  };
}
