import { describe, expect, it } from 'vitest';
import {
  EMPTY_DESK,
  toAnswerTurn,
  toPane,
  toPendingAnswer,
  toWrittenAnswer,
  type Answer,
  type Desk,
  type Turn,
} from '#features/playground/web/desk/desk.ts';
import { toRowOutline, toTrainingFile, toTrainingLine } from './trainingLine.ts';
import { parseTrainingRow } from './trainingRows.ts';

const user = (id: string, content: string): Turn => ({ id, role: 'user', content });
const said = (id: string, text: string, more: Partial<Answer> = {}): Turn =>
  toAnswerTurn(id, [{ ...toWrittenAnswer(`${id}v`, text, 1), isEdited: false, ...more }]);
const called = (id: string): Turn => {
  const answer = toWrittenAnswer(`${id}v`, '', 1);
  return toAnswerTurn(id, [
    { ...answer, message: { ...answer.message, toolCalls: [{ id: 'c', name: 'find', arguments: '{"a":1}' }] } },
  ]);
};

const ended = (id: string, finish_reason: string, more: Partial<Answer> = {}): Turn => {
  const answer = toWrittenAnswer(`${id}v`, 'Hel', 1);
  return toAnswerTurn(id, [
    { ...answer, model: 'm', isEdited: false, message: { ...answer.message, finish_reason }, ...more },
  ]);
};

function lineOf(turns: readonly Turn[], turnId: string, more: Partial<Desk> = {}): unknown {
  const desk: Desk = { ...EMPTY_DESK, panes: [{ ...toPane('p', 'm'), turns }], ...more };
  const read = toTrainingLine(desk, desk.panes[0]!, turnId);
  return read.ok ? JSON.parse(read.value) : read.reason;
}

describe('an example', () => {
  it('holds what was sent up to the answer, and the answer', () => {
    expect(
      lineOf([user('1', 'Hi'), said('2', 'Hello'), user('3', 'More')], '2', {
        shared: { systemPrompt: 'Speak {{l}}.' },
        values: { l: 'French' },
      }),
    ).toEqual({
      messages: [
        { role: 'system', content: 'Speak French.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
      ],
    });
  });

  it('holds calls and their results', () => {
    const turns = [
      user('1', 'Hi'),
      called('2'),
      { id: '3', role: 'tool', tool_call_id: 'c', name: 'find', content: 'found' } as const,
      said('4', 'There.'),
    ];
    const calls = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'find', arguments: '{"a":1}' } }],
    };
    expect(lineOf(turns, '4')).toEqual({
      messages: [
        { role: 'user', content: 'Hi' },
        calls,
        { role: 'tool', content: 'found', tool_call_id: 'c', name: 'find' },
        { role: 'assistant', content: 'There.' },
      ],
    });
    expect(lineOf(turns, '2')).toEqual({ messages: [{ role: 'user', content: 'Hi' }, calls] });
  });

  it('holds the tools of the request, as they are sent', () => {
    const tool = {
      type: 'function',
      function: { name: 'find', description: 'Finds.', parameters: { type: 'object' } },
    };
    const turns = [user('1', 'Hi'), called('2')];
    const line = lineOf(turns, '2', { shared: { tools: JSON.stringify([tool]), tool_choice: 'auto' } });
    expect(line).toMatchObject({
      messages: [{ role: 'user' }, { role: 'assistant', tool_calls: [{ id: 'c' }] }],
      tools: [tool],
    });
    expect(Object.keys(line as object)).toEqual(['messages', 'tools']);
    expect(lineOf(turns, '2', { shared: { tools: '[]' } })).not.toHaveProperty('tools');
    expect(lineOf(turns, '2', { shared: { tools: '[' } })).toBe('Tools: not valid JSON at line 1.');
  });

  it('is made of what a person has written in place of a cut answer, and of an answer that ended as it should', () => {
    for (const turn of [ended('2', 'length', { isEdited: true }), ended('2', 'stop'), ended('2', 'tool_calls')])
      expect(lineOf([user('1', 'Hi'), turn], '2')).toHaveProperty('messages');
  });

  it('has messages that are sent as one in one', () => {
    const turns = [
      { ...user('1', 'Hi'), joinsNext: true } as Turn,
      said('2', '', { phase: 'stopped' }),
      user('3', 'And?'),
      said('4', 'There.'),
    ];
    expect(lineOf(turns, '4')).toEqual({
      messages: [
        { role: 'user', content: 'Hi\n\nAnd?' },
        { role: 'assistant', content: 'There.' },
      ],
    });
  });

  it.each<[string, readonly Turn[], string, string]>([
    ['a message', [user('1', 'Hi')], '1', 'An example must end with an answer.'],
    ['an answer that is gone', [], 'x', 'An example must end with an answer.'],
    [
      'an answer on its way',
      [user('1', 'Hi'), toAnswerTurn('2', [toPendingAnswer('a', 'm', 1)])],
      '2',
      'The answer is still on its way.',
    ],
    ['an empty answer', [user('1', 'Hi'), said('2', '')], '2', 'The answer is empty.'],
    ['an answer to nothing', [said('2', 'Hello')], '2', 'There is no user message before the answer.'],
    [
      'a stopped answer',
      [user('1', 'Hi'), said('2', 'Hel', { phase: 'stopped' })],
      '2',
      'The answer was stopped before it was complete. Regenerate it, or edit it to what it should have been.',
    ],
    [
      'a failed answer',
      [user('1', 'Hi'), said('2', 'Hel', { phase: 'failed' })],
      '2',
      'The answer failed before it was complete. Regenerate it, or edit it to what it should have been.',
    ],
    [
      'an interrupted answer',
      [user('1', 'Hi'), said('2', 'Hel', { phase: 'interrupted' })],
      '2',
      'The answer was cut off before it was complete. Regenerate it, or edit it to what it should have been.',
    ],
    [
      'an answer that was cut',
      [user('1', 'Hi'), ended('2', 'length')],
      '2',
      'The answer was cut off at its limit of tokens. Raise Max tokens and regenerate it, or edit it to what it ' +
        'should have been.',
    ],
    [
      'an answer that was filtered',
      [user('1', 'Hi'), ended('2', 'content_filter')],
      '2',
      "The answer was cut off by the service's content filter. Regenerate it, or edit it to what it should have been.",
    ],
    [
      'what stands behind a cut answer',
      [user('1', 'Hi'), ended('2', 'length'), user('3', 'And?'), said('4', 'There.')],
      '4',
      'An earlier answer was cut off at its limit of tokens. Raise Max tokens and regenerate it, or edit it to ' +
        'what it should have been.',
    ],
    [
      'what stands behind an answer on its way',
      [user('1', 'Hi'), said('2', 'Hel', { phase: 'streaming' }), user('3', 'And?'), said('4', 'There.')],
      '4',
      'An earlier answer is still on its way.',
    ],
    [
      'two messages in a row',
      [user('1', 'Hi'), said('2', '', { phase: 'stopped' }), user('3', 'And?'), said('4', 'There.')],
      '4',
      'Two messages of a user follow each other, with no answer between them. Delete one, or put both into one.',
    ],
    [
      'an unanswered call',
      [user('1', 'Hi'), called('2'), user('3', 'And?'), said('4', 'There.')],
      '4',
      'Answer call find first or delete it.',
    ],
  ])('is not made of %s', (_what, turns, id, reason) => expect(lineOf(turns, id)).toBe(reason));

  it('is one line, whatever the text', () => {
    const desk: Desk = {
      ...EMPTY_DESK,
      panes: [{ ...toPane('p', 'm'), turns: [user('1', 'a\nb\u2028c\r'), said('2', '\u2029\n')] }],
    };
    const read = toTrainingLine(desk, desk.panes[0]!, '2');
    expect(read.ok && /[\n\r\u2028\u2029]/.test(read.value)).toBe(false);
    expect(read.ok && JSON.parse(read.value)).toMatchObject({
      messages: [{ content: 'a\nb\u2028c\r' }, { content: '\u2029\n' }],
    });
  });
});

it('makes a file of a line each', () => expect(toTrainingFile([{ line: '{}' }, { line: '[]' }])).toBe('{}\n[]\n'));

it('is outlined by its last question and its answer', () => {
  const line = JSON.stringify({
    messages: [
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'x' },
      { role: 'user', content: 'Two' },
      { role: 'assistant', content: null, tool_calls: [{ function: { name: 'find' } }] },
    ],
  });
  expect(toRowOutline(line)).toEqual({ count: 4, asked: 'Two', answered: 'calls find' });
  expect([toRowOutline('{'), toRowOutline('7')]).toEqual([
    { count: 0, asked: '', answered: '{' },
    { count: 0, asked: '', answered: '' },
  ]);
});

it('is not read where it is damaged', () => {
  expect([
    parseTrainingRow(null),
    parseTrainingRow({ id: 1, line: '' }),
    parseTrainingRow({ id: 'a', line: '{}', addedAt: 'x' }),
  ]).toEqual([null, null, { id: 'a', line: '{}', addedAt: 0 }]);
});
