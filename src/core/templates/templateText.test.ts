// What each template gives was rendered by transformers 5.24 for the same messages.
import { describe, expect, it } from 'vitest';
import { openTemplateText, type TemplateMarks, type TemplateMessage } from './templateText.ts';

const MARKS: TemplateMarks = { bosText: '<s>', eosText: '</s>', padText: '<pad>', markTexts: ['<|im_start|>'] };
const call = (given: unknown): TemplateMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: given } }],
});

const render = (text: string, messages: readonly TemplateMessage[]): string =>
  openTemplateText({ text, marks: MARKS }, () => new Date(2026, 10, 28)).render(messages, [], false);

describe('messages reach a template as transformers passes them', () => {
  it.each<[string, string, TemplateMessage, string]>([
    ['a content of null is None', '{{ m.content }}{{ m.content is none }}', call({}), 'NoneTrue'],
    ['a content that is missing is undefined', '{{ m.content is defined }}', { role: 'user' }, 'False'],
    ['parts are a list', '{{ m.content[0].text }}', { role: 'user', content: [{ type: 'text', text: 'a' }] }, 'a'],
    [
      'thoughts are fields',
      '{{ m.reasoning_content }}{{ m.thinking }}',
      { role: 'assistant', content: 'a', reasoning_content: 'r', thinking: 't' } as TemplateMessage,
      'rt',
    ],
    ['roles stay', '{{ m.role }}', { role: 'developer', content: '' }, 'developer'],
    ['a result of a tool stays one', '{{ m.role }}{{ m.content }}', { role: 'tool', content: 'x' }, 'toolx'],
    [
      'arguments that are JSON text are an object, with 1.0 and the order of its keys',
      '{{ m.tool_calls[0].function.arguments | tojson }}{{ m.tool_calls[0].function.arguments }}',
      call('{"b": 1.0, "1": 12345678901234567890}'),
      `{"b": 1.0, "1": 12345678901234567890}{'b': 1.0, '1': 12345678901234567890}`,
    ],
    ['other arguments stay text', '{{ m.tool_calls[0].function.arguments }}', call('not json'), 'not json'],
    [
      'a message prints its fields in their order',
      '{{ m }}',
      { role: 'user', content: 'a' },
      "{'role': 'user', 'content': 'a'}",
    ],
    ['no tools are None', '{{ tools is none }}{{ documents is none }}', { role: 'user', content: '' }, 'TrueTrue'],
    [
      'special tokens are those of the tokenizer',
      '{{ bos_token }}{{ pad_token }}{{ unk_token is defined }}',
      { role: 'user' },
      '<s><pad>False',
    ],
    ['the date is that of the clock', '{{ strftime_now("%d %B %Y") }}', { role: 'user' }, '28 November 2026'],
  ])('%s', (_name, source, message, text) => {
    expect(render(`{% set m = messages[0] %}${source}`, [message])).toBe(text);
  });

  it('a template that can not add None to a text refuses a call without content', () => {
    expect(() => render("{{ 'a' + messages[0].content }}", [call({})])).toThrow('NoneType');
  });
});
