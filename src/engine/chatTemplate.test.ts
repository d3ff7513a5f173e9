import { describe, expect, it } from 'vitest';
import { openChatTemplate } from './chatTemplate.ts';
import { EngineError } from './engine.ts';

const marks = {
  bosText: '<s>',
  eosText: '</s>',
  markTexts: ['<s>', '</s>', '<|im_start|>', '<|im_end|>', '<tool_call>', '</tool_call>'],
};
const tool = { type: 'function' as const, function: { name: 'get_order', parameters: { type: 'object' } } };
const call = { id: 'call_1', type: 'function' as const, function: { name: 'get_order', arguments: '{"id": 7}' } };

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return null;
}

describe('openChatTemplate', () => {
  it('falls back to ChatML', () => {
    const prompt = openChatTemplate(null, marks)
      .render(
        [
          { role: 'system', content: 'S' },
          { role: 'user', content: 'U' },
        ],
        [],
      )
      .join('');
    expect(prompt).toBe('<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nU<|im_end|>\n<|im_start|>assistant\n');
  });

  it('writes calls and their answers as text for a template that does not know them', () => {
    const prompt = openChatTemplate(null, marks)
      .render(
        [
          { role: 'user', content: 'U' },
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: 'call_1', content: 'open' },
        ],
        [tool],
      )
      .join('');
    expect(prompt).toContain(
      '<|im_start|>assistant\n<tool_call>{"name":"get_order","arguments":{"id": 7}}</tool_call><|im_end|>',
    );
    expect(prompt).toContain('<|im_start|>user\n<tool_response>\nopen\n</tool_response><|im_end|>');
    expect(prompt).not.toContain('null');
  });

  describe('a chat with an answer of a tool is rendered as transformers does', () => {
    const messages = [
      { role: 'user' as const, content: 'U' },
      { role: 'tool' as const, tool_call_id: 'call_1', content: 'open' },
    ];
    const render = (source: string): string => openChatTemplate(source, marks).render(messages, []).join('');

    it('by a template that prints any role', () => {
      expect(render('{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}')).toBe('<user>U<tool>open');
    });

    it('by a template that leaves other roles out', () => {
      const source = "{% for m in messages %}{% if m.role == 'user' %}<user>{{ m.content }}{% endif %}{% endfor %}";
      expect(render(source)).toBe('<user>U');
    });

    it('by a template that refuses other roles, with its words', () => {
      const source =
        "{% for m in messages %}{% if m.role not in ['system', 'user', 'assistant'] %}{{ raise_exception('No such role') }}" +
        '{% endif %}{{ m.content }}{% endfor %}';
      expect(catchError(() => render(source))).toMatchObject({ param: 'messages[1]', status: 400 });
      expect(() => render(source)).toThrow('messages[1] (role "tool"): No such role.');
    });
  });

  it('passes tools and calls on to a template that knows them, arguments as objects', () => {
    const source =
      '{{ bos_token }}{% if tools %}[{{ tools | tojson }}]{% endif %}{% for m in messages %}{{ m.role }}:{{ ' +
      'm.content }}{% if m.tool_calls %}{% for c in m.tool_calls %}({{ c.function.name }} {{ ' +
      "c.function.arguments.id }}){% endfor %}{% endif %};{% endfor %}{# 'tool' 'developer' #}";
    const template = openChatTemplate(source, marks);
    const messages = [
      { role: 'developer' as const, content: 'D' },
      { role: 'assistant' as const, tool_calls: [call] },
      { role: 'tool' as const, tool_call_id: 'call_1', content: 'open' },
    ];
    expect(template.render(messages, [tool])).toEqual([
      '<s>[[{"type": "function", "function": {"name": "get_order", "parameters": {"type": ' +
        '"object"}}}]]developer:D;assistant:(get_order 7);tool:open;',
    ]);
    expect(template.render(messages, []).join('')).not.toContain('[');
  });

  it('names the message that a template refuses', () => {
    const source =
      "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('System role not supported') }}{% " +
      'endif %}{{ m.content }}{% endfor %}';
    const error = catchError(() =>
      openChatTemplate(source, marks).render(
        [
          { role: 'user', content: 'a' },
          { role: 'system', content: 'b' },
          { role: 'user', content: 'c' },
        ],
        [],
      ),
    );
    expect(error).toBeInstanceOf(EngineError);
    expect(error).toMatchObject({ status: 400, code: 'template_error', param: 'messages[1]' });
    expect(String(error)).toContain('System role not supported');
  });

  it.each([
    [100, 'messages[99]', 'messages[99] (role "user")'],
    [800, 'messages[799]', 'messages[799] (role "user")'],
    [1600, 'messages[1599]', 'messages[1599] (role "user")'],
    [10_000, 'messages', 'to messages[9999]'],
  ])('finds the refused one of %i messages with bounded work', (count, param, where) => {
    const source =
      "{{ bos_token }}{% for m in messages %}{% if (m['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ " +
      "raise_exception('Conversation roles must alternate') }}{% endif %}{{ '<start_of_turn>' + m['role'] + " +
      "m['content'] | trim }}{% endfor %}";
    let reads = 0;
    // The last role is repeated, as a client does that sends a question twice.
    const messages = Array.from({ length: count }, (_, index) => ({
      role: (index === count - 1 ? index - 1 : index) % 2 === 0 ? ('user' as const) : ('assistant' as const),
      get content() {
        reads += 1;
        return 'hello';
      },
    }));
    const error = catchError(() => openChatTemplate(source, marks).render(messages, []));
    expect(error).toMatchObject({ status: 400, code: 'template_error', param });
    expect(String(error)).toContain(where);
    expect(reads).toBeLessThanOrEqual(count + 16_000);
  });

  it("blames the file for a template that can't be read", () => {
    expect(catchError(() => openChatTemplate('{% if %}', marks))).toMatchObject({ status: 500, code: 'bad_template' });
  });

  it('does not let a message reach objects behind it', () => {
    const before = Object.keys(Object.prototype);
    const template = openChatTemplate(
      '{{ messages[0].constructor }}{{ messages[0].__proto__ }}{{ messages[0].content }}',
      marks,
    );
    expect(template.render([{ role: 'user', content: '{{ 7*7 }}' }], [])).toEqual(['{{ 7*7 }}']);
    expect(Object.keys(Object.prototype)).toEqual(before);
  });
});
