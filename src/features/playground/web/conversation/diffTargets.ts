// The answers that an answer can be compared with, and the chosen one. Pure.
import {
  hasContent,
  isBusy,
  shownAnswer,
  type Answer,
  type AnswerTurn,
  type Desk,
  type Pane,
} from '#features/playground/web/desk/desk.ts';
import { create } from 'zustand';

// Which answers show their differences from another one. A choice of the tab, not part of the conversation.

/** `against`: id of the answer that this one is compared with. */
type TurnDiff = { readonly against: string } | 'off';

export interface DiffChoice {
  /** Panes whose answers are all compared with those of the first pane. */
  readonly panes: readonly string[];
  /** By turn; overrides the choice of its pane. */
  readonly turns: Readonly<Record<string, TurnDiff>>;
}

export const useDiffChoice = create<DiffChoice>(() => ({ panes: [], turns: {} }));

/** null: follow the choice of the pane. */
export function chooseDiff(turnId: string, diff: TurnDiff | null): void {
  useDiffChoice.setState(({ turns }) => {
    const { [turnId]: _old, ...others } = turns;
    return { turns: diff === null ? others : { ...others, [turnId]: diff } };
  });
}

export function choosePaneDiff(paneId: string, isOn: boolean): void {
  useDiffChoice.setState(({ panes }) => ({
    panes: [...panes.filter((id) => id !== paneId), ...(isOn ? [paneId] : [])],
  }));
}

interface DiffTarget {
  readonly answer: Answer;
  /** "Pane 1 · support-base", "version 2". */
  readonly label: string;
}

const isAnswer = (turn: Pane['turns'][number]): turn is AnswerTurn => turn.role === 'assistant';
const isComparable = ({ phase, message }: Answer): boolean => !isBusy(phase) && hasContent(message);

/** The answer at the same position in another pane: the first for the first, the second for the second. */
function findCounterpart(pane: Pane, other: Pane, turnId: string): AnswerTurn | null {
  const position = pane.turns.filter(isAnswer).findIndex((turn) => turn.id === turnId);
  return position < 0 ? null : (other.turns.filter(isAnswer)[position] ?? null);
}

/** The likeliest come first: the same position in other panes, other versions, then all other answers on show. */
export function toDiffTargets(desk: Desk, paneId: string, turnId: string): readonly DiffTarget[] {
  const pane = desk.panes.find(({ id }) => id === paneId);
  const turn = pane?.turns.find(({ id }) => id === turnId);
  if (!pane || turn?.role !== 'assistant') return [];
  const own = shownAnswer(turn);
  const others = desk.panes.filter((other) => other !== pane);
  const nameOf = (other: Pane, answer: Answer): string =>
    `Pane ${desk.panes.indexOf(other) + 1}${answer.model === '' ? '' : ` · ${answer.model}`}`;
  const counterparts = others.flatMap((other): DiffTarget[] => {
    const found = findCounterpart(pane, other, turnId);
    return found ? [{ answer: shownAnswer(found), label: nameOf(other, shownAnswer(found)) }] : [];
  });
  const nearest = turn.versions.map((answer, index) => ({
    answer,
    label: `version ${index + 1}`,
    distance: Math.abs(turn.shown - index - 0.5),
  }));
  const versions = nearest
    .sort((a, b) => a.distance - b.distance)
    .map(({ answer, label }): DiffTarget => ({ answer, label }));
  const rest = desk.panes.flatMap((other) =>
    other.turns.filter(isAnswer).map((each, index): DiffTarget => ({
      answer: shownAnswer(each),
      label: `${nameOf(other, shownAnswer(each))}, answer ${index + 1}`,
    })),
  );
  const seen = new Set([own.id]);
  return [...counterparts, ...versions, ...rest].filter(({ answer }) => {
    if (seen.has(answer.id) || !isComparable(answer)) return false;
    seen.add(answer.id);
    return true;
  });
}

function findAnswer(desk: Desk, id: string): Answer | null {
  for (const pane of desk.panes) {
    for (const turn of pane.turns) {
      const found = turn.role === 'assistant' ? turn.versions.find((answer) => answer.id === id) : undefined;
      if (found) return found;
    }
  }
  return null;
}

/** The answer that this one is compared with; null if it shows no differences. One desk always gives one object. */
export function findDiffTarget(
  desk: Desk,
  { panes, turns }: DiffChoice,
  paneId: string,
  turnId: string,
): Answer | null {
  const own = turns[turnId];
  if (own === 'off') return null;
  if (own) return findAnswer(desk, own.against);
  const [first] = desk.panes;
  const pane = panes.includes(paneId) ? desk.panes.find(({ id }) => id === paneId) : undefined;
  if (!first || !pane || pane === first) return null;
  const found = findCounterpart(pane, first, turnId);
  const answer = found && shownAnswer(found);
  return answer && isComparable(answer) ? answer : null;
}
