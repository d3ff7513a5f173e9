import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chatMessageSchema, toolSchema } from '#core/contract/chatMessage.ts';
import { FOUND_FORMS, ROW_FORMS } from './chatRow.ts';
import { toAllMessages } from './preferenceRows.ts';
import { read, rowOf, problemOf, user, assistant, tool, call } from './readRow.fixture.ts';

describe('rows of another form than the file has', () => {
  const values: Readonly<Record<(typeof FOUND_FORMS)[number], unknown>> = {
    chat: { messages: [user, assistant] },
    sharegpt: { conversations: [{ from: 'human', value: 'Hi' }] },
    alpaca: { instruction: 'Hi', input: '', output: 'Hello' },
    'prompt-completion': { prompt: 'Hi', completion: 'Hello' },
    preference: { prompt: 'Hi', chosen: 'Hello', rejected: 'No' },
    gemini: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
    kto: { prompt: 'Hi', completion: 'Hello', label: true },
  };
  const apart = 'Import it from a file of its own, or rewrite it.';
  const todo = 'Convert it too (form "mixed"), or import it from a file of its own.';

  it.each([
    ['alpaca', 'chat', `This is an Alpaca row, but the others are read as chat rows. ${todo}`],
    ['sharegpt', 'chat', `This is a ShareGPT row, but the others are read as chat rows. ${todo}`],
    [
      'prompt-completion',
      'chat',
      `This is a row of prompt and completion, but the others are read as chat rows. ${todo}`,
    ],
    ['chat', 'alpaca', `This is a chat row, but the others are read as Alpaca rows. ${todo}`],
  ] as const)('say that they are in the form %s, and not in %s', (other, form, message) => {
    expect(problemOf(values[other], form)).toMatchObject({ column: 1, message });
  });

  it.each(['chat', 'sharegpt', 'alpaca', 'prompt-completion', 'gemini'] as const)(
    'are converted from %s where forms are mixed, as in a file of their own',
    (form) => {
      const mixed = read(values[form], 'mixed');
      expect(mixed).toEqual(read(values[form], form));
      expect(mixed.ok).toBe(true);
    },
  );

  it('are not mixed with conversations if they compare answers, nor without a known form', () => {
    expect(problemOf(values.preference, 'mixed').message).toContain('a pair of answers for DPO, and the others are');
    expect(problemOf({ a: 1 }, 'mixed').message).toContain('none of the known forms');
  });

  it('are told apart in all pairs', () => {
    for (const form of FOUND_FORMS)
      for (const other of FOUND_FORMS) {
        // It is one of prompt and completion too, whose label is left out where somebody asks for that.
        if (form === 'prompt-completion' && other === 'kto') continue;
        const result = read(values[other], form);
        const isComparison = [form, other].some((each) => each === 'preference' || each === 'kto');
        const told = expect.stringContaining(isComparison ? apart : todo);
        expect(result.ok || result.problem.message).toEqual(form === other || told);
      }
  });

  it('are not those that have both: what is wrong with them is said', () => {
    const both = { messages: [{ role: 'bird', content: 'Hi' }], prompt: 'Hi', completion: 'Hello' };
    expect(problemOf(both).message).toContain('"bird"');
    expect(problemOf({ messages: 'Hi', instruction: 'Hi', output: '' }).message).toContain('an Alpaca row');
  });
});

describe('chat rows', () => {
  it('keeps a row in the normal form letter by letter', () => {
    const text = JSON.stringify({
      messages: [
        user,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', content: '1', tool_call_id: 'c1' },
        assistant,
      ],
      tools: [tool],
    });
    expect(read(text)).toMatchObject({ ok: true, text, isSame: true, leftOut: [] });
  });

  it('says the same beside white space, order of names and nulls', () => {
    const text = '{ "id": null, "messages": [ {"content": "Hi", "role": "user", "tool_calls": null} ], "tools": null }';
    expect(read(text)).toMatchObject({
      ok: true,
      text: '{"messages":[{"role":"user","content":"Hi"}]}',
      isSame: true,
    });
  });

  it('names fields that have no place', () => {
    expect(read({ id: 5, messages: [{ ...user, mood: 0 }], ['__proto__x']: 1 })).toMatchObject({
      isSame: false,
      leftOut: ['id', '__proto__x', 'messages[].mood'],
    });
  });

  it('joins text parts, and refuses pictures with their place', () => {
    const parts = [{ type: 'text', text: 'a' }, 'b'];
    expect(rowOf({ messages: [{ role: 'user', content: parts }] }).messages[0]?.content).toBe('a\nb');
    const text = '{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{}}]}]}';
    const problem = problemOf(text);
    expect(problem).toMatchObject({ line: 7, column: text.indexOf('{"type"') + 1 });
    expect(problem.message).toContain('image_url');
  });

  it('reads tools and calls in their older and shorter forms', () => {
    const row = rowOf({
      messages: [
        user,
        { role: 'assistant', content: null, function_call: { name: 'get_order', arguments: { id: 7 } } },
        { role: 'function', name: 'get_order', content: 'sent' },
        { role: 'assistant', content: '', tool_calls: [{ name: 'get_order' }] },
      ],
      functions: [{ name: 'get_order' }],
    });
    expect(row.messages[1]).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_order', arguments: '{"id":7}' } }],
    });
    expect(row.messages[2]).toEqual({ role: 'tool', content: 'sent', name: 'get_order', tool_call_id: 'call_1' });
    expect(row.messages[3]?.tool_calls?.[0]).toMatchObject({ id: 'call_2', function: { arguments: '{}' } });
    expect(row.tools).toEqual([{ type: 'function', function: { name: 'get_order' } }]);
    expect(rowOf({ messages: [user], tools: JSON.stringify([tool]) }).tools).toEqual([tool]);
    expect(rowOf({ messages: [user], tools: [] })).not.toHaveProperty('tools');
  });

  it('keeps numbers of arguments as the line writes them', () => {
    const called = '{"name": "f", "arguments": {"b": 1.0, "id": 12345678901234567890, "t": "\\u00e9", "e": 1e2}}';
    const text = `{"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":${called}}]}]}`;
    const result = read(text);
    expect(result.ok && result.row.messages[0]?.tool_calls?.[0]?.function.arguments).toBe(
      '{"b":1.0,"id":12345678901234567890,"t":"é","e":1e2}',
    );
    const legacy = read('{"messages":[{"role":"assistant","function_call":{"name":"f","arguments":{"b":1.0}}}]}');
    expect(legacy.ok && legacy.row.messages[0]?.tool_calls?.[0]?.function.arguments).toBe('{"b":1}');
  });

  it('keeps the thoughts of answers', () => {
    const thinking = { ...assistant, reasoning_content: 'r', thinking: 't' };
    const text = JSON.stringify({ messages: [user, thinking] });
    expect(read(text)).toMatchObject({
      ok: true,
      text,
      isSame: true,
      leftOut: [],
      row: { messages: [user, thinking] },
    });
    expect(
      read({
        messages: [
          { ...user, thinking: 't' },
          { ...assistant, thinking: ['t'] },
        ],
      }),
    ).toMatchObject({
      leftOut: ['messages[].thinking'],
      row: { messages: [user, assistant] },
    });
  });

  it('keeps broken arguments as they are', () => {
    const broken = { ...call, function: { name: 'get_order', arguments: '{"id": ' } };
    expect(
      rowOf({ messages: [{ role: 'assistant', content: null, tool_calls: [broken] }] }).messages[0]?.tool_calls,
    ).toEqual([broken]);
  });

  it.each([
    ['{"messages":[{"role":"user","content":"a"]}', 42, '"," or the closing bracket'],
    ['{"messages":[{"role":"user","content":"a"}]', 44, 'it ends where'],
    ['{"messages":[{"role":"bird","content":"a"}]}', 22, '"bird"'],
    ['{"messages":[{"role":"user","content":5}]}', 39, 'is 5'],
    ['{"messages":[{"role":"user"}]}', 14, 'no content'],
    ['{"messages":[{"content":"a"}]}', 14, 'missing'],
    ['{"messages":[]}', 13, 'empty'],
    ['{"messages":["a"]}', 14, 'must be an object'],
    ['{"message":[]}', 1, 'no list "messages"'],
    ['[{"messages":[]}]', 1, 'a list; JSONL'],
    ['"text"', 1, 'a text'],
    ['null', 1, 'null'],
    ['{', 2, 'several lines'],
    ['[', 2, 'several lines'],
    ['{"messages":[{"role":"user","content":"a"}],"tools":"["}', 53, 'not valid JSON'],
    ['{"messages":[{"role":"user","content":"a"}],"tools":[{"type":"x"}]}', 54, 'no name'],
    ['{"messages":[{"role":"assistant","tool_calls":[{"id":"a"}]}]}', 48, 'no name'],
  ])('says what is wrong with %s', (text, column, message) => {
    const problem = problemOf(text);
    expect(problem.message).toContain(message);
    expect(problem.column).toBe(column);
  });
});

describe('other forms', () => {
  it('reads ShareGPT, with system, tools and calls', () => {
    const value = {
      system: 'S',
      tools: JSON.stringify([{ name: 'get_order' }]),
      conversations: [
        { from: 'human', value: 'Where?' },
        { from: 'function_call', value: '{"name":"get_order","arguments":{"id":7}}' },
        { from: 'observation', value: 'sent' },
        { from: 'gpt', value: 'Sent.' },
      ],
    };
    expect(rowOf(value, 'sharegpt')).toEqual({
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'Where?' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_order', arguments: '{"id":7}' } }],
        },
        { role: 'tool', content: 'sent', tool_call_id: 'call_1' },
        { role: 'assistant', content: 'Sent.' },
      ],
      tools: [{ type: 'function', function: { name: 'get_order' } }],
    });
  });

  it('gives the place of a fault in ShareGPT, with a system text beside it too', () => {
    for (const system of ['', ',"system":"S"']) {
      const text = `{"conversations":[{"from":"human","value":"a"},{"from":"bird","value":"b"}]${system}}`;
      expect(problemOf(text, 'sharegpt').column).toBe(text.indexOf('"bird"') + 1);
    }
    const text = '{"conversations":[{"from":"function_call","value":"no"}]}';
    expect(problemOf(text, 'sharegpt').column).toBe(text.indexOf('"no"') + 1);
  });

  it('reads Alpaca, with input, system and history', () => {
    const value = { instruction: 'I', input: 'X', output: 'O', system: 'S', history: [['q', 'a']] };
    expect(rowOf(value, 'alpaca').messages.map(({ role, content }) => [role, content])).toEqual([
      ['system', 'S'],
      ['user', 'q'],
      ['assistant', 'a'],
      ['user', 'I\nX'],
      ['assistant', 'O'],
    ]);
    expect(rowOf({ instruction: 'I', input: '', output: 'O' }, 'alpaca').messages).toHaveLength(2);
    expect(problemOf({ instruction: 'I', output: 'O', history: [['q']] }, 'alpaca').message).toContain('history');
    expect(problemOf('{"instruction":"I","output":7}', 'alpaca').column).toBe(29);
  });

  it('reads prompt and completion, as texts and as messages', () => {
    const messages = [user, assistant];
    expect(rowOf({ prompt: 'Hi', completion: 'Hello' }, 'prompt-completion')).toEqual({ messages });
    expect(rowOf({ prompt: [user], completion: [assistant] }, 'prompt-completion')).toEqual({ messages });
    expect(problemOf({ prompt: 5, completion: '' }, 'prompt-completion').message).toContain('"prompt"');
    expect(problemOf({ prompt: '' }, 'prompt-completion').message).toContain('"completion"');
  });
});

describe('hostile rows', () => {
  it('never throws on random JSON, and gives rows that the contract accepts', () => {
    const name = fc.constantFrom(
      'messages',
      'conversations',
      'role',
      'content',
      'from',
      'value',
      'tool_calls',
      'tools',
      'function',
      'name',
      'arguments',
      'instruction',
      'output',
      '__proto__',
      'constructor',
      'history',
      'system',
      'prompt',
      'completion',
      'chosen',
      'rejected',
      'label',
      'weight',
      'train',
      'train_detail',
      'thinking',
    );
    const leaf = fc.oneof(
      fc.constantFrom('user', 'assistant', 'tool', 'function_call', '__proto__', ''),
      fc.nat(0xffff).map((code) => `a${String.fromCharCode(code)}`),
      fc.constantFrom(null, true, 5, -Infinity),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(name, tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(name, value), fc.constantFrom(...ROW_FORMS), (object, form) => {
        const text = JSON.stringify(object);
        const result = read(text, form);
        if (!result.ok) {
          expect(result.problem.column).toBeGreaterThan(0);
          expect(result.problem.column).toBeLessThanOrEqual(text.length + 1);
          return;
        }
        for (const message of toAllMessages(result.row))
          expect(chatMessageSchema.safeParse(message).success).toBe(true);
        expect(JSON.parse(result.text)).toEqual(result.row);
        const again = read(result.text);
        expect(again).toMatchObject({ ok: true, text: result.text, isSame: true, leftOut: [] });
      }),
      { numRuns: 500 },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('reads names of inherited properties as data', () => {
    const text = '{"messages":[{"role":"user","content":"a","__proto__":{"role":"system"}}],"__proto__":{"tools":[1]}}';
    expect(read(text)).toMatchObject({ ok: true, leftOut: ['__proto__', 'messages[].__proto__'] });
    expect(problemOf('{"__proto__":{"messages":[{"role":"user","content":"a"}]}}').message).toContain('no list');
    expect(problemOf('{"messages":[{"role":"constructor","content":"a"}]}').message).toContain('"constructor"');
    const schema =
      '{"messages":[{"role":"user","content":"a"}],"tools":[{"type":"function","function":{"name":"a","parameters":{"__proto__":{"x":1}}}}]}';
    expect(read(schema)).toMatchObject({ ok: true, text: schema, isSame: true });
  });

  it('keeps lone surrogates', () => {
    const text = String.raw`{"messages":[{"role":"user","content":"a\ud800b"}]}`;
    expect(read(text)).toMatchObject({ ok: true, text, isSame: true });
  });

  it('survives any depth', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(problemOf(deep).message).toContain('a list');
    expect(problemOf(`{"messages":${deep}}`).message).toContain('must be an object');
    expect(problemOf(`{"messages":[{"role":"user","content":${deep}}]}`).message).toContain('only texts');
    expect(read(`{"messages":[{"role":"user","content":"a"}],"extra":${deep}}`)).toMatchObject({ leftOut: ['extra'] });
    expect(
      problemOf(`{"messages":[{"role":"assistant","tool_calls":[{"name":"a","arguments":${deep}}]}]}`).message,
    ).toContain('nested too deeply');
    expect(
      problemOf(`{"messages":[{"role":"user","content":"a"}],"tools":[{"name":"a","parameters":${deep}}]}`).message,
    ).toContain('nested too deeply');
    expect(problemOf(`{"messages":${'['.repeat(100_000)}`).message).toContain('not valid JSON');
  });

  it('bounds messages and the names that it reports', () => {
    const many = Array.from({ length: 10_001 }, () => user);
    expect(problemOf({ messages: many }).message).toContain('10000');
    const fields = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`field ${at} ${'x'.repeat(500)}`, 1]));
    const result = read({ ...fields, messages: [user] });
    expect(result.ok && result.leftOut.length).toBe(20);
    expect(result.ok && Math.max(...result.leftOut.map(({ length }) => length))).toBe(100);
  });

  it('gives tools that the contract accepts, if their names fit', () => {
    for (const entry of rowOf({ messages: [user], tools: [tool, tool.function] }).tools ?? [])
      expect(toolSchema.safeParse(entry).success).toBe(true);
  });
});
