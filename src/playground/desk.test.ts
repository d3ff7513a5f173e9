import { describe, expect, it } from 'vitest';
import {
  appendTurns, changeAnswer, changeParameters, EMPTY_DESK, interruptAnswers, lastAnswer, linkPane, panePhase, paneParameters, toPendingAnswer,
  type AnswerTurn, type Desk, type Turn, type UserTurn,
} from './desk';
import { toDesk } from './panes';

let count = 0;
const makeId = (): string => `id${(count += 1)}`;
const user = (id: string, content = 'hi'): UserTurn => ({ id, role: 'user', content });
const answer = (id: string, patch: Partial<AnswerTurn> = {}): AnswerTurn => ({ ...toPendingAnswer(id, 'm', 0), ...patch });
const withText = (text: string) => ({ ...answer('x').message, text });
const desk = (...models: string[]): Desk => toDesk(EMPTY_DESK, models, makeId);
const say = (state: Desk, index: number, ...turns: Turn[]): Desk => appendTurns(state, state.panes[index]?.id ?? '', turns);

describe('parameters', () => {
  it('are shared by linked panes until one is unlinked', () => {
    const state = desk('a', 'b');
    const [first, second] = state.panes.map((pane) => pane.id) as [string, string];
    const shared = changeParameters(state, first, { temperature: 0.2 });
    expect(shared.panes.map((pane) => paneParameters(shared, pane))).toEqual([{ temperature: 0.2 }, { temperature: 0.2 }]);
    const own = changeParameters(linkPane(shared, second, false), second, { seed: 7 });
    expect(own.panes.map((pane) => paneParameters(own, pane))).toEqual([{ temperature: 0.2 }, { temperature: 0.2, seed: 7 }]);
    const again = linkPane(own, second, true);
    expect(again.panes.map((pane) => paneParameters(again, pane))).toEqual([{ temperature: 0.2 }, { temperature: 0.2 }]);
  });
});

describe('answers', () => {
  it('change alone: other turns and panes keep their identity', () => {
    const state = say(desk('a', 'b'), 0, user('u1'), answer('a1'), user('u2'), answer('a2'));
    const next = changeAnswer(state, state.panes[0]?.id ?? '', 'a2', { phase: 'done' });
    expect(next.panes[1]).toBe(state.panes[1]);
    expect(next.panes[0]?.turns[1]).toBe(state.panes[0]?.turns[1]);
    expect(lastAnswer(next.panes[0]!)?.phase).toBe('done');
    expect(changeAnswer(state, 'gone', 'a2', { phase: 'done' })).toBe(state);
  });

  it('go on in a parked pane', () => {
    const state = say(desk('a'), 0, user('u'), answer('x'));
    const away = changeAnswer(toDesk(state, ['b'], makeId), state.panes[0]?.id ?? '', 'x', { phase: 'done' });
    expect(panePhase(away.parked[0]!)).toBe('done');
  });

  it('that were on their way are interrupted after a reload, with their text', () => {
    const state = say(desk('a'), 0, user('u'), answer('x', { phase: 'streaming', message: withText('half') }), answer('y', { phase: 'done' }));
    const turns = interruptAnswers(state).panes[0]?.turns as AnswerTurn[];
    expect(turns.slice(1).map((turn) => [turn.phase, turn.message.text])).toEqual([['interrupted', 'half'], ['done', '']]);
  });
});
