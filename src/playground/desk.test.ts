import { describe, expect, it } from 'vitest';
import { EMPTY_MESSAGE } from '../stream/message';
import {
  appendTurns, changeAnswer, changePane, changeParameters, EMPTY_DESK, interruptAnswers, isBusy, lastAnswer, linkPane, panePhase, paneParameters, toPane, toPendingAnswer,
  type AnswerPhase, type AnswerTurn, type Desk, type Pane, type Turn, type UserTurn,
} from './desk';
import { toDesk } from './panes';

const user = (id: string): UserTurn => ({ id, role: 'user', content: id });
const answer = (id: string, more: Partial<AnswerTurn> = {}): AnswerTurn => ({ ...toPendingAnswer(id, 'm', 5), ...more });
const pane = (id: string, turns: readonly Turn[] = [], more: Partial<Pane> = {}): Pane => ({ ...toPane(id, 'm'), turns, ...more });
const deskOf = (panes: readonly Pane[], more: Partial<Desk> = {}): Desk => ({ ...EMPTY_DESK, panes, ...more });

describe('phase', () => {
  it.each<[string, readonly Turn[], string]>([
    ['an empty pane', [], 'idle'],
    ['a message without an answer', [user('u')], 'idle'],
    ['the last answer', [answer('a', { phase: 'done' }), user('u'), answer('b', { phase: 'failed' })], 'failed'],
    ['a message after an answer', [answer('a', { phase: 'done' }), user('u')], 'idle'],
  ])('of %s', (_what, turns, expected) => expect(panePhase(pane('p', turns))).toBe(expected));

  it.each<[AnswerPhase | 'idle', boolean]>([
    ['idle', false], ['sending', true], ['streaming', true], ['done', false], ['stopped', false], ['failed', false], ['interrupted', false],
  ])('%s is busy: %s', (phase, expected) => expect(isBusy(phase)).toBe(expected));

  it('has no last answer where a message stands last', () => expect(lastAnswer(pane('p', [answer('a'), user('u')]))).toBeNull());
});

it('starts an answer with nothing known: no text, no timing, no usage', () => {
  expect(toPendingAnswer('a', 'm', 7)).toEqual({
    id: 'a', role: 'assistant', model: 'm', phase: 'sending', message: EMPTY_MESSAGE, failure: null, sentAt: 7, waitUntil: null,
    timing: { firstMs: null, textMs: null, endMs: null },
  });
});

describe('changing an answer', () => {
  const desk = deskOf([pane('p', [user('u'), answer('a')]), pane('q', [user('v'), answer('b')])], { parked: [pane('r', [answer('c')])] });

  it('touches nothing but that answer', () => {
    const next = changeAnswer(desk, 'q', 'b', { phase: 'done' });
    expect(next.panes[1]?.turns[1]).toEqual({ ...answer('b'), phase: 'done' });
    expect(next.panes[0]).toBe(desk.panes[0]);
    expect(next.panes[1]?.turns[0]).toBe(desk.panes[1]?.turns[0]);
    expect(next.parked).toBe(desk.parked);
    expect(panePhase(desk.panes[1]!)).toBe('sending');
  });

  it('reaches an answer whose pane left the view', () => {
    const next = changeAnswer(desk, 'r', 'c', { phase: 'streaming' });
    expect(panePhase(next.parked[0]!)).toBe('streaming');
    expect(next.panes).toBe(desk.panes);
    const away = changeAnswer(toDesk(desk, ['other'], () => 'new'), 'p', 'a', { phase: 'done' });
    expect(panePhase(away.parked.find((each) => each.id === 'p')!)).toBe('done');
  });

  it.each([['x', 'a'], ['p', 'x'], ['p', 'b'], ['p', 'u']])('changes nothing for pane %s, turn %s', (paneId, turnId) => {
    expect(changeAnswer(desk, paneId, turnId, { phase: 'done' })).toBe(desk);
  });
});

it('adds turns at the end, in the order they are given', () => {
  const desk = appendTurns(deskOf([pane('p', [user('u')]), pane('q')]), 'p', [user('v'), answer('a')]);
  expect(desk.panes.map((each) => each.turns.map((turn) => turn.id))).toEqual([['u', 'v', 'a'], []]);
});

it('leaves the desk as it is when a pane does not change', () => {
  const desk = deskOf([pane('p')], { parked: [pane('q')] });
  for (const id of ['p', 'q', 'x']) expect(changePane(desk, id, (each) => each)).toBe(desk);
});

describe('parameters', () => {
  const desk = deskOf([pane('p'), pane('q'), pane('own', [], { parameters: { seed: 1 } })], { parameters: { temperature: 0.5 } });
  const used = (of: Desk) => of.panes.map((each) => paneParameters(of, each));

  it('of linked panes change together, those of an unlinked pane stay', () => {
    expect(used(changeParameters(desk, 'p', { top_p: 0.9 }))).toEqual([{ temperature: 0.5, top_p: 0.9 }, { temperature: 0.5, top_p: 0.9 }, { seed: 1 }]);
  });

  it('of an unlinked pane change there alone', () => {
    expect(used(changeParameters(desk, 'own', { seed: 2 }))).toEqual([{ temperature: 0.5 }, { temperature: 0.5 }, { seed: 2 }]);
  });

  it('can be unset again', () => {
    expect(changeParameters(desk, 'p', { temperature: undefined }).parameters.temperature).toBeUndefined();
  });

  it('of a pane that is not there change nothing', () => expect(changeParameters(desk, 'x', { seed: 2 })).toBe(desk));

  it('start from the shared ones when a pane is unlinked, and go their own way from there', () => {
    const unlinked = linkPane(desk, 'q', false);
    expect(used(unlinked)[1]).toEqual({ temperature: 0.5 });
    expect(used(changeParameters(unlinked, 'p', { temperature: 1 }))).toEqual([{ temperature: 1 }, { temperature: 0.5 }, { seed: 1 }]);
  });

  it('are the shared ones again when a pane is linked', () => {
    expect(used(linkPane(desk, 'own', true))[2]).toEqual({ temperature: 0.5 });
  });
});

describe('interrupting', () => {
  const phases: readonly AnswerPhase[] = ['sending', 'streaming', 'done', 'stopped', 'failed', 'interrupted'];
  const failure = { message: 'm', hint: 'h', status: 429, code: null, param: null, requestId: null };
  const answers = phases.map((phase) => answer(phase, { phase, message: { ...EMPTY_MESSAGE, text: 'so far' }, waitUntil: 9, failure }));

  it.each(['panes', 'parked'] as const)('settles what was on its way in %s, keeps its text, and leaves the rest alone', (place) => {
    const turns = interruptAnswers({ ...EMPTY_DESK, [place]: [pane('p', [user('u'), ...answers])] })[place][0]!.turns;
    expect(turns.slice(1).map((turn) => turn.role === 'assistant' && turn.phase)).toEqual(['interrupted', 'interrupted', 'done', 'stopped', 'failed', 'interrupted']);
    expect(turns[2]).toMatchObject({ message: { text: 'so far' }, waitUntil: null, failure: null });
    expect(turns.slice(3)).toEqual(answers.slice(2));
  });
});
