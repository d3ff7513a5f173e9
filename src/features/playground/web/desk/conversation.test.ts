import { describe, expect, it } from 'vitest';
import { EMPTY_MESSAGE, type AssistantMessage } from '#core/stream/message.ts';
import {
  findDoubledEnd,
  findTurnProblem,
  hasDoubled,
  isStartAlone,
  openCalls,
  readyCalls,
  toMessages as toMessagesOf,
  toSentTurns,
  turnsBefore,
} from './conversation.ts';
import { toAnswerTurn, toPendingAnswer, type Answer, type AnswerPhase, type Turn } from './desk.ts';

const user = (id: string, content: string): Turn => ({ id, role: 'user', content });
const tool = (id: string, tool_call_id: string, name = ''): Turn => ({
  id,
  role: 'tool',
  tool_call_id,
  name,
  content: '4',
});
const version = (id: string, phase: AnswerPhase, message: Partial<AssistantMessage>): Answer => ({
  ...toPendingAnswer(id, 'm', 0),
  phase,
  message: { ...EMPTY_MESSAGE, ...message },
});
const answer = (id: string, text: string, phase: AnswerPhase = 'done', reasoning = ''): Turn =>
  toAnswerTurn(id, [version(id, phase, { text, reasoning })]);
const calling = (
  id: string,
  calls: readonly string[],
  state: AssistantMessage['state'] = 'complete',
  text = '',
): Turn =>
  toAnswerTurn(id, [
    version(id, 'done', {
      text,
      state,
      toolCalls: calls.map((call) => ({ id: call, name: `get_${call}`, arguments: '{}' })),
    }),
  ]);
const toMessages = (prompt: string, turns: readonly Turn[], untilId: string) =>
  toMessagesOf(prompt, turnsBefore(turns, untilId));

it('puts the system prompt first and the turns in order', () => {
  expect(
    toMessages(
      'Be brief.',
      [user('1', 'Hi'), answer('2', 'Hello'), user('3', 'And?'), answer('4', '', 'sending')],
      '4',
    ),
  ).toEqual([
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
  expect(toMessages('  Be\n', [user('1', '  Hi \n')], 'x')).toEqual([
    { role: 'system', content: '  Be\n' },
    { role: 'user', content: '  Hi \n' },
  ]);
});

it('holds nothing of the answer that is asked for again, nor of what follows it', () => {
  const turns = [user('1', 'Hi'), answer('2', 'the old answer', 'failed'), user('3', 'later')];
  expect(toMessages('', turns, '2')).toEqual([{ role: 'user', content: 'Hi' }]);
});

it.each<AnswerPhase>(['stopped', 'failed', 'interrupted'])('counts a %s answer with the text it has', (phase) => {
  expect(toMessages('', [answer('1', 'Half an', phase)], 'x')).toEqual([{ role: 'assistant', content: 'Half an' }]);
});

it('leaves out answers without text, and all reasoning', () => {
  expect(
    toMessages(
      '',
      [answer('1', '', 'failed'), answer('2', '', 'done', 'secret'), answer('3', 'Text', 'done', 'secret')],
      'x',
    ),
  ).toEqual([{ role: 'assistant', content: 'Text' }]);
});

it('leaves out a message that failed without a word, so that it cannot make later ones fail', () => {
  const turns = [
    user('1', 'Hi'),
    answer('2', 'Hello'),
    user('3', 'far too long'),
    answer('4', '', 'failed'),
    user('5', 'short'),
    answer('6', '', 'sending'),
  ];
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

it('takes the version that is shown', () => {
  const turn = toAnswerTurn('t', [version('a', 'done', { text: 'first' }), version('b', 'failed', {})]);
  expect(toMessagesOf('', [user('1', 'Hi'), { ...turn, shown: 0 }])).toEqual([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'first' },
  ]);
  expect(toMessagesOf('', [user('1', 'Hi'), turn])).toEqual([]);
});

describe('tool calls', () => {
  it('go with their answer, and results with the id of their call', () => {
    expect(
      toMessagesOf('', [
        calling('1', ['a', 'b'], 'complete', 'Let me see.'),
        tool('2', 'b', 'get_b'),
        tool('3', 'a'),
        calling('4', ['c']),
      ]),
    ).toEqual([
      {
        role: 'assistant',
        content: 'Let me see.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'get_a', arguments: '{}' } },
          { id: 'b', type: 'function', function: { name: 'get_b', arguments: '{}' } },
        ],
      },
      { role: 'tool', content: '4', tool_call_id: 'b', name: 'get_b' },
      { role: 'tool', content: '4', tool_call_id: 'a' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'get_c', arguments: '{}' } }],
      },
    ]);
  });

  it.each<AssistantMessage['state']>(['open', 'failed', 'interrupted'])(
    'that are half there (%s) are never sent, nor asked about',
    (state) => {
      const turns = [calling('1', ['a'], state, 'Half'), calling('2', ['b'], state)];
      expect(toMessagesOf('', turns)).toEqual([{ role: 'assistant', content: 'Half' }]);
      expect([
        findTurnProblem(turns),
        turns.map((turn) => turn.role === 'assistant' && readyCalls(turn.versions[0]!)),
      ]).toEqual([null, [[], []]]);
    },
  );

  it.each<[string, readonly Turn[], string | null]>([
    ['all answered', [calling('1', ['a', 'b']), tool('2', 'b'), tool('3', 'a'), user('4', 'x')], null],
    ['none answered', [calling('1', ['a', 'b'])], 'Answer calls get_a and get_b first or delete them.'],
    [
      'none of three answered',
      [calling('1', ['a', 'b', 'c'])],
      'Answer calls get_a, get_b and get_c first or delete them.',
    ],
    [
      'one answered',
      [calling('1', ['a', 'b']), tool('2', 'a'), user('3', 'x')],
      'Answer call get_b first or delete it.',
    ],
    [
      'answered too late',
      [calling('1', ['a']), user('2', 'x'), tool('3', 'a')],
      'Answer call get_a first or delete it.',
    ],
    [
      'a result without the id of a call',
      [calling('1', ['a']), tool('2', 'a'), tool('3', ' ')],
      'Give the tool message the id of the call that it answers, or delete it.',
    ],
    ['no calls at all', [user('1', 'x'), answer('2', 'y')], null],
  ])('keep a conversation from being sent: %s', (_what, turns, expected) =>
    expect(findTurnProblem(turns)).toBe(expected),
  );

  it('are open until a result follows', () => {
    const turns = [user('0', 'x'), calling('1', ['a', 'b']), tool('2', 'a')];
    expect([0, 1, 2, 9, -1].map((index) => openCalls(turns, index).map((call) => call.id))).toEqual([
      [],
      ['b'],
      [],
      [],
      [],
    ]);
  });
});

it('builds on what stands before a turn, or on all of it', () => {
  const turns = [user('1', 'a'), user('2', 'b')];
  expect(
    [turnsBefore(turns, '2'), turnsBefore(turns, '1'), turnsBefore(turns, null), turnsBefore(turns, 'x')].map(
      (each) => each.length,
    ),
  ).toEqual([1, 0, 2, 2]);
});

describe('messages of a user in a row', () => {
  const joined = (id: string, content: string): Turn => ({ id, role: 'user', content, joinsNext: true });

  it('stay two until a person joins them; then they are one, over any number of answers that say nothing', () => {
    const rest = [answer('2', '', 'stopped'), user('3', 'And?')];
    expect(toMessagesOf('', [user('1', 'Hi'), ...rest]).map(({ content }) => content)).toEqual(['Hi', 'And?']);
    expect(toMessagesOf('S', [joined('1', 'Hi'), ...rest])).toEqual([
      { role: 'system', content: 'S' },
      { role: 'user', content: 'Hi\n\nAnd?' },
    ]);
    expect(
      toMessagesOf('', [
        joined('1', 'a'),
        answer('2', '', 'stopped'),
        joined('3', 'b'),
        answer('4', '', 'done'),
        user('5', 'c'),
      ]),
    ).toEqual([{ role: 'user', content: 'a\n\nb\n\nc' }]);
  });

  it('are not joined over an answer, nor with what is not there', () => {
    expect(toMessagesOf('', [joined('1', 'Hi'), answer('2', 'Yes'), user('3', 'And?')])).toHaveLength(3);
    expect(toMessagesOf('', [joined('1', 'Hi')])).toEqual([{ role: 'user', content: 'Hi' }]);
  });

  it.each<[string, readonly Turn[], string | null, boolean]>([
    ['an answer between', [user('1', 'Hi'), answer('2', 'Yes'), user('3', 'And?')], null, false],
    ['an empty answer between', [user('1', 'Hi'), answer('2', '', 'done'), user('3', 'And?')], '1', true],
    ['a stopped one with a text', [user('1', 'Hi'), answer('2', 'Ye', 'stopped'), user('3', 'And?')], null, false],
    [
      'a failed one, which leaves its message out',
      [user('1', 'Hi'), answer('2', '', 'failed'), user('3', 'And?')],
      null,
      false,
    ],
    ['three in a row', [user('1', 'a'), user('2', 'b'), user('3', 'c')], '2', true],
    ['two that are joined', [joined('1', 'a'), user('2', 'b')], null, false],
    ['two before an answer', [user('1', 'a'), user('2', 'b'), answer('3', 'Yes')], null, true],
    ['a tool between', [user('1', 'a'), tool('2', 'c'), user('3', 'b')], null, false],
    ['nothing', [], null, false],
  ])('are found: %s', (_what, turns, atEnd, anywhere) => {
    expect(findDoubledEnd(turns)?.id ?? null).toBe(atEnd);
    expect(hasDoubled(turns)).toBe(anywhere);
  });
});

describe('messages that are sent alone', () => {
  const ids = (turns: readonly Turn[], isAlone = true): readonly string[] =>
    toSentTurns(turns, isAlone).map(({ id }) => id);
  const joined: Turn = { id: '3', role: 'user', content: 'And', joinsNext: true };

  it('go without what is above; otherwise everything goes', () => {
    const turns = [user('1', 'Hi'), answer('2', 'Hello'), user('3', 'And?')];
    expect(ids(turns)).toEqual(['3']);
    expect(ids(turns, false)).toEqual(['1', '2', '3']);
    expect(ids([])).toEqual([]);
    expect(ids([answer('1', 'Hello')])).toEqual(['1']);
  });

  it('take their own calls and results along', () => {
    expect(ids([user('1', 'Hi'), answer('2', 'Hello'), user('3', 'Sum'), calling('4', ['a']), tool('5', 'a')])).toEqual(
      ['3', '4', '5'],
    );
  });

  it('take along what a person joined to them', () => {
    const turns = [user('1', 'Hi'), answer('2', 'Hello'), joined, answer('4', '', 'stopped'), user('5', 'more')];
    expect(ids(turns)).toEqual(['3', '4', '5']);
    expect(turns.map((_, index) => isStartAlone(turns, index))).toEqual([false, false, true, false, false]);
  });

  it('begin at each message of a user but the first', () => {
    const turns = [user('1', 'Hi'), answer('2', 'Hello'), user('3', 'a'), user('4', 'b'), answer('5', 'c')];
    expect(turns.map((_, index) => isStartAlone(turns, index))).toEqual([false, false, true, true, false]);
  });
});
