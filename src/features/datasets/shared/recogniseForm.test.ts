import { describe, expect, it } from 'vitest';
import { isObject } from '#core/contract/readJson.ts';
import { toChatRow } from '#core/rows/readRow.ts';
import { guessMapping, recogniseForm } from './recogniseForm.ts';

const lines = (...values: unknown[]): string[] => values.map((value) => JSON.stringify(value));

describe('recogniseForm', () => {
  it.each([
    ['chat', { messages: [{ role: 'user', content: 'a' }], id: 1 }],
    ['sharegpt', { conversations: [{ from: 'human', value: 'a' }] }],
    ['alpaca', { instruction: 'a', input: '', output: 'b' }],
    ['prompt-completion', { prompt: 'a', completion: 'b' }],
    [
      'prompt-completion',
      { prompt: [{ role: 'user', content: 'a' }], completion: [{ role: 'assistant', content: 'b' }] },
    ],
  ])('recognises %s', (form, value) => {
    expect(recogniseForm(lines(value, value))).toMatchObject({ form, mapping: null, objects: 2, matching: 2 });
  });

  it('takes the form of most rows, and looks over lines that are no objects', () => {
    const chat = { messages: [{ role: 'user', content: 'a' }] };
    expect(recogniseForm(['{broken', '[]', ...lines(chat, chat, { text: 'x' })])).toMatchObject({
      form: 'chat',
      objects: 3,
      matching: 2,
    });
    expect(recogniseForm(lines(chat, { a: 1 }, { a: 2 }))).toMatchObject({ form: null });
    expect(recogniseForm([])).toEqual({ form: null, mapping: null, columns: [], objects: 0, matching: 0, forms: [] });
  });

  it('counts the forms of mixed rows, also where none has half of them', () => {
    const chat = { messages: [{ role: 'user', content: 'a' }] };
    const alpaca = { instruction: 'a', input: '', output: 'b' };
    const pair = { prompt: 'a', completion: 'b' };
    expect(recogniseForm(lines(chat, chat, alpaca, pair, pair, pair, { x: 1 }))).toMatchObject({
      form: 'prompt-completion',
      matching: 3,
      forms: [
        { form: 'prompt-completion', count: 3 },
        { form: 'chat', count: 2 },
        { form: 'alpaca', count: 1 },
      ],
    });
  });

  it('describes the columns', () => {
    const { columns } = recogniseForm(lines({ q: '', n: 5, l: [1, 2], o: { a: 1 } }, { q: 'text', later: null }));
    expect(columns).toEqual([
      { name: 'q', kind: 'text', filled: 1, example: 'text' },
      { name: 'n', kind: 'other', filled: 1, example: '5' },
      { name: 'l', kind: 'list', filled: 1, example: '2 entries' },
      { name: 'o', kind: 'object', filled: 1, example: 'a' },
      { name: 'later', kind: 'other', filled: 0, example: '' },
    ]);
  });

  it.each([
    [
      'chat',
      [
        {
          messages: [
            { role: 'customer', content: 'a' },
            { role: 'agent_bot', content: 'b' },
          ],
          tools: [],
        },
        { messages: [{ role: 'user', content: 'a' }], system: 's' },
      ],
      {
        kind: 'list',
        messages: 'messages',
        role: 'role',
        content: 'content',
        tools: 'tools',
        system: 'system',
        roles: { customer: 'user', agent_bot: 'assistant' },
      },
    ],
    [
      'sharegpt',
      [
        {
          conversations: [
            { from: 'Anna', value: 'a' },
            { from: 'Otto', value: 'b' },
            { from: 'search_tool', value: 'c' },
          ],
        },
      ],
      {
        kind: 'list',
        messages: 'conversations',
        role: 'from',
        content: 'value',
        roles: { Anna: 'user', Otto: 'assistant', search_tool: 'tool' },
      },
    ],
  ] as const)('maps names of roles in %s that are not known', (form, rows, mapping) => {
    const guess = recogniseForm(lines(...rows));
    expect(guess).toMatchObject({ form, mapping });
    expect(toChatRow({ number: 1, text: JSON.stringify(rows[0]) }, guess.mapping ?? form)).toMatchObject({ ok: true });
  });

  it('maps no roles where the field holds no names of them', () => {
    const messages = Array.from({ length: 30 }, (_, at) => ({ role: `r${at}`, content: 'a' }));
    expect(recogniseForm(lines({ messages }))).toMatchObject({ form: 'chat', mapping: null });
  });

  it('bounds the columns of hostile rows', () => {
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`c${at}`, at]));
    expect(recogniseForm(lines(wide)).columns).toHaveLength(200);
  });
});

describe('guessMapping', () => {
  const guess = (...values: unknown[]): unknown => guessMapping(values.filter(isObject));

  it.each([
    [
      { id: 1, question: 'q', answer: 'a' },
      { kind: 'pair', question: ['question'], answer: 'answer' },
    ],
    [
      { text: 't', label: 'x' },
      { kind: 'pair', question: ['text'], answer: 'label' },
    ],
    [
      { context: 'c', question: 'q', response: 'r' },
      { kind: 'pair', question: ['question', 'context'], answer: 'response' },
    ],
    [
      { system_prompt: 's', Prompt: 'p', chosen: 'c' },
      { kind: 'pair', question: ['Prompt'], answer: 'chosen', system: 'system_prompt' },
    ],
    [
      { subject: 's', category: 'c' },
      { kind: 'pair', question: ['subject'], answer: 'category' },
    ],
  ])('of %j', (value, mapping) => {
    expect(guess(value, value)).toEqual(mapping);
  });

  it('finds a list of messages by its roles', () => {
    const turns = [
      { id: 'x1', speaker: 'user', utterance: 'A longer text of a person' },
      { id: 'x2', speaker: 'assistant', utterance: 'Another longer text' },
    ];
    expect(guess({ dialog: turns, tools: [{ name: 't' }] })).toEqual({
      kind: 'list',
      messages: 'dialog',
      role: 'speaker',
      content: 'utterance',
      tools: 'tools',
    });
  });

  it('guesses what roles mean by their names, and looks for none in tools', () => {
    const turns = [
      { who: 'Visitor', said: 'Where is it?' },
      { who: 'Support Team', said: 'There.' },
    ];
    expect(guess({ tools: [{ name: 'search_api', description: 'A long text' }], dialog: turns })).toEqual({
      kind: 'list',
      messages: 'dialog',
      role: 'who',
      content: 'said',
      tools: 'tools',
      roles: { Visitor: 'user', 'Support Team': 'assistant' },
    });
  });

  it('guesses nothing where nothing fits', () => {
    expect(guess({ a: 'x' })).toBeNull();
    expect(guess({ a: 'x', b: 'y', c: 'z' })).toBeNull();
    expect(guess()).toBeNull();
  });

  it('gives mappings that read the rows they were guessed from', () => {
    const value = { question: 'q', answer: 'a' };
    const mapping = guessMapping([value]);
    const read = mapping && toChatRow({ number: 1, text: JSON.stringify(value) }, mapping);
    expect(read).toMatchObject({ ok: true, row: { messages: [{ content: 'q' }, { content: 'a' }] } });
  });
});
