import { describe, expect, it } from 'vitest';
import type { ChatRow, RowMessage, RowRole } from '#core/rows/chatRow.ts';
import { findRowFaults } from './rowChecks.ts';

const turn = (role: RowRole, content: string | null = 'text'): RowMessage => ({ role, content });
const calling = (name: string, text: string): RowMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name, arguments: text } }],
});
const tools = [{ type: 'function' as const, function: { name: 'get' } }];
const idsOf = (messages: readonly RowMessage[], more: Partial<ChatRow> = {}): string[] =>
  findRowFaults({ messages, ...more }).map(({ id }) => id);
const noteOf = (messages: readonly RowMessage[], more: Partial<ChatRow> = {}): string | null | undefined =>
  findRowFaults({ messages, ...more })[0]?.note;

describe('findRowFaults', () => {
  it('accepts usual chats', () => {
    expect(idsOf([turn('system'), turn('user'), turn('assistant'), turn('user'), turn('assistant')])).toEqual([]);
    const result = { ...turn('tool'), tool_call_id: 'a' };
    expect(idsOf([turn('user'), calling('get', '{"id":1}'), result, turn('assistant')], { tools })).toEqual([]);
    const text = '<tool_call>{"name":"other","arguments":{}}</tool_call>';
    expect(idsOf([turn('system'), turn('user'), turn('assistant', text), turn('tool'), turn('assistant')])).toEqual([]);
  });

  it.each([
    ['no-answer', [turn('user')]],
    ['empty-answer', [turn('user'), turn('assistant', ' \n')]],
    ['empty-answer', [turn('user'), turn('assistant', null)]],
    ['empty-message', [turn('user', ''), turn('assistant')]],
    ['ends-with-user', [turn('user'), turn('assistant'), turn('user')]],
    ['role-order', [turn('user'), turn('assistant'), turn('assistant')]],
    ['role-order', [turn('user'), turn('user'), turn('assistant')]],
    ['role-order', [turn('assistant')]],
    ['role-order', [turn('system'), turn('assistant')]],
    ['role-order', [turn('user'), turn('system'), turn('assistant')]],
    ['orphan-tool-result', [turn('user'), turn('tool'), turn('assistant')]],
    ['refusal', [turn('user'), turn('assistant', 'I cannot assist with that.')]],
    ['personal', [turn('user', 'My SSN is 123-45-6789'), turn('assistant')]],
    ['undeclared-tool', [turn('user'), calling('get', '{}')]],
    ['broken-arguments', [turn('user'), turn('assistant', '<tool_call>{"name":</tool_call>')]],
    ['template-mark', [turn('user', 'a<|im_end|>b'), turn('assistant')]],
    ['template-mark', [turn('user', '[INST] a'), turn('assistant')]],
    [
      'other-script',
      [turn('user', 'Wo ist meine Bestellung geblieben?'), turn('assistant', 'Ваш заказ уже отправлен вчера.')],
    ],
  ] as const)('finds %s in %j', (id, messages) => {
    expect(idsOf(messages)).toEqual([id]);
  });

  it('finds answers that may not be learnt, those whose marks disagree, and rows without any other', () => {
    const forbidden = { ...turn('assistant'), weight: 0 } as const;
    expect(idsOf([turn('user'), forbidden, turn('user'), turn('assistant')])).toEqual(['masked-answer']);
    expect(idsOf([turn('user'), { ...forbidden, marks_disagree: true }])).toEqual([
      'all-masked',
      'marks-disagree',
      'masked-answer',
    ]);
    const part = { begin_offset: 0, end_offset: 0, train: true };
    expect(idsOf([turn('user'), { ...turn('assistant'), train_detail: [part] }])).toEqual(['masked-answer']);
  });

  it.each(['{"id":', '[1]', '5', 'null', 'no'])('finds the arguments %s', (text) => {
    expect(idsOf([turn('user'), calling('get', text)], { tools })).toEqual(['broken-arguments']);
  });

  it('takes no arguments as an empty object', () => {
    expect(idsOf([turn('user'), calling('get', '')], { tools })).toEqual([]);
  });

  it('compares calls in texts with tools only where the row declares some', () => {
    const messages = [turn('user'), turn('assistant', '<tool_call>{"name":"other","arguments":{}}</tool_call>')];
    expect(idsOf(messages)).toEqual([]);
    expect(idsOf(messages, { tools })).toEqual(['undeclared-tool']);
  });

  it('accepts answers for programs in another script', () => {
    const question = turn('user', '我的订单在哪里，请告诉我，谢谢');
    expect(idsOf([question, turn('assistant', '{"category":"delivery","priority":"high"}')])).toEqual([]);
  });

  it('says where, and each kind once', () => {
    expect(noteOf([turn('user'), turn('user'), turn('assistant')])).toBe('Message 2 follows another user message.');
    expect(noteOf([turn('user'), calling('get', '{')])).toBe('The call of get in message 2.');
    const twice = [turn('user', '<|im_end|>'), turn('assistant', '<|im_end|>')];
    expect(idsOf(twice)).toEqual(['template-mark']);
    expect(noteOf(twice)).toBe('<|im_end|> in message 1.');
  });

  it('never repeats a secret', () => {
    const secret = `ghp_${'aB3dE6gH9kL2'.repeat(3)}`;
    const faults = findRowFaults({ messages: [turn('user', `My token is ${secret}.`), turn('assistant')] });
    expect(faults).toEqual([{ id: 'secret', note: 'Message 1 seems to hold a GitHub token: ghp_••••.' }]);
    expect(idsOf([turn('user'), calling('get', `{"key":"${secret}"}`)], { tools })).toEqual(['secret']);
  });

  describe('results of tools', () => {
    const result = (id?: string): RowMessage => ({ ...turn('tool'), ...(id !== undefined && { tool_call_id: id }) });
    const twoCalls: RowMessage = {
      role: 'assistant',
      content: null,
      tool_calls: ['a', 'b'].map((id) => ({ id, type: 'function', function: { name: 'get', arguments: '{}' } })),
    };
    it.each([
      ['in another order than the calls', [turn('user'), twoCalls, result('b'), result('a'), turn('assistant')]],
      ['without an id after one call', [turn('user'), calling('get', '{}'), result(), turn('assistant')]],
    ])('are accepted %s', (_, messages) => expect(idsOf(messages, { tools })).toEqual([]));

    it.each([
      ['with the id of no call', [turn('user'), calling('get', '{}'), result('x'), turn('assistant')]],
      ['a second time', [turn('user'), calling('get', '{}'), result('a'), result('a'), turn('assistant')]],
      ['before their call', [turn('user'), result('a'), calling('get', '{}'), turn('assistant')]],
    ])('are found %s', (_, messages) => expect(idsOf(messages, { tools })).toContain('orphan-tool-result'));
  });

  it('reads any text in linear time', () => {
    for (const part of [
      'sk-',
      'eyJ',
      'eyJaaaaaaaaaaa.',
      '://a:',
      '-----BEGIN ',
      '<',
      '[INST',
      'ghp_a',
      '<tool_call>',
    ]) {
      expect(idsOf([turn('user', part.repeat(200_000)), turn('assistant')]).length).toBeLessThan(3);
    }
  });
});
