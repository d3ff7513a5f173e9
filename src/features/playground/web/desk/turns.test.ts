import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_MESSAGE, type AssistantMessage } from '#core/stream/message.ts';
import {
  shownAnswer,
  toAnswerTurn,
  toPane,
  toPendingAnswer,
  type Answer,
  type AnswerPhase,
  type AnswerTurn,
  type Pane,
  type Turn,
} from './desk.ts';
import {
  addVersions,
  copyTurns,
  cutAfter,
  deleteTurn,
  editTurn,
  insertTurns,
  isAnswerToEarlierText,
  isTurnBusy,
  moveTurn,
  showVersion,
  toTurn,
  turnIdBefore,
  turnText,
} from './turns.ts';

const user = (id: string, content = id): Turn => ({ id, role: 'user', content });
const version = (
  id: string,
  text: string,
  phase: AnswerPhase = 'done',
  more: Partial<AssistantMessage> = {},
): Answer => ({
  ...toPendingAnswer(id, 'm', 5),
  phase,
  message: { ...EMPTY_MESSAGE, text, state: phase === 'done' ? 'complete' : 'interrupted', ...more },
});
const paneOf = (...turns: readonly Turn[]): Pane => ({ ...toPane('p', 'm'), turns });
const ids = (pane: Pane) => pane.turns.map((turn) => turn.id).join('');
const answerOf = (pane: Pane, index: number): AnswerTurn => {
  const turn = pane.turns[index];
  if (turn?.role !== 'assistant') throw new Error(`No answer at ${index}.`);
  return turn;
};
const ABC = paneOf(user('a'), user('b'), user('c'));

describe('editing', () => {
  it('marks earlier answers below as answers to an earlier text', () => {
    const pane = paneOf(user('a'), toAnswerTurn('t', [version('v', 'x')]), user('b'));
    const isOld = (each: Pane) => isAnswerToEarlierText(each.turns, 't', version('v', 'x'));
    const edit = (id: string, now: number) => editTurn(pane, id, { content: 'new' }, 'w', now);
    expect([isOld(pane), isOld(edit('a', 6)), isOld(edit('a', 5)), isOld(edit('b', 6))]).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  it('gives a message another text and touches nothing else', () => {
    const next = editTurn(ABC, 'b', { content: 'new' }, 'v');
    expect(next.turns).toEqual([user('a'), user('b', 'new'), user('c')]);
    expect(next.turns[0]).toBe(ABC.turns[0]);
    expect(editTurn(ABC, 'b', { content: 'b' }, 'v', 9)).toBe(ABC);
    expect(editTurn(ABC, 'x', { content: 'b' }, 'v')).toBe(ABC);
  });

  it('gives a tool result another text, name and call', () => {
    const pane = paneOf({ id: 't', role: 'tool', tool_call_id: 'c', name: 'f', content: '4' });
    expect(editTurn(pane, 't', { content: '5', tool_call_id: 'd' }, 'v').turns).toEqual([
      { id: 't', role: 'tool', tool_call_id: 'd', name: 'f', content: '5' },
    ]);
    expect(editTurn(pane, 't', { content: '4', tool_call_id: 'c', name: 'f' }, 'v')).toBe(pane);
  });

  it('adds a version to an answer, so that what the model said stays', () => {
    const pane = paneOf(toAnswerTurn('t', [version('v1', 'one'), version('v2', 'two', 'failed')]));
    const next = answerOf(editTurn(pane, 't', { content: 'TWO' }, 'v3'), 0);
    expect(next.versions.slice(0, 2)).toEqual(answerOf(pane, 0).versions);
    expect([next.shown, next.versions[2]]).toMatchObject([
      2,
      { id: 'v3', phase: 'done', isEdited: true, failure: null, message: { text: 'TWO', state: 'complete' } },
    ]);
    const again = answerOf(editTurn(editTurn(pane, 't', { content: 'TWO' }, 'v3'), 't', { content: 'II' }, 'v4'), 0);
    expect(again.versions.map((each) => [each.id, each.message.text])).toEqual([
      ['v1', 'one'],
      ['v2', 'two'],
      ['v3', 'II'],
    ]);
  });

  it('keeps calls that are whole, and never makes half a call whole', () => {
    const toolCalls = [{ id: 'c', name: 'f', arguments: '{"x":' }];
    const edit = (phase: AnswerPhase) =>
      shownAnswer(
        answerOf(
          editTurn(paneOf(toAnswerTurn('t', [version('v', 'x', phase, { toolCalls })])), 't', { content: 'y' }, 'w'),
          0,
        ),
      ).message.toolCalls;
    expect([edit('done'), edit('interrupted')]).toEqual([toolCalls, []]);
  });

  it('leaves an answer on its way alone', () => {
    const pane = paneOf(toAnswerTurn('t', [version('v', 'x', 'streaming')]));
    expect(editTurn(pane, 't', { content: 'y' }, 'w')).toBe(pane);
    expect(isTurnBusy(pane.turns[0]!)).toBe(true);
  });
});

it.each([
  [toTurn({ id: 'i', role: 'user', content: 'x', answerId: 'v', now: 5 }), { id: 'i', role: 'user', content: 'x' }],
  [
    toTurn({ id: 'i', role: 'tool', content: 'x', name: 'f', tool_call_id: 'c', answerId: 'v', now: 5 }),
    { id: 'i', role: 'tool', content: 'x', name: 'f', tool_call_id: 'c' },
  ],
  [
    toTurn({ id: 'i', role: 'assistant', content: 'x', answerId: 'v', now: 5 }),
    {
      id: 'i',
      role: 'assistant',
      shown: 0,
      versions: [{ id: 'v', isEdited: true, sentAt: 5, message: { text: 'x' } }],
    },
  ],
])('writes a turn, and reads its text back: %#', (turn, expected) => {
  expect(turn).toMatchObject(expected);
  expect(turnText(turn)).toMatchObject({ content: 'x' });
});

describe('order', () => {
  it.each<[string | null, string]>([
    [null, 'xabc'],
    ['a', 'axbc'],
    ['c', 'abcx'],
    ['gone', 'abcx'],
  ])('inserting behind %s: %s', (after, expected) => {
    expect(ids(insertTurns(ABC, after, [user('x')]))).toBe(expected);
  });

  it.each<[string, -1 | 1, string]>([
    ['a', 1, 'bac'],
    ['c', -1, 'acb'],
    ['a', -1, 'abc'],
    ['c', 1, 'abc'],
    ['x', 1, 'abc'],
  ])('moving %s by %i: %s', (id, step, expected) => {
    expect(ids(moveTurn(ABC, id, step))).toBe(expected);
  });

  it.each([
    ['a', 'bc'],
    ['b', 'ac'],
    ['c', 'ab'],
    ['x', 'abc'],
  ])('deleting %s takes that one alone: %s', (id, expected) => expect(ids(deleteTurn(ABC, id))).toBe(expected));

  it.each<[string, string | null]>([
    ['a', null],
    ['b', 'a'],
    ['x', null],
  ])('before %s stands %s', (id, expected) => expect(turnIdBefore(ABC, id)).toBe(expected));

  it('what is deleted comes back to its place, whichever it was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.nat(), (count, seed) => {
        const pane = paneOf(...Array.from({ length: count }, (_, index) => user(`t${index}`)));
        const turn = pane.turns[seed % count]!;
        expect(insertTurns(deleteTurn(pane, turn.id), turnIdBefore(pane, turn.id), [turn])).toEqual(pane);
      }),
    );
  });

  it('cuts behind a turn and gives what it took', () => {
    expect(cutAfter(ABC, 'a')).toEqual({ pane: paneOf(user('a')), rest: [user('b'), user('c')] });
    for (const id of ['c', 'x']) expect(cutAfter(ABC, id)).toEqual({ pane: ABC, rest: [] });
  });
});

describe('versions', () => {
  const pane = paneOf(toAnswerTurn('t', [version('v1', 'one'), version('v2', 'two')]), user('u'));

  it.each<[number, string]>([
    [0, 'v1'],
    [1, 'v2'],
    [2, 'v2'],
    [-1, 'v2'],
  ])('showing %i shows %s', (shown, expected) =>
    expect(shownAnswer(answerOf(showVersion(pane, 't', shown), 0)).id).toBe(expected),
  );

  it('showing what is shown, or a version of a message, changes nothing', () => {
    expect([showVersion(pane, 't', 1), showVersion(pane, 'u', 0), showVersion(pane, 'x', 0)]).toEqual([
      pane,
      pane,
      pane,
    ]);
    expect(showVersion(pane, 't', 1)).toBe(pane);
  });

  it('are added behind the others, and the first of them is shown', () => {
    const next = answerOf(addVersions(pane, 't', [version('v3', '', 'sending'), version('v4', '', 'sending')]), 0);
    expect([next.versions.map((each) => each.id), next.shown]).toEqual([['v1', 'v2', 'v3', 'v4'], 2]);
    expect(addVersions(pane, 't', [])).toBe(pane);
  });

  it('without content are dropped; those with content, complete or on their way stay', () => {
    const turn = toAnswerTurn('t', [
      version('failed', '', 'failed'),
      version('half', 'Ha', 'failed'),
      version('thought', '', 'stopped', { reasoning: 'x' }),
      version('empty', ''),
      version('coming', '', 'sending'),
      version('stopped', '', 'stopped'),
    ]);
    expect(answerOf(addVersions(paneOf(turn), 't', [version('new', '', 'sending')]), 0)).toMatchObject({
      shown: 4,
      versions: ['half', 'thought', 'empty', 'coming', 'new'].map((id) => ({ id })),
    });
  });
});

it('copies a conversation up to a turn: same texts, new ids, nothing on its way', () => {
  const turns: readonly Turn[] = [
    user('u'),
    toAnswerTurn('t', [version('v1', 'one'), version('v2', 'tw', 'streaming')]),
    user('w'),
  ];
  let count = 0;
  const copy = copyTurns(turns, 't', () => `n${(count += 1)}`);
  expect(copy).toMatchObject([
    { role: 'user', content: 'u' },
    {
      role: 'assistant',
      shown: 1,
      versions: [
        { message: { text: 'one' }, phase: 'done' },
        { message: { text: 'tw' }, phase: 'stopped' },
      ],
    },
  ]);
  const used = copy.flatMap((turn) =>
    [turn.id].concat(turn.role === 'assistant' ? turn.versions.map((each) => each.id) : []),
  );
  expect([used.length, new Set(used).size, used.every((id) => id.startsWith('n'))]).toEqual([4, 4, true]);
  expect([copyTurns(turns, null, () => 'n').length, copyTurns(turns, 'gone', () => 'n').length]).toEqual([3, 0]);
});
