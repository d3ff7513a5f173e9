import { describe, expect, it } from 'vitest';
import { EMPTY_DESK, toAnswerTurn, toPane, toPendingAnswer, toWrittenAnswer, type Desk, type Turn } from './desk.ts';
import { toNextRequest } from './paneRequest.ts';

const user = (id: string): Turn => ({ id, role: 'user', content: `message ${id}` });
const said = toAnswerTurn('a', [toWrittenAnswer('v', 'Hello', 1)]);

function next(turns: readonly Turn[], draft: string, more: Partial<Desk> = {}): unknown {
  const desk: Desk = { ...EMPTY_DESK, panes: [{ ...toPane('p', 'm'), turns }], draft, ...more };
  const made = toNextRequest(desk, desk.panes[0]!);
  return made.ok ? [made.request.messages.map((message) => message.content), made.isLast] : made.problem;
}

describe('the request of now', () => {
  it('has the draft behind the conversation', () =>
    expect(next([user('1'), said], 'draft')).toEqual([['message 1', 'Hello', 'draft'], false]));
  it('is for the message that waits', () =>
    expect(next([user('1'), said, user('2')], ' ')).toEqual([['message 1', 'Hello', 'message 2'], false]));
  it('is else that of the last answer', () => expect(next([user('1'), said], '')).toEqual([['message 1'], true]));
  it('is not there while an answer is on its way', () =>
    expect(next([user('1'), toAnswerTurn('b', [toPendingAnswer('w', 'm', 1)])], 'draft')).toBe(
      'An answer is being generated. Wait for it or stop it.',
    ));
  it('is that of an answer on its way where nothing waits', () =>
    expect(next([user('1'), toAnswerTurn('b', [toPendingAnswer('w', 'm', 1)])], '')).toEqual([['message 1'], true]));
  it('says what is missing', () => {
    expect([next([], ''), next([], 'Hi {{name}}'), next([], 'Hi', { panes: [toPane('p', '')] })]).toEqual([
      'Write a message first.',
      'Give the variable name a value first.',
      'Choose a model first.',
    ]);
  });
});
