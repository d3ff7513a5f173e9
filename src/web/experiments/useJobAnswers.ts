// Asks the jobs of a table and follows their answers: one picture for many answers that come together.
import { QueryObserver, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { toPolledIds } from '#web/api/pollCap.ts';
import { jobInterval } from '#web/api/polling.ts';
import { jobQuery } from '#web/api/queries.ts';
import type { ReadJob } from '#shared/contract/jobReader.ts';
import {
  NO_ANSWERS,
  toAskedIds,
  toJobAnswers,
  type JobAnswers,
  type JobState,
} from '#web/experiments/rows/jobAnswers.ts';

/**
 * With more jobs than these, answers come in larger portions, and good ones are not asked again for their age alone.
 */
const MANY = 100;

/** Dozens of answers a second would each rebuild the table; the more rows there are, the more that costs. */
const toPauseMs = (jobs: number): number => (jobs > MANY ? 700 : 120);

interface JobWatch {
  /** `active`: those of them that the tree calls active. */
  readonly setIds: (ids: readonly string[], active: ReadonlySet<string>) => void;
  readonly subscribe: (listener: () => void) => () => void;
  readonly read: () => JobAnswers;
  /** Asks those again that failed. */
  readonly retry: () => void;
  /** Asks all, though the service hides the first few. */
  readonly askAll: () => void;
}

/** Coming back to the tab must not ask hundreds of finished jobs again. */
function toQuery(id: string, isPolled: boolean, isMany: boolean) {
  const query = { ...jobQuery(id), refetchOnWindowFocus: false as const, ...(isMany ? { staleTime: Infinity } : {}) };
  return isPolled ? query : { ...query, refetchInterval: false as const };
}

type JobObserver = QueryObserver<ReadJob | null, Error, ReadJob | null, ReadJob | null, string[]>;

interface Followed {
  readonly observer: JobObserver;
  readonly isPolled: boolean;
  readonly stop: () => void;
}

function openJobWatch(client: QueryClient): JobWatch {
  /** By asked job; empty while nobody listens. */
  const followed = new Map<string, Followed>();
  let ids: readonly string[] = [];
  let active: ReadonlySet<string> = new Set();
  let isAll = false;
  let asked: readonly string[] = [];
  let current = NO_ANSWERS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();

  const statesOf = (list: readonly string[]): readonly JobState[] =>
    list.map((id) => {
      const state = client.getQueryState(jobQuery(id).queryKey);
      return { id, answer: state?.data, error: state?.error ?? null };
    });
  function soon(): void {
    timer ??= setTimeout(update, toPauseMs(asked.length));
  }
  function isOpen(id: string): boolean {
    const data = client.getQueryData(jobQuery(id).queryKey);
    return active.has(id) || (data !== undefined && jobInterval({ data, error: null, failures: 0 }) !== false);
  }
  function follow(): void {
    const wanted = new Set(listeners.size > 0 ? asked : []);
    for (const [id, { stop }] of followed) {
      if (wanted.has(id)) continue;
      stop();
      followed.delete(id);
    }
    const polled = toPolledIds(asked, isOpen);
    for (const id of wanted) {
      const known = followed.get(id);
      const isPolled = polled.has(id);
      if (known?.isPolled === isPolled) continue;
      const query = toQuery(id, isPolled, ids.length > MANY);
      if (known) known.observer.setOptions(query);
      const observer = known?.observer ?? new QueryObserver(client, query);
      followed.set(id, { observer, isPolled, stop: known?.stop ?? observer.subscribe(soon) });
    }
  }
  function update(): void {
    timer = undefined;
    asked = isAll ? ids : toAskedIds(ids, statesOf(ids));
    follow();
    current = toJobAnswers(statesOf(asked));
    for (const listener of listeners) listener();
  }
  return {
    setIds(next, nextActive) {
      // What was read of a job while it ran is not its end.
      const kept = new Set(next);
      for (const id of active)
        if (!nextActive.has(id) && kept.has(id) && followed.has(id))
          void client.refetchQueries({ queryKey: jobQuery(id).queryKey });
      ids = next;
      active = nextActive;
      update();
    },
    subscribe(listener) {
      listeners.add(listener);
      follow();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        follow();
        clearTimeout(timer);
        timer = undefined;
      };
    },
    read: () => current,
    retry() {
      for (const { id, error } of statesOf(asked))
        if (error) void client.refetchQueries({ queryKey: jobQuery(id).queryKey });
      soon();
    },
    askAll() {
      isAll = true;
      update();
    },
  };
}

interface JobsFollowed {
  readonly answers: JobAnswers;
  readonly onRetry: () => void;
  readonly onAskAll: () => void;
}

/** Answers of these jobs so far; a new picture whenever some have come. `active`: those that the tree calls active. */
export function useJobAnswers(ids: readonly string[], active: ReadonlySet<string>): JobsFollowed {
  const client = useQueryClient();
  const [watch] = useState(() => openJobWatch(client));
  const answers = useSyncExternalStore(watch.subscribe, watch.read);
  useEffect(() => watch.setIds(ids, active), [watch, ids, active]);
  return { answers, onRetry: watch.retry, onAskAll: watch.askAll };
}

/** Whether all of these were read before, and are still known: then nobody has to ask for them again. */
export function areJobsKnown(client: QueryClient, ids: readonly string[]): boolean {
  return ids.every((id) => client.getQueryData(jobQuery(id).queryKey) !== undefined);
}
