// Which samples of a set did not come to their end and can be asked for again, and how they take their places. Pure.
// Small: what is there before anything is said imports it.
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

/** The set of samples that the version on show is of; empty where it is none of several. */
export function samplesOf(turn: AnswerTurn): readonly Answer[] {
  const { batch } = shownAnswer(turn);
  const set = batch === null ? [] : turn.versions.filter((answer) => answer.batch === batch);
  return set.length < 2 ? [] : set;
}

/** Those of the set that failed, broke off or were stopped; none while anything of the turn is on its way. */
export function unfinishedSamples(turn: AnswerTurn): readonly Answer[] {
  return isTurnBusy(turn) ? [] : samplesOf(turn).filter(({ phase }) => phase !== 'done');
}

const lastUnfinished = ({ turns }: Pane): readonly Answer[] => {
  const last = turns.at(-1);
  return last?.role === 'assistant' ? unfinishedSamples(last) : [];
};

/** How many samples of the pane's last answer its Retry asks for; 0: it is no set, or a whole one. */
export const countUnfinished = (pane: Pane): number => lastUnfinished(pane).length;

/** The pane's last answer, or a sample of it, failed or broke off: Retry for all panes asks for it again. */
export function isRetryable(pane: Pane): boolean {
  return isFailed(pane) || (pane.model.trim() !== '' && lastUnfinished(pane).some(isBroken));
}

export const toRetryLabel = (samples: number): string =>
  samples === 0 ? 'Retry' : `Retry ${samples} ${samples === 1 ? 'sample' : 'samples'}`;

/** A sample that is asked for again: what had come of it before, and what takes its place. */
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
 * Each takes its place. A part that had come before stays, as a version beside the set, until its place is filled: a
 * reload may come first.
 */
export function beginRetry(pane: Pane, turnId: string, retried: readonly Retried[]): Pane {
  const next = new Map(retried.map((each) => [each.old.id, each.next]));
  const kept = retried.flatMap(({ old }) => (hasContent(old.message) ? [{ ...old, batch: null }] : []));
  return changeVersions(pane, turnId, (turn) => ({
    ...turn,
    versions: [...turn.versions.map((answer) => next.get(answer.id) ?? answer), ...kept],
  }));
}

/**
 * The parts from before go where their places are filled. Where a sample came no further than before, its part comes
 * back to its place, with the record of its own request; how it ended this time is said with it.
 */
export function endRetry(pane: Pane, turnId: string, retried: readonly Retried[]): Pane {
  const kept = new Map(retried.flatMap(({ old, next }) => (hasContent(old.message) ? [[next.id, old] as const] : [])));
  return changeVersions(pane, turnId, (turn) => {
    const shownId = turn.versions[turn.shown]?.id;
    const known = new Set(turn.versions.map(({ id }) => id));
    const gone = new Map<string, string>();
    const settled = turn.versions.map((answer): Answer => {
      const old = kept.get(answer.id);
      // One that somebody deleted meanwhile does not come back.
      if (!old || !known.has(old.id) || isBusy(answer.phase)) return answer;
      gone.set(old.id, answer.id);
      return answer.phase === 'done' || sizeOf(answer) > sizeOf(old)
        ? answer
        : { ...old, phase: answer.phase, failure: answer.failure };
    });
    const stays = settled.map(({ id, batch }) => batch !== null || !gone.has(id));
    const wanted = shownId === undefined ? undefined : (gone.get(shownId) ?? shownId);
    const place = Math.max(
      0,
      turn.versions.findIndex(({ id }) => id === wanted),
    );
    return {
      ...turn,
      versions: settled.filter((_, at) => stays[at]),
      shown: stays.slice(0, place).filter(Boolean).length,
    };
  });
}
