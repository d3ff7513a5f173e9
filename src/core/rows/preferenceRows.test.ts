import { describe, expect, it } from 'vitest';
import type { RowForm } from './chatRow.ts';
import { toQuestionHash } from '#features/datasets/shared/contentHash.ts';
import { toAllMessages, toPreferred } from './preferenceRows.ts';
import { toChatRow, type RowRead } from './readRow.ts';
import { recogniseForm } from '#features/datasets/shared/recogniseForm.ts';

const read = (row: object, form: RowForm): RowRead => toChatRow({ number: 1, text: JSON.stringify(row) }, form);
const recognised = (row: object): RowForm | null => recogniseForm([JSON.stringify(row)]).form;

const user = { role: 'user', content: 'Hi' };
const good = { role: 'assistant', content: 'Hello' };
const bad = { role: 'assistant', content: 'No' };
const human = { from: 'human', value: 'Hi' };
const system = { role: 'system', content: 'Be kind.' };
const tool = { type: 'function', function: { name: 'find', parameters: {} } };
const PAIR = { messages: [user], chosen: [good], rejected: [bad] };

describe('a pair of answers', () => {
  it.each([
    [
      'OpenAI',
      { input: { messages: [user], tools: [tool] }, preferred_output: [good], non_preferred_output: [bad] },
      { ...PAIR, tools: [tool] },
    ],
    ['TRL, texts', { prompt: 'Hi', chosen: 'Hello', rejected: 'No' }, PAIR],
    ['TRL, messages', { prompt: [user], chosen: [good], rejected: [bad] }, PAIR],
    [
      'TRL, prompt within',
      { chosen: [system, user, good], rejected: [system, user, bad] },
      { ...PAIR, messages: [system, user] },
    ],
    ['prompt as text too', { prompt: 'Hi', chosen: [user, good], rejected: [user, bad], messages: [user, good] }, PAIR],
    ['Axolotl', { messages: [user], chosen: good, rejected: bad }, PAIR],
    [
      'LLaMA-Factory, ShareGPT',
      {
        conversations: [human],
        system: 'Be kind.',
        chosen: { from: 'gpt', value: 'Hello' },
        rejected: { from: 'gpt', value: 'No' },
      },
      { ...PAIR, messages: [system, user] },
    ],
    [
      'LLaMA-Factory, Alpaca',
      { instruction: 'Say', input: 'Hi', chosen: 'Hello', rejected: 'No' },
      { ...PAIR, messages: [{ role: 'user', content: 'Say\nHi' }] },
    ],
    ['ms-swift, a text', { messages: [user, good], rejected_response: 'No' }, PAIR],
    ['ms-swift, messages', { messages: [user, good], rejected_messages: [user, bad] }, PAIR],
    ['lists as JSON text', { prompt: 'Hi', chosen: JSON.stringify([good]), rejected: JSON.stringify([bad]) }, PAIR],
  ])('is read in the form of %s', (_name, row, normal) => {
    expect(recognised(row)).toBe('preference');
    expect(read(row, 'preference')).toMatchObject({ ok: true, row: normal, leftOut: [] });
  });

  it('is the same in the normal form, and other fields are named', () => {
    const row = { messages: [user], tools: [tool], chosen: [good], rejected: [bad] };
    for (const form of ['chat', 'preference'] as const)
      expect(read(row, form)).toMatchObject({ isSame: true, leftOut: [], row, text: JSON.stringify(row) });
    expect(read({ ...row, score: 4 }, 'preference')).toMatchObject({ isSame: false, leftOut: ['score'] });
  });

  it.each([
    [{ chosen: 'Hello', rejected: 'No' }, 'The row has no prompt'],
    [{ chosen: [user, good], rejected: [system, bad] }, 'The two conversations have no prompt in common.'],
    [{ messages: [user], rejected_response: 'No' }, 'The messages have no answer that is preferred.'],
    [{ prompt: 'Hi', chosen: [{ role: 'bird', content: '' }], rejected: 'No' }, '"bird"'],
    [{ prompt: 5, chosen: 'Hello', rejected: 'No' }, 'The field "prompt" must be a text'],
  ])('%j is a bad line', (row, message) => {
    expect(read(row, 'preference')).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining(message) as string },
    });
  });
});

describe('an answer with a label', () => {
  const KTO = { messages: [user], completion: [good], label: true };
  it.each([
    ['TRL', { prompt: 'Hi', completion: 'Hello', label: true }, KTO],
    ['ms-swift', { messages: [user, good], label: true }, KTO],
    ['LLaMA-Factory', { conversations: [human, { from: 'gpt', value: 'Hello' }], kto_tag: true }, KTO],
    [
      'LLaMA-Factory, Alpaca',
      { instruction: 'Hi', input: '', output: 'Hello', kto_tag: false },
      { ...KTO, label: false },
    ],
  ])('is read in the form of %s', (_name, row, normal) => {
    expect(recognised(row)).toBe('kto');
    expect(read(row, 'kto')).toMatchObject({ ok: true, row: normal, leftOut: [] });
  });

  it('is the same in the normal form, and no label that is a text', () => {
    expect(read(KTO, 'chat')).toMatchObject({ isSame: true, row: KTO });
    expect(recognised({ messages: [user, good], label: 'spam' })).toBe('chat');
    expect(recognised({ prompt: 'Hi', completion: 'Hello', label: null })).toBe('prompt-completion');
  });
});

describe('the preferred answers alone', () => {
  it('are chats, and an answer that is not wanted is not learnt', () => {
    expect(read({ prompt: 'Hi', chosen: 'Hello', rejected: 'No' }, 'preferred')).toMatchObject({
      row: { messages: [user, good] },
    });
    expect(read({ prompt: 'Hi', completion: 'No', label: false }, 'preferred')).toMatchObject({
      row: { messages: [user, { ...bad, weight: 0 }] },
    });
    expect(read({ messages: [user] }, 'preferred')).toMatchObject({ ok: false });
  });
});

describe('what is read of a row', () => {
  const pair = { messages: [user, good, user], chosen: [good], rejected: [bad] } as never;
  it('are its messages with those of all answers, or with the preferred one', () => {
    expect(toAllMessages(pair)).toHaveLength(5);
    expect(toPreferred(pair)).toEqual({ messages: [user, good, user, good] });
  });

  it('asks all of its prompt', () => {
    const other = { ...(pair as object), messages: [user, bad, user] } as never;
    expect(toQuestionHash(pair)).not.toBe(toQuestionHash(other));
  });
});
