import { describe, expect, it } from 'vitest';
import type { PromptRow } from '../evaluation/promptRow';
import type { GridColumn } from './gridBook';
import { toCellRequest } from './gridRequest';

const COLUMN: GridColumn = { id: 'c', label: 'c', request: { model: 'm', messages: [{ role: 'system', content: 'Be {{tone}}.' }], temperature: 0, stream: true } };
const row = (more: Partial<PromptRow>): PromptRow => ({ number: 4, messages: null, variables: new Map([['tone', 'kind']]), expected: null, ...more });
const messagesOf = (made: ReturnType<typeof toCellRequest>) => (made.ok ? made.request.messages : made.message);

describe('a row of variables', () => {
  it('fills the system prompt and the prompt', () => {
    expect(toCellRequest(COLUMN, row({ variables: new Map([['tone', 'kind'], ['q', '{{tone}}?']]) }), 'Say {{q}}')).toEqual({
      ok: true,
      request: { model: 'm', temperature: 0, stream: true, messages: [{ role: 'system', content: 'Be kind.' }, { role: 'user', content: 'Say {{tone}}?' }] },
    });
  });

  it('names what is missing, by row', () => {
    expect(messagesOf(toCellRequest(COLUMN, row({ variables: new Map() }), '{{q}}'))).toBe('Row 4 has no value for {{tone}}, {{q}}. Add the column, or take the variable out of the prompt.');
  });

  it('refuses an empty prompt', () => expect(toCellRequest(COLUMN, row({}), '  ').ok).toBe(false));
});

describe('a chat row', () => {
  const messages = [{ role: 'user', content: '{{not_mine}}' }] as const;
  it('is data: nothing is filled in it', () => {
    expect(messagesOf(toCellRequest(COLUMN, row({ messages }), ''))).toEqual([{ role: 'system', content: 'Be kind.' }, ...messages]);
  });

  it('sends calls and results as they were, with the tools of the column', () => {
    const tools = [{ type: 'function' as const, function: { name: 'f' } }];
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } } as const;
    const chat = [...messages, { role: 'assistant', content: '', tool_calls: [call] }, { role: 'tool', content: '7', tool_call_id: 'c1' }] as const;
    const made = toCellRequest({ ...COLUMN, request: { ...COLUMN.request, messages: [], tools } }, row({ messages: chat }), '');
    expect(made).toEqual({ ok: true, request: { model: 'm', temperature: 0, stream: true, tools, messages: [messages[0], { role: 'assistant', content: null, tool_calls: [call] }, chat[2]] } });
  });

  it('keeps its own system message', () => {
    const own = [{ role: 'system', content: 'Mine' }, ...messages] as const;
    expect(messagesOf(toCellRequest(COLUMN, row({ messages: own, variables: new Map() }), ''))).toEqual(own);
  });
});
