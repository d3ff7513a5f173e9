// Which samples of a set did not come to their end and can be asked for again, and how they take their places. Pure.
// Small: what is there before anything is said imports it. It must not know requests or the store.
import { hasContent, isBusy, isFailed, shownAnswer, type Answer, type AnswerTurn, type Pane } from './desk';
import { isTurnBusy } from './turns';

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
export function isRetried(pane: Pane): boolean {
  return isFailed(pane) || (pane.model.trim() !== '' && lastUnfinished(pane).some(({ phase }) => phase === 'failed' || phase === 'interrupted'));
}

export const toRetryLabel = (samples: number): string => (samples === 0 ? 'Retry' : `Retry ${samples} ${samples === 1 ? 'sample' : 'samples'}`);

/** The versions with others in their places, by the ids of those that go. */
export function replaceVersions(pane: Pane, turnId: string, by: ReadonlyMap<string, Answer>): Pane {
  if (by.size === 0) return pane;
  return { ...pane, turns: pane.turns.map((turn) => (turn.id === turnId && turn.role === 'assistant' ? { ...turn, versions: turn.versions.map((answer) => by.get(answer.id) ?? answer) } : turn)) };
}

/**
 * What comes back to its place, by the ids of those that took it: where a sample asked for again ended without a word, the part
 * that had come before it, with the record of its own request. How it ended this time is said with it.
 */
export function toReturning(turn: AnswerTurn, before: ReadonlyMap<string, Answer>): ReadonlyMap<string, Answer> {
  return new Map(
    turn.versions.flatMap(({ id, phase, message, failure }): [string, Answer][] => {
      const old = before.get(id);
      return old && hasContent(old.message) && !hasContent(message) && !isBusy(phase) && phase !== 'done' ? [[id, { ...old, phase, failure }]] : [];
    }),
  );
}
