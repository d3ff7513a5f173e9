import { describe, expect, it } from 'vitest';
import { EMPTY_MESSAGE } from '#core/stream/message.ts';
import { toAnswerTurn, toPane, toPendingAnswer, type AnswerPhase, type Pane, type Turn } from './desk.ts';
import { findDoubledTurn, findUnanswered, joinNext } from './doubledTurns.ts';

const user = (id: string, more: object = {}): Turn => ({ id, role: 'user', content: id, ...more });
const answer = (id: string, text: string, phase: AnswerPhase): Turn =>
  toAnswerTurn(id, [{ ...toPendingAnswer(id, 'm', 0), phase, message: { ...EMPTY_MESSAGE, text } }]);
const paneOf = (...turns: readonly Turn[]): Pane => ({ ...toPane('p', 'm'), turns });

describe('two messages in a row are found before they are sent', () => {
  it.each<[string, readonly Turn[], boolean, string | null]>([
    ['a stopped answer and a draft', [user('1'), answer('2', '', 'stopped')], true, '1'],
    ['a stopped answer alone: Retry sends one message', [user('1'), answer('2', '', 'stopped')], false, null],
    ['an empty answer and a draft', [user('1'), answer('2', '', 'done')], true, '1'],
    ['a stopped answer and a message that waits', [user('1'), answer('2', '', 'stopped'), user('3')], false, '1'],
    [
      'the same once refused: Retry',
      [user('1'), answer('2', '', 'stopped'), user('3'), answer('4', '', 'failed')],
      false,
      '1',
    ],
    [
      'the same once refused: another message in its place',
      [user('1'), answer('2', '', 'stopped'), user('3'), answer('4', '', 'failed')],
      true,
      '1',
    ],
    [
      'the same once answered',
      [user('1'), answer('2', '', 'stopped'), user('3'), answer('4', 'Yes', 'done')],
      true,
      null,
    ],
    ['a failed answer, which leaves its message out', [user('1'), answer('2', '', 'failed')], true, null],
    ['a stopped answer with a text', [user('1'), answer('2', 'Ye', 'stopped')], true, null],
    [
      'an answer on its way',
      [user('1'), answer('2', '', 'stopped'), user('3'), answer('4', '', 'sending')],
      false,
      null,
    ],
    [
      'questions that are answered in turn',
      [user('1', { isTakenOver: true }), user('2', { isTakenOver: true })],
      false,
      null,
    ],
    ['joined ones', [user('1', { joinsNext: true }), answer('2', '', 'stopped')], true, null],
  ])('%s', (_what, turns, hasDraft, expected) =>
    expect(findDoubledTurn(paneOf(...turns), hasDraft)?.id ?? null).toBe(expected),
  );
});

it('joins a message with the next, and back; what is no message of a user stays', () => {
  const pane = paneOf(user('1'), answer('2', '', 'stopped'));
  const joined = joinNext(pane, '1', true);
  expect(joined.turns[0]).toEqual(user('1', { joinsNext: true }));
  expect(joinNext(joined, '1', true)).toBe(joined);
  expect(joinNext(joined, '1', false).turns[0]).toEqual(user('1'));
  for (const id of ['2', 'x']) expect(joinNext(pane, id, true)).toBe(pane);
});

it('finds a message with the answers behind it that say nothing, and no more', () => {
  const pane = paneOf(
    user('1'),
    answer('2', '', 'stopped'),
    answer('3', '', 'done'),
    user('4'),
    answer('5', 'Yes', 'done'),
  );
  expect(findUnanswered(pane, '1').map(({ id }) => id)).toEqual(['1', '2', '3']);
  expect(findUnanswered(pane, '4').map(({ id }) => id)).toEqual(['4']);
  expect(findUnanswered(pane, 'x')).toEqual([]);
});
