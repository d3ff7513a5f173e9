// Judging of one kind: items come as they are needed, and what is said is stored at once, in order.
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type {
  JudgementKind,
  JudgementOutcome,
  JudgementQueue,
} from '#features/evaluation/shared/contract/judgements.ts';
import { ask, send } from '#ui/client/call.ts';
import { showToast } from '#ui/kit/toast.ts';
import {
  addItems,
  countOpen,
  forget,
  move,
  NO_DRAFT,
  QUEUE_ITEMS,
  sayOf,
  takeBack,
  toJudging,
  toSaid,
  type Draft,
  type Judging,
} from './judging.ts';

/** Others are fetched when so few are left. */
const FEW = 5;
const ITEM = '/api/v1/studio/evaluation-runs/{runId}/judgements/{item}';

const toReason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const showFailure = (what: string, error: unknown, next: string): void =>
  showToast(`${what} ${toReason(error)} ${next}`, { tone: 'error', kind: 'judgement' });

const fetchQueue = (runId: string, kind: JudgementKind, signal: AbortSignal) =>
  ask('/api/v1/studio/evaluation-runs/{runId}/judgements', [runId], 'items', {
    query: { kind, limit: String(QUEUE_ITEMS) },
    signal,
  });

const addOrBegin = (now: Judging | null, queue: JudgementQueue): Judging =>
  now ? addItems(now, queue) : toJudging(queue);

export interface JudgingActions {
  /** null: it is being read. */
  readonly state: Judging | null;
  /** Why the items could not be read. */
  readonly problem: string | null;
  /** Looks whether there are more items; those that are here stay. */
  readonly look: () => void;
  readonly draftOf: (item: string) => Draft;
  readonly write: (item: string, patch: Partial<Draft>) => void;
  /** The item on show, with its draft. */
  readonly say: (outcome: JudgementOutcome) => void;
  readonly undo: () => void;
  readonly move: (by: number) => void;
}

export function useJudging(runId: string, kind: JudgementKind): JudgingActions {
  const client = useQueryClient();
  const [state, setState] = useState<Judging | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  /** What is written of an item stays when another one is shown, and when it could not be stored. */
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  /** What was said is stored one after another, so that the last one counts. */
  const sending = useRef<Promise<unknown>>(Promise.resolve());
  const waitForSent = useCallback(() => sending.current, []);
  const read = useCallback(
    (signal: AbortSignal, change: (now: Judging | null, queue: JudgementQueue) => Judging): Promise<void> =>
      waitForSent()
        .then(() => fetchQueue(runId, kind, signal))
        .then((queue) => {
          setProblem(null);
          return setState((now) => change(now, queue));
        })
        .catch((error: unknown) => {
          if (!signal.aborted) setProblem(toReason(error));
        }),
    [runId, kind, waitForSent],
  );
  const begin = (): void => void read(new AbortController().signal, (_, queue) => toJudging(queue));

  useEffect(() => {
    const ending = new AbortController();
    void read(ending.signal, (_, queue) => toJudging(queue));
    return () => ending.abort();
  }, [read]);

  // However judging ends, other parts of the page show what was said once it is stored.
  useEffect(
    () => () => void waitForSent().then(() => client.invalidateQueries({ queryKey: ['evaluation-run', runId] })),
    [client, runId, waitForSent],
  );

  const isShort = state !== null && !state.isWhole && countOpen(state) <= FEW;
  const known = state?.items.length ?? 0;
  useEffect(() => {
    if (!isShort) return undefined;
    const ending = new AbortController();
    void read(ending.signal, (now, queue) =>
      now?.items.length === known ? addItems(now, queue) : (now ?? toJudging(queue)),
    );
    return () => ending.abort();
  }, [isShort, known, read]);

  const store = (work: () => Promise<unknown>, onFailure: (error: unknown) => void): void => {
    sending.current = sending.current.then(work).catch(onFailure);
  };
  const draftOf = (item: string): Draft => drafts.get(item) ?? NO_DRAFT;
  return {
    state,
    problem,
    look: () => void read(new AbortController().signal, addOrBegin),
    draftOf,
    write: (item, patch) => setDrafts((now) => new Map(now).set(item, { ...(now.get(item) ?? NO_DRAFT), ...patch })),
    say(outcome) {
      const item = state?.items[state.at];
      if (!item) return;
      const said = toSaid(item, outcome, draftOf(item.id));
      setState((now) => now && sayOf(now, item.id, said));
      store(
        () => send('PUT', ITEM, [runId, item.id], { body: said }),
        (error) => {
          showFailure('It was not stored.', error, 'Judge it again.');
          setState((now) => now && forget(now, item.id, said));
        },
      );
    },
    undo() {
      const id = state?.order.at(-1) ?? state?.last ?? null;
      if (!state || id === null) return;
      const isKnown = state.said.has(id);
      setState((now) => now && takeBack(now, id));
      store(
        async () => {
          await send('DELETE', ITEM, [runId, id], {});
          if (!isKnown) begin();
        },
        (error) => {
          showFailure('It was not taken back.', error, 'Take it back again.');
          begin();
        },
      );
    },
    move: (by) => setState((now) => now && move(now, by)),
  };
}
