import { describe, expect, it } from 'vitest';
import { EMPTY_MESSAGE, type AnswerToolCall } from '#core/stream/message.ts';
import {
  EMPTY_DESK,
  toAnswerTurn,
  toPane,
  toPendingAnswer,
  type AnswerPhase,
  type Desk,
  type Pane,
  type Turn,
} from './desk.ts';
import {
  answerCalls,
  findOpenCalls,
  findSameCalls,
  continueObstacle,
  hasMatchingCall,
  isAtEnd,
  withSharedResult,
} from './toolAnswers.ts';

const call = (id: string, name = `get_${id}`, args = '{}'): AnswerToolCall => ({ id, name, arguments: args });
const calling = (id: string, calls: readonly AnswerToolCall[], phase: AnswerPhase = 'done'): Turn =>
  toAnswerTurn(id, [
    {
      ...toPendingAnswer(id, 'm', 0),
      phase,
      message: { ...EMPTY_MESSAGE, toolCalls: calls, state: phase === 'done' ? 'complete' : 'open' },
    },
  ]);
const user: Turn = { id: 'u', role: 'user', content: 'x' };
const paneOf = (id: string, ...turns: readonly Turn[]): Pane => ({ ...toPane(id, 'm'), turns: [user, ...turns] });
const deskOf = (...panes: readonly Pane[]): Desk => ({ ...EMPTY_DESK, panes });
const told = (pane: Pane | undefined): readonly string[] =>
  (pane?.turns ?? []).map((turn) =>
    turn.role === 'tool' ? `${turn.tool_call_id} ${turn.name} ${turn.content}` : turn.id,
  );
const counter = () => {
  let last = 0;
  return () => `t${(last += 1)}`;
};
const result = (callId: string) => ({ callId, content: `of ${callId}` });

describe('results', () => {
  const pane = paneOf('p', calling('a', [call('1'), call('2'), call('3')]));

  it('stand behind the answer in the order of its calls, however they come', () => {
    const some = answerCalls(pane, 'a', [result('3')], counter());
    expect(told(some)).toEqual(['u', 'a', '3 get_3 of 3']);
    expect(told(answerCalls(some, 'a', [result('2'), result('1')], counter()))).toEqual([
      'u',
      'a',
      '1 get_1 of 1',
      '2 get_2 of 2',
      '3 get_3 of 3',
    ]);
  });

  it('are not given twice, nor to what is no call', () => {
    const once = answerCalls(pane, 'a', [result('1')], counter());
    expect(answerCalls(once, 'a', [result('1'), result('x')], counter())).toBe(once);
    expect(answerCalls(pane, 'u', [result('1')], counter())).toBe(pane);
    const half = paneOf('p', calling('a', [call('1')], 'interrupted'));
    expect(answerCalls(half, 'a', [result('1')], counter())).toBe(half);
  });

  it('stay apart from what was said later', () => {
    const later: Turn = { id: 'v', role: 'user', content: 'y' };
    expect(told(answerCalls(paneOf('p', calling('a', [call('1')]), later), 'a', [result('1')], counter()))).toEqual([
      'u',
      'a',
      '1 get_1 of 1',
      'v',
    ]);
  });

  it('are complete when no call waits; then the model can go on', () => {
    const two = paneOf('p', calling('a', [call('1'), call('2')]));
    const one = answerCalls(two, 'a', [result('1')], counter());
    const all = answerCalls(one, 'a', [result('2')], counter());
    expect([two, one, all].map((each) => findOpenCalls(each).map((open) => open.call.id))).toEqual([
      ['1', '2'],
      ['2'],
      [],
    ]);
    const obstacles = [
      two,
      one,
      all,
      { ...all, model: '' },
      { ...all, turns: [...all.turns, calling('b', [], 'streaming')] },
    ].map((each) => continueObstacle({ ...deskOf(each), draft: 'Later' }, each));
    expect(obstacles).toEqual([
      'Other messages follow these results.',
      'Answer call get_2 first or delete it.',
      null,
      'Choose a model first.',
      'Other messages follow these results.',
    ]);
  });
});

describe('the same call', () => {
  const mine = call('1', 'get', '{"id": 12345678901234567890}');
  const panes = [
    paneOf('p', calling('a', [mine])),
    paneOf('q', calling('b', [call('9', 'other'), call('7', 'get', '{"id":12345678901234567890}')])),
    paneOf('r', calling('c', [call('1', 'get', '{"id":12345678901234567891}')])),
    paneOf('s', calling('d', [call('1', 'get', mine.arguments)]), calling('e', [], 'streaming')),
  ];

  it('is the one with the same name and arguments, however they are laid out, where nothing is on its way', () => {
    expect(
      findSameCalls(deskOf(...panes), 'p', mine).map(({ paneId, turnId, call: { id } }) => [paneId, turnId, id]),
    ).toEqual([['q', 'b', '7']]);
  });

  it('gets the same result, each under its own id', () => {
    const next = withSharedResult(deskOf(...panes), 'p', mine, 'sent', counter());
    expect(next.panes.map(told)).toEqual([
      ['u', 'a'],
      ['u', 'b', '7 get sent'],
      ['u', 'c'],
      ['u', 'd', 'e'],
    ]);
    expect(withSharedResult(next, 'p', mine, 'sent', counter())).toBe(next);
  });
});

it('a result knows whether its call stands before it, and an answer whether only results stand behind', () => {
  const { turns } = answerCalls(
    paneOf('p', calling('a', [call('1'), call('2')])),
    'a',
    [result('1'), result('2')],
    counter(),
  );
  expect(turns.map(({ id }) => [id, hasMatchingCall(turns, id), isAtEnd(turns, id)])).toEqual([
    ['u', false, false],
    ['a', false, true],
    ['t1', true, true],
    ['t2', true, true],
  ]);
  const moved = [turns[2], turns[0], turns[3]].filter((turn) => turn !== undefined);
  expect(moved.map(({ id }) => hasMatchingCall(moved, id))).toEqual([false, false, false]);
});
