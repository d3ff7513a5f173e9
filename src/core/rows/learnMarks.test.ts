import { describe, expect, it } from 'vitest';
import type { RowMessage } from './chatRow.ts';
import { findForbidden, isForbidden } from './learnMarks.ts';
import { toChatRow, type RowRead } from './readRow.ts';

const read = (answer: object, role = 'assistant'): RowRead => {
  const messages = [
    { role: 'user', content: 'Hi' },
    { role, content: 'Hello there', ...answer },
  ];
  return toChatRow({ number: 1, text: JSON.stringify({ messages }) }, 'chat');
};

function answerOf(marks: object): RowMessage | undefined {
  const result = read(marks);
  if (!result.ok) throw new Error(result.problem.message);
  return result.row.messages[1];
}

const plain = { role: 'assistant', content: 'Hello there' };
const forbidden = { ...plain, weight: 0 };
const details = [
  { begin_offset: 0, end_offset: 4, train: false },
  { begin_offset: 5, end_offset: 10, train: true },
];

describe('marks of an answer', () => {
  it.each([
    [{ weight: 0 }, forbidden],
    [{ weight: 1 }, plain],
    [{ train: false }, forbidden],
    [{ training: false }, forbidden],
    [{ loss: false }, forbidden],
    [{ loss_scale: 0 }, forbidden],
    [{ train: true, loss: 1, weight: null }, plain],
    [
      { weight: 1, train: false },
      { ...forbidden, marks_disagree: true },
    ],
    [
      { weight: 0, train: true, train_detail: details },
      { ...forbidden, marks_disagree: true },
    ],
    [{ train_detail: details }, { ...plain, train_detail: details }],
    [{ train_detail: [] }, forbidden],
    [{ train_detail: [], train: true }, plain],
  ])('%j are read as they forbid it', (marks, message) => {
    expect(answerOf(marks)).toEqual(message);
  });

  it('are the same in the normal form, which is read again without a change', () => {
    for (const marks of [{ weight: 0 }, { weight: 0, marks_disagree: true }, { train_detail: details }])
      expect(read(marks)).toMatchObject({ isSame: true, leftOut: [], row: { messages: [{}, { ...plain, ...marks }] } });
    expect(read({ weight: 1 })).toMatchObject({ isSame: false, leftOut: [] });
    expect(read({ train: false })).toMatchObject({ isSame: false, leftOut: [] });
  });

  it.each([
    [{ weight: 0.5 }, 'The "weight" of a message is 0.5. An answer is learnt whole or not at all: write 1 or 0.'],
    [{ loss_scale: 2 }, 'The "loss_scale" of a message is 2. An answer is learnt whole or not at all: write 1 or 0.'],
    [{ train: 'no' }, 'The "train" of a message is "no"; it must be 1, 0, true or false.'],
    [{ train_detail: {} }, 'A "train_detail" must be a list of {"begin_offset", "end_offset", "train"}.'],
    [
      { train_detail: [{ begin_offset: 0 }] },
      'A "train_detail" must be a list of {"begin_offset", "end_offset", "train"}.',
    ],
    [
      { content: [{ type: 'text', text: 'a', train: false }] },
      'A part of the message has a "train". Say by "train_detail" of the message what is learnt.',
    ],
  ])('%j are refused', (marks, message) => {
    expect(read(marks)).toMatchObject({ ok: false, problem: { message } });
  });
});

describe('marks of a message that is no answer', () => {
  it('are nothing where they forbid it, and left out where they ask for it', () => {
    expect(read({ weight: 0, loss: false }, 'user')).toMatchObject({ ok: true, leftOut: [] });
    expect(read({ train: true, train_detail: details }, 'user')).toMatchObject({
      leftOut: ['messages[].train', 'messages[].train_detail'],
      row: { messages: [{}, { role: 'user', content: 'Hello there' }] },
    });
  });
});

describe('thoughts', () => {
  it('of an answer are kept under their names; those of another message are left out', () => {
    const thoughts = { reasoning_content: 'because', thinking: 'so' };
    expect(read(thoughts)).toMatchObject({ isSame: true, row: { messages: [{}, thoughts] } });
    expect(read(thoughts, 'user')).toMatchObject({
      leftOut: ['messages[].reasoning_content', 'messages[].thinking'],
    });
  });
});

describe('parts of an answer', () => {
  const message: RowMessage = {
    role: 'assistant',
    content: ' 👋 there',
    train_detail: [{ ...details[1]!, begin_offset: 3 }],
  };

  it('count characters, and thoughts before the text and what is in no part are forbidden', () => {
    const shown = '<think></think>👋 there<|im_end|>';
    const spans = findForbidden(shown, message);
    const learnt = [...shown.matchAll(/./gsu)].filter(
      ({ index, 0: mark }) => !isForbidden(spans, index, index + mark.length),
    );
    expect(learnt.map(([mark]) => mark).join('')).toBe('there<|im_end|>');
  });

  it('that overlap with one that forbids are forbidden', () => {
    const both = {
      ...message,
      content: 'abcd',
      train_detail: [
        { begin_offset: 0, end_offset: 3, train: true },
        { begin_offset: 1, end_offset: 1, train: false },
      ],
    };
    expect(findForbidden('abcd', both)).toEqual([{ from: 1, to: 2 }]);
    expect(findForbidden('abcd', { role: 'assistant', content: 'abcd' })).toEqual([]);
  });

  it('forbid a token that has one of their characters, also half of it', () => {
    const spans = [{ from: 2, to: 4 }];
    expect(
      [
        [0, 2],
        [1, 3],
        [2, 2],
        [3, 5],
        [4, 4],
      ].map(([from = 0, to = 0]) => isForbidden(spans, from, to)),
    ).toEqual([false, true, true, true, false]);
  });
});
