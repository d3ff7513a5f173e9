// Judging of one kind: items come as they are needed, and what is said is stored at once, in order.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { JudgementKind, JudgementQueue } from '#features/evaluation/shared/contract/judgements.ts';
import { ask, send } from '#ui/client/call.ts';
import { showToast } from '#ui/kit/toast.ts';
import {
  addItems,
  countOpen,
  move,
  QUEUE_ITEMS,
  sayOf,
  takeBack,
  toJudging,
  type Judging,
  type Said,
} from './judging.ts';

/** Others are fetched when so few are left. */
const FEW = 5;
const ITEM = '/api/v1/studio/evaluation-runs/{runId}/judgements/{item}';

const toReason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const showFailure = (what: string, error: unknown): void =>
  showToast(`${what} ${toReason(error)}`, { tone: 'error', kind: 'judgement' });

const fetchQueue = (runId: string, kind: JudgementKind, signal: AbortSignal) =>
  ask('/api/v1/studio/evaluation-runs/{runId}/judgements', [runId], 'items', {
    query: { kind, limit: String(QUEUE_ITEMS) },
    signal,
  });

export interface JudgingActions {
  /** null: it is being read. */
  readonly state: Judging | null;
  /** Why the items could not be read. */
  readonly problem: string | null;
  readonly reload: () => void;
  readonly say: (said: Said) => void;
  readonly undo: () => void;
  readonly move: (by: number) => void;
}

export function useJudging(runId: string, kind: JudgementKind): JudgingActions {
  const [state, setState] = useState<Judging | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  /** What was said is stored one after another, so that the last one counts. */
  const sending = useRef<Promise<unknown>>(Promise.resolve());
  const fetchNext = useCallback(
    async (signal: AbortSignal): Promise<JudgementQueue> => {
      await sending.current;
      return fetchQueue(runId, kind, signal);
    },
    [runId, kind],
  );
  const begin = useCallback(
    (signal: AbortSignal): Promise<void> =>
      fetchNext(signal)
        .then((queue) => {
          setProblem(null);
          return setState(toJudging(queue));
        })
        .catch((error: unknown) => {
          if (!signal.aborted) setProblem(toReason(error));
        }),
    [fetchNext],
  );
  const reload = (): void => void begin(new AbortController().signal);

  useEffect(() => {
    const ending = new AbortController();
    void begin(ending.signal);
    return () => ending.abort();
  }, [begin]);

  const isShort = state !== null && !state.isWhole && countOpen(state) <= FEW;
  const known = state?.items.length ?? 0;
  useEffect(() => {
    if (!isShort) return undefined;
    const ending = new AbortController();
    const { signal } = ending;
    fetchNext(signal)
      .then((queue) => setState((now) => (now?.items.length === known ? addItems(now, queue) : now)))
      .catch((error: unknown) => {
        if (!signal.aborted) setProblem(toReason(error));
      });
    return () => ending.abort();
  }, [isShort, known, fetchNext]);

  const store = (work: () => Promise<unknown>, onFailure: (error: unknown) => void): void => {
    sending.current = sending.current.then(work).catch(onFailure);
  };
  return {
    state,
    problem,
    reload,
    say(said) {
      const item = state?.items[state.at];
      if (!state || !item) return;
      setState(sayOf(state, said));
      store(
        () => send('PUT', ITEM, [runId, item.id], { body: said }),
        (error) => {
          showFailure('It was not stored.', error);
          setState((now) => now && takeBack(now, item.id));
        },
      );
    },
    undo() {
      const id = state?.order.at(-1) ?? state?.last ?? null;
      if (!state || id === null) return;
      const isKnown = state.said.has(id);
      setState(takeBack(state, id));
      store(
        async () => {
          await send('DELETE', ITEM, [runId, id], {});
          if (!isKnown) reload();
        },
        (error) => {
          showFailure('It was not taken back.', error);
          reload();
        },
      );
    },
    move: (by) => setState((now) => now && move(now, by)),
  };
}
