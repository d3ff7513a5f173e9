import { describe, expect, it } from 'vitest';
import { EMPTY_MESSAGE } from '#core/stream/message.ts';
import {
  appendTurns,
  changeAnswer,
  changePane,
  changeSettings,
  changeShared,
  EMPTY_DESK,
  findPane,
  hasContent,
  interruptAnswers,
  isBusy,
  isFailed,
  lastAnswer,
  linkPane,
  panePhase,
  paneSettings,
  shownAnswer,
  toAnswerTurn,
  toPane,
  toPendingAnswer,
  toWrittenAnswer,
  type Answer,
  type AnswerPhase,
  type AnswerTurn,
  type Desk,
  type Pane,
  type Turn,
  type UserTurn,
} from './desk.ts';
import { toDesk } from './panes.ts';

const user = (id: string): UserTurn => ({ id, role: 'user', content: id });
const version = (id: string, more: Partial<Answer> = {}): Answer => ({ ...toPendingAnswer(id, 'm', 5), ...more });
/** An answer with one version of the same id. */
const answer = (id: string, more: Partial<Answer> = {}): AnswerTurn => toAnswerTurn(id, [version(id, more)]);
const pane = (id: string, turns: readonly Turn[] = [], more: Partial<Pane> = {}): Pane => ({
  ...toPane(id, 'm'),
  turns,
  ...more,
});
const deskOf = (panes: readonly Pane[], more: Partial<Desk> = {}): Desk => ({ ...EMPTY_DESK, panes, ...more });

describe('phase', () => {
  it.each<[string, readonly Turn[], string]>([
    ['an empty pane', [], 'idle'],
    ['a message without an answer', [user('u')], 'idle'],
    ['the last answer', [answer('a', { phase: 'done' }), user('u'), answer('b', { phase: 'failed' })], 'failed'],
    ['a message after an answer', [answer('a', { phase: 'done' }), user('u')], 'idle'],
    [
      'an answer on its way above the last one',
      [answer('a', { phase: 'sending' }), user('u'), answer('b', { phase: 'done' })],
      'sending',
    ],
    [
      'several on their way: the liveliest',
      [
        answer('a', { phase: 'queued' }),
        toAnswerTurn('t', [version('b'), version('c', { phase: 'streaming' }), version('d', { phase: 'done' })]),
      ],
      'streaming',
    ],
    [
      'the version that is shown',
      [{ ...toAnswerTurn('t', [version('b', { phase: 'failed' }), version('c', { phase: 'done' })]), shown: 0 }],
      'failed',
    ],
  ])('of %s', (_what, turns, expected) => expect(panePhase(pane('p', turns))).toBe(expected));

  it.each<[AnswerPhase | 'idle', boolean]>([
    ['idle', false],
    ['sending', true],
    ['streaming', true],
    ['done', false],
    ['stopped', false],
    ['failed', false],
    ['interrupted', false],
  ])('%s is busy: %s', (phase, expected) => expect(isBusy(phase)).toBe(expected));

  it('has no last answer where a message stands last', () =>
    expect(lastAnswer(pane('p', [answer('a'), user('u')]))).toBeNull());
});

it('starts an answer with nothing known: no text, no timing, no usage', () => {
  expect(toPendingAnswer('a', 'm', 7)).toEqual({
    id: 'a',
    model: 'm',
    phase: 'sending',
    message: EMPTY_MESSAGE,
    failure: null,
    sentAt: 7,
    waitUntil: null,
    timing: { firstMs: null, textMs: null, endMs: null },
    batch: null,
    seed: null,
    isEdited: false,
  });
  expect(toPendingAnswer('a', 'm', 7, { batch: 'b', seed: 0 })).toMatchObject({ batch: 'b', seed: 0 });
});

it("takes an answer that a person writes for complete, and for nobody's", () => {
  expect(toWrittenAnswer('a', 'Hi', 7)).toMatchObject({
    phase: 'done',
    model: '',
    isEdited: true,
    sentAt: 7,
    message: { text: 'Hi', state: 'complete', finish_reason: null },
  });
});

describe('versions', () => {
  it('show the newest at first', () => {
    const turn = toAnswerTurn('t', [version('a'), version('b')]);
    expect([turn.shown, shownAnswer(turn).id, shownAnswer({ ...turn, shown: 0 }).id]).toEqual([1, 'b', 'a']);
  });

  it('show the newest where the one on show is not there; an answer without any is a mistake', () => {
    expect(shownAnswer({ ...toAnswerTurn('t', [version('a')]), shown: 7 }).id).toBe('a');
    expect(() => shownAnswer(toAnswerTurn('t', []))).toThrow('without a version');
  });
});

it.each<[Partial<Answer['message']>, boolean]>([
  [{}, false],
  [{ text: 'x' }, true],
  [{ reasoning: 'x' }, true],
  [{ toolCalls: [{ id: 'c', name: '', arguments: '' }] }, true],
  [{ id: 'chat-1' }, false],
])('a message with %j has content: %s', (more, expected) =>
  expect(hasContent({ ...EMPTY_MESSAGE, ...more })).toBe(expected),
);

it.each<[AnswerPhase, string, boolean]>([
  ['failed', 'm', true],
  ['interrupted', 'm', true],
  ['failed', ' ', false],
  ['stopped', 'm', false],
  ['done', 'm', false],
  ['streaming', 'm', false],
])('a pane whose last answer is %s, with the model %j, can be retried as failed: %s', (phase, model, expected) =>
  expect(isFailed(pane('p', [answer('a', { phase })], { model }))).toBe(expected),
);

it('finds a pane in view or parked', () => {
  const desk = deskOf([pane('p')], { parked: [pane('q')] });
  expect(['p', 'q', 'x'].map((id) => findPane(desk, id)?.id)).toEqual(['p', 'q', undefined]);
});

describe('changing an answer', () => {
  const desk = deskOf([pane('p', [user('u'), answer('a')]), pane('q', [user('v'), answer('b')])], {
    parked: [pane('r', [answer('c')])],
  });

  it('touches nothing but that answer', () => {
    const next = changeAnswer(desk, 'q', 'b', { phase: 'done' });
    expect(next.panes[1]?.turns[1]).toEqual(answer('b', { phase: 'done' }));
    expect(next.panes[0]).toBe(desk.panes[0]);
    expect(next.panes[1]?.turns[0]).toBe(desk.panes[1]?.turns[0]);
    expect(next.parked).toBe(desk.parked);
    expect(panePhase(desk.panes[1]!)).toBe('sending');
  });

  it('reaches an answer whose pane left the view', () => {
    const next = changeAnswer(desk, 'r', 'c', { phase: 'streaming' });
    expect(panePhase(next.parked[0]!)).toBe('streaming');
    expect(next.panes).toBe(desk.panes);
    const away = changeAnswer(
      toDesk(desk, ['other'], () => 'new'),
      'p',
      'a',
      { phase: 'done' },
    );
    expect(panePhase(away.parked.find((each) => each.id === 'p')!)).toBe('done');
  });

  it('touches no other version of it', () => {
    const turn = toAnswerTurn('t', [version('a'), version('b'), version('c')]);
    const next = changeAnswer(deskOf([pane('p', [turn])]), 'p', 'b', { phase: 'done' }).panes[0]?.turns[0];
    expect(next).toEqual({ ...turn, versions: [version('a'), version('b', { phase: 'done' }), version('c')] });
  });

  it.each([
    ['x', 'a'],
    ['p', 'x'],
    ['p', 'b'],
    ['p', 'u'],
  ])('changes nothing for pane %s, turn %s', (paneId, turnId) => {
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

describe('settings', () => {
  const desk = deskOf([pane('p'), pane('q'), pane('own', [], { own: { seed: 1, top_p: null } })], {
    shared: { temperature: 0.5, top_p: 0.9 },
  });
  const used = (of: Desk) => of.panes.map((each) => paneSettings(of, each));

  it('are the shared ones but for those that a pane has for itself, also where it has them unset', () => {
    expect(used(desk)).toEqual([
      { temperature: 0.5, top_p: 0.9 },
      { temperature: 0.5, top_p: 0.9 },
      { temperature: 0.5, seed: 1 },
    ]);
  });

  it('are the same object as long as the desk is the same', () => {
    const [p, , own] = desk.panes;
    expect(paneSettings(desk, own!)).toBe(paneSettings(desk, own!));
    expect(paneSettings(desk, p!)).toBe(desk.shared);
    expect(paneSettings(changeShared(desk, { seed: 9 }), own!)).not.toBe(paneSettings(desk, own!));
  });

  it('change for all linked panes, and field by field for one that is not', () => {
    const next = changeSettings(desk, 'own', { seed: 2, temperature: 1 });
    expect(used(next)).toEqual([
      { temperature: 1, top_p: 0.9 },
      { temperature: 1, top_p: 0.9 },
      { temperature: 1, seed: 2 },
    ]);
    expect(used(changeSettings(desk, 'p', { seed: 5 }))).toEqual([
      { temperature: 0.5, top_p: 0.9, seed: 5 },
      { temperature: 0.5, top_p: 0.9, seed: 5 },
      { temperature: 0.5, seed: 1 },
    ]);
  });

  it('can be unset again, shared or own', () => {
    const next = changeSettings(changeSettings(desk, 'p', { temperature: undefined }), 'own', { seed: undefined });
    expect(used(next)).toEqual([{ top_p: 0.9 }, { top_p: 0.9 }, {}]);
    expect(next.panes[2]?.own).toEqual({ seed: null, top_p: null });
  });

  it('of a pane that is not there change nothing', () => expect(changeSettings(desk, 'x', { seed: 2 })).toBe(desk));

  it('start from the shared ones when a pane is unlinked, and go their own way from there', () => {
    const unlinked = linkPane(desk, 'q', ['temperature', 'seed'], false);
    expect(used(unlinked)[1]).toEqual({ temperature: 0.5, top_p: 0.9 });
    const next = changeSettings(unlinked, 'p', { temperature: 1, seed: 3, top_p: 0.1 });
    expect(used(next)[1]).toEqual({ temperature: 0.5, top_p: 0.1 });
  });

  it('keep what was their own before when more is unlinked', () => {
    expect(linkPane(desk, 'own', ['seed', 'temperature'], false).panes[2]?.own).toEqual({
      seed: 1,
      temperature: 0.5,
      top_p: null,
    });
  });

  it('are the shared ones again where a pane is linked', () => {
    expect(used(linkPane(desk, 'own', ['top_p'], true))[2]).toEqual({ temperature: 0.5, top_p: 0.9, seed: 1 });
    expect(linkPane(desk, 'own', ['top_p', 'seed'], true).panes[2]?.own).toEqual({});
  });
});

describe('interrupting', () => {
  const phases: readonly AnswerPhase[] = ['sending', 'streaming', 'done', 'stopped', 'failed', 'interrupted'];
  const failure = { message: 'm', hint: 'h', status: 429, code: null, param: null, requestId: null };
  const answers = phases.map((phase) =>
    answer(phase, { phase, message: { ...EMPTY_MESSAGE, text: 'so far' }, waitUntil: 9, failure }),
  );

  it.each(['panes', 'parked'] as const)(
    'settles what was on its way in %s, keeps its text, and leaves the rest alone',
    (place) => {
      const turns = interruptAnswers({ ...EMPTY_DESK, [place]: [pane('p', [user('u'), ...answers])] })[place][0]!.turns;
      expect(turns.slice(1).map((turn) => turn.role === 'assistant' && shownAnswer(turn).phase)).toEqual([
        'interrupted',
        'interrupted',
        'done',
        'stopped',
        'failed',
        'interrupted',
      ]);
      expect(turns[2]).toMatchObject({ versions: [{ message: { text: 'so far' }, waitUntil: null, failure: null }] });
      expect(turns[0]).toEqual(user('u'));
      expect(turns.slice(3)).toEqual(answers.slice(2));
    },
  );
});
