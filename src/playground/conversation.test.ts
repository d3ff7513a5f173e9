import { expect, it } from 'vitest';
import { EMPTY_MESSAGE } from '../stream/message';
import { toMessages } from './conversation';
import { toPendingAnswer, type AnswerPhase, type Turn } from './desk';

const user = (id: string, content: string): Turn => ({ id, role: 'user', content });
const answer = (id: string, text: string, phase: AnswerPhase = 'done', reasoning = ''): Turn => ({ ...toPendingAnswer(id, 'm', 0), phase, message: { ...EMPTY_MESSAGE, text, reasoning } });

it('puts the system prompt first and the turns in order', () => {
  expect(toMessages('Be brief.', [user('1', 'Hi'), answer('2', 'Hello'), user('3', 'And?'), answer('4', '', 'sending')], '4')).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
    { role: 'user', content: 'And?' },
  ]);
});

it.each(['', ' ', '\n\t'])('sends no system message for %j', (prompt) => {
  expect(toMessages(prompt, [user('1', 'Hi')], 'x')).toEqual([{ role: 'user', content: 'Hi' }]);
});

it('sends what was typed as it was typed', () => {
  expect(toMessages('  Be\n', [user('1', '  Hi \n')], 'x')).toEqual([{ role: 'system', content: '  Be\n' }, { role: 'user', content: '  Hi \n' }]);
});

it('holds nothing of the answer that is asked for again, nor of what follows it', () => {
  const turns = [user('1', 'Hi'), answer('2', 'the old answer', 'failed'), user('3', 'later')];
  expect(toMessages('', turns, '2')).toEqual([{ role: 'user', content: 'Hi' }]);
});

it.each<AnswerPhase>(['stopped', 'failed', 'interrupted'])('counts a %s answer with the text it has', (phase) => {
  expect(toMessages('', [answer('1', 'Half an', phase)], 'x')).toEqual([{ role: 'assistant', content: 'Half an' }]);
});

it('leaves out answers without text, and all reasoning', () => {
  expect(toMessages('', [answer('1', '', 'failed'), answer('2', '', 'done', 'secret'), answer('3', 'Text', 'done', 'secret')], 'x')).toEqual([{ role: 'assistant', content: 'Text' }]);
});

it('leaves out a message that failed without a word, so that it cannot make later ones fail', () => {
  const turns = [user('1', 'Hi'), answer('2', 'Hello'), user('3', 'far too long'), answer('4', '', 'failed'), user('5', 'short'), answer('6', '', 'sending')];
  expect(toMessages('', turns, '6')).toEqual([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
    { role: 'user', content: 'short' },
  ]);
  expect(toMessages('', turns, '4')).toEqual([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Hello' },
    { role: 'user', content: 'far too long' },
  ]);
});
