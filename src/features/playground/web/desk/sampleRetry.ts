// Finds the unfinished samples of a set, and puts their retries in their places. Pure.
import {
  hasContent,
  isBroken,
  isBusy,
  isFailed,
  shownAnswer,
  type Answer,
  type AnswerTurn,
  type Pane,
} from './desk.ts';
import { isTurnBusy } from './turns.ts';

/** The sample set of the version on show; empty if the version isn't part of a set. */
export function samplesOf(turn: AnswerTurn): readonly Answer[] {
  const { batch } = shownAnswer(turn);
  const set = batch === null ? [] : turn.versions.filter((answer) => answer.batch === batch);
  return set.length < 2 ? [] : set;
}

/** Samples of the set that failed, were interrupted or were stopped; none while any version of the turn is busy. */
export function unfinishedSamples(turn: AnswerTurn): readonly Answer[] {
  return isTurnBusy(turn) ? [] : samplesOf(turn).filter(({ phase }) => phase !== 'done');
}

const lastUnfinished = ({ turns }: Pane): readonly Answer[] => {
  const last = turns.at(-1);
  return last?.role === 'assistant' ? unfinishedSamples(last) : [];
};

/** How many samples the pane's Retry asks for; 0: the last answer is no set, or a complete one. */
export const countUnfinished = (pane: Pane): number => lastUnfinished(pane).length;

/** The pane's last answer, or a sample of it, failed or was interrupted: "Retry" for all panes includes it. */
export function isRetryable(pane: Pane): boolean {
  return isFailed(pane) || (pane.model.trim() !== '' && lastUnfinished(pane).some(isBroken));
}

export const toRetryLabel = (samples: number): string =>
  samples === 0 ? 'Retry' : `Retry ${samples} ${samples === 1 ? 'sample' : 'samples'}`;

/** A retried sample: the unfinished answer, and the new one that takes its place. */
export interface Retried {
  readonly old: Answer;
  readonly next: Answer;
}

const changeVersions = (pane: Pane, turnId: string, change: (turn: AnswerTurn) => AnswerTurn): Pane => ({
  ...pane,
  turns: pane.turns.map((turn) => (turn.id === turnId && turn.role === 'assistant' ? change(turn) : turn)),
});

const sizeOf = ({ message }: Answer): number => message.text.length + message.reasoning.length;

/**
 * Puts each new answer in the place of the old one. An old answer with content stays as a version outside the set until
 * the new one has settled, so a reload in between loses nothing.
 */
export function beginRetry(pane: Pane, turnId: string, retried: readonly Retried[]): Pane {
  const next = new Map(retried.map((each) => [each.old.id, each.next]));
  const partial = retried.flatMap(({ old }) => (hasContent(old.message) ? [{ ...old, batch: null }] : []));
  return changeVersions(pane, turnId, (turn) => ({
    ...turn,
    versions: [...turn.versions.map((answer) => next.get(answer.id) ?? answer), ...partial],
  }));
}

/**
 * Removes the old answers whose retries have settled. If a retry brought no more than the old answer, the old one
 * returns to its place, with the record of its own request and with the phase and failure of the retry.
 */
export function endRetry(pane: Pane, turnId: string, retried: readonly Retried[]): Pane {
  const partial = new Map(
    retried.flatMap(({ old, next }) => (hasContent(old.message) ? [[next.id, old] as const] : [])),
  );
  return changeVersions(pane, turnId, (turn) => {
    const shownId = turn.versions[turn.shown]?.id;
    const present = new Set(turn.versions.map(({ id }) => id));
    /** By the id of a removed old answer: the id of the version in its place. */
    const replaced = new Map<string, string>();
    const settled = turn.versions.map((answer): Answer => {
      const old = partial.get(answer.id);
      // An old answer that was deleted meanwhile doesn't return.
      if (!old || !present.has(old.id) || isBusy(answer.phase)) return answer;
      replaced.set(old.id, answer.id);
      return answer.phase === 'done' || sizeOf(answer) > sizeOf(old)
        ? answer
        : { ...old, phase: answer.phase, failure: answer.failure };
    });
    const isRemaining = settled.map(({ id, batch }) => batch !== null || !replaced.has(id));
    const wanted = shownId === undefined ? undefined : (replaced.get(shownId) ?? shownId);
    const place = Math.max(
      0,
      turn.versions.findIndex(({ id }) => id === wanted),
    );
    return {
      ...turn,
      versions: settled.filter((_, at) => isRemaining[at]),
      shown: isRemaining.slice(0, place).filter(Boolean).length,
    };
  });
}
