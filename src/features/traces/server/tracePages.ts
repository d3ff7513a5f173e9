// Pages by number, as the hosted studio has them: whoever reads one after the other goes on where the page before ended.
import { TRACE_LIMITS } from '#features/traces/shared/traceLimits.ts';
import type { TraceList } from '#features/traces/shared/traces.ts';
import type { Database } from '#service/database/database.ts';
import { listTraces, parseCursor, type PageStart, type TraceQuestion } from './traceList.ts';

/** Readers whose place is kept. Others skip from the first page, which takes longer the further it is. */
const KEPT = 200;

export interface Pages {
  /** `start`: the number of a page, or the `next` of an answer. `reader`: who asks. */
  list(question: TraceQuestion, start: number | string, reader: string): Promise<TraceList>;
}

export function openPages({ orm, guard }: Database): Pages {
  /** By reader, question and page: where the page begins. The one that was used last is last. */
  const places = new Map<string, string>();
  const keep = (key: string, next: string): void => {
    places.delete(key);
    places.set(key, next);
    const [oldest] = places.keys();
    if (places.size > KEPT && oldest !== undefined) places.delete(oldest);
  };
  return {
    async list(question, start, reader) {
      if (typeof start === 'string') return guard(() => listTraces(orm, question, parseCursor(start)));
      const keyOf = (page: number): string => JSON.stringify([reader, question, page]);
      const known = start > 1 ? places.get(keyOf(start)) : undefined;
      const from: PageStart = known === undefined ? { skip: (start - 1) * TRACE_LIMITS.page } : parseCursor(known);
      const list = await guard(() => listTraces(orm, question, from));
      places.delete(keyOf(start));
      if (list.next !== null) keep(keyOf(start + 1), list.next);
      return list;
    },
  };
}
