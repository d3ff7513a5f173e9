// Reads the jobs of a table and follows their answers. Answers that come together cause one update.
import { QueryObserver, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { toPolledIds } from '#ui/client/pollCap.ts';
import { jobInterval } from '#ui/client/polling.ts';
import { jobQuery } from '#ui/client/queries.ts';
import type { ReadJob } from '#core/contract/jobReader.ts';
import {
  NO_ANSWERS,
  toRequestedIds,
  toJobAnswers,
  type JobAnswers,
  type JobState,
} from '#features/experiments/web/rows/jobAnswers.ts';

/** With more jobs than this, answers are shown in larger portions, and their age alone causes no new request. */
const MANY = 100;

/** Each update rebuilds the table, which costs more with more rows; dozens of answers may come in a second. */
const toPauseMs = (jobs: number): number => (jobs > MANY ? 700 : 120);

interface JobWatch {
  /** `active`: the jobs that are active in the tree. */
  readonly setIds: (ids: readonly string[], active: ReadonlySet<string>) => void;
  readonly subscribe: (listener: () => void) => () => void;
  readonly read: () => JobAnswers;
  /** Requests the failed jobs again. */
  readonly retry: () => void;
  /** Requests all jobs, although the service hides the first few. */
  readonly requestAll: () => void;
}

/** A return to the browser tab must not request hundreds of finished jobs again. */
function toQuery(id: string, isPolled: boolean, isMany: boolean) {
  const query = { ...jobQuery(id), refetchOnWindowFocus: false as const, ...(isMany ? { staleTime: Infinity } : {}) };
  return isPolled ? query : { ...query, refetchInterval: false as const };
}

type JobObserver = QueryObserver<ReadJob | null, Error, ReadJob | null, ReadJob | null, string[]>;

interface FollowedJob {
  readonly observer: JobObserver;
  readonly isPolled: boolean;
  readonly stop: () => void;
}

function openJobWatch(client: QueryClient): JobWatch {
  /** By requested job; empty while nobody listens. */
  const followed = new Map<string, FollowedJob>();
  let ids: readonly string[] = [];
  let active: ReadonlySet<string> = new Set();
  let isAll = false;
  let requested: readonly string[] = [];
  let current = NO_ANSWERS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();

  const statesOf = (list: readonly string[]): readonly JobState[] =>
    list.map((id) => {
      const state = client.getQueryState(jobQuery(id).queryKey);
      return { id, answer: state?.data, error: state?.error ?? null };
    });
  function scheduleUpdate(): void {
    timer ??= setTimeout(update, toPauseMs(requested.length));
  }
  function isOpen(id: string): boolean {
    const data = client.getQueryData(jobQuery(id).queryKey);
    return active.has(id) || (data !== undefined && jobInterval({ data, error: null, failures: 0 }) !== false);
  }
  function follow(): void {
    const wanted = new Set(listeners.size > 0 ? requested : []);
    for (const [id, { stop }] of followed) {
      if (wanted.has(id)) continue;
      stop();
      followed.delete(id);
    }
    const polled = toPolledIds(requested, isOpen);
    for (const id of wanted) {
      const known = followed.get(id);
      const isPolled = polled.has(id);
      if (known?.isPolled === isPolled) continue;
      const query = toQuery(id, isPolled, ids.length > MANY);
      if (known) known.observer.setOptions(query);
      const observer = known?.observer ?? new QueryObserver(client, query);
      followed.set(id, { observer, isPolled, stop: known?.stop ?? observer.subscribe(scheduleUpdate) });
    }
  }
  function update(): void {
    timer = undefined;
    requested = isAll ? ids : toRequestedIds(ids, statesOf(ids));
    follow();
    current = toJobAnswers(statesOf(requested));
    for (const listener of listeners) listener();
  }
  return {
    setIds(next, nextActive) {
      // The last answer of a job that was active is not its final state.
      const nextIds = new Set(next);
      for (const id of active)
        if (!nextActive.has(id) && nextIds.has(id) && followed.has(id))
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
      for (const { id, error } of statesOf(requested))
        if (error) void client.refetchQueries({ queryKey: jobQuery(id).queryKey });
      scheduleUpdate();
    },
    requestAll() {
      isAll = true;
      update();
    },
  };
}

/** Up to this many jobs are read at once; for more, a person has to press a button. */
export const MAX_READ_AT_ONCE = 100;

interface FollowedJobs {
  readonly answers: JobAnswers;
  readonly onRetry: () => void;
  readonly onRequestAll: () => void;
}

/** Answers of these jobs so far; a new object whenever some have come. `active`: the jobs active in the tree. */
export function useJobAnswers(ids: readonly string[], active: ReadonlySet<string>): FollowedJobs {
  const client = useQueryClient();
  const [watch] = useState(() => openJobWatch(client));
  const answers = useSyncExternalStore(watch.subscribe, watch.read);
  useEffect(() => watch.setIds(ids, active), [watch, ids, active]);
  return { answers, onRetry: watch.retry, onRequestAll: watch.requestAll };
}

/** Whether the answers of all these jobs are still cached: then no button is needed. */
export function areJobsKnown(client: QueryClient, ids: readonly string[]): boolean {
  return ids.every((id) => client.getQueryData(jobQuery(id).queryKey) !== undefined);
}
