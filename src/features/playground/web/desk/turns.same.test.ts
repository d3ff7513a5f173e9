import { expect, it } from 'vitest';
import { EMPTY_DESK, toAnswerTurn, toPane, toWrittenAnswer, type Desk, type Turn } from './desk.ts';
import { findSameMessages } from './turns.ts';

const user = (id: string, content: string): Turn => ({ id, role: 'user', content });
const answer = (id: string): Turn => toAnswerTurn(id, [toWrittenAnswer(id, 'Yes', 0)]);
const pane = (id: string, ...turns: readonly Turn[]) => ({ ...toPane(id, 'm'), turns });
const desk: Desk = {
  ...EMPTY_DESK,
  panes: [
    pane('a', user('a1', 'Hi'), answer('a2'), user('a3', 'And?')),
    pane('b', user('b1', 'Hi'), user('b2', 'And?')),
    pane('c', user('c1', 'Hello'), answer('c2'), user('c3', 'And?'), user('c4', 'Hi')),
    pane('d'),
  ],
  parked: [pane('e', user('e1', 'Hi'))],
};

it('finds the same text at the same place among the messages of users', () => {
  expect(findSameMessages(desk, 'a', 'a1')).toEqual([{ paneId: 'b', turnId: 'b1' }]);
  expect(findSameMessages(desk, 'a', 'a3')).toEqual([
    { paneId: 'b', turnId: 'b2' },
    { paneId: 'c', turnId: 'c3' },
  ]);
});

it('finds nothing for another text, an answer, or a message that is gone', () => {
  for (const turnId of ['c1', 'a2', 'gone']) expect(findSameMessages(desk, turnId.slice(0, 1), turnId)).toEqual([]);
});
