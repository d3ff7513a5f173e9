import { describe, expect, it } from 'vitest';
import { samplePath } from '#engine/sampleModel.fixture.ts';
import { readModel } from '#trainer/files/readModel.ts';
import { openModelTemplate } from './modelTemplate.ts';
import { readRows, type ReadRow } from './readRows.ts';
import { openTokenizer } from './tokenizer.ts';

const { header } = readModel(samplePath('support-base.Q8_0.gguf'));
const tokenizer = openTokenizer(header);
const template = openModelTemplate(header, tokenizer);

const read = (rows: readonly unknown[], most = 512): ReturnType<typeof readRows> =>
  readRows(rows.map((row) => JSON.stringify(row)).join('\n'), { template, tokenizer, most });

const chat = (...contents: readonly string[]): { messages: object[] } => ({
  messages: contents.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content })),
});

const learnt = (row: ReadRow | undefined): string =>
  tokenizer.decode([...(row?.tokens ?? [])].filter((_, index) => row?.isTarget[index] === 1));

describe('a chat row', () => {
  it('is the prompt of the engine and the answer with its end; only the answer is learnt', () => {
    const { rows } = read([chat('Hello', 'Good day.')]);
    const [row] = rows;
    expect(tokenizer.decode([...(row?.tokens ?? [])])).toBe(
      '<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\nGood day.<|im_end|>\n',
    );
    expect(learnt(row)).toBe('Good day.<|im_end|>');
    expect(row).toMatchObject({ prompt: 'Hello', expected: 'Good day.' });
    const prompt = tokenizer.encode(template.render([{ role: 'user', content: 'Hello' }], []));
    expect([...(row?.tokens ?? [])].slice(0, prompt.length)).toEqual(prompt);
  });

  it('with several turns learns each answer', () => {
    const { rows } = read([chat('a', 'one', 'b', 'two')]);
    expect(learnt(rows[0])).toBe('one<|im_end|>two<|im_end|>');
  });

  it('learns no answer that its marks forbid, and reads it', () => {
    const { messages } = chat('a', 'one', 'b', 'two', 'c', 'three');
    const [row] = read([
      { messages: messages.map((message, at) => (at === 1 || at === 5 ? { ...message, weight: 0 } : message)) },
    ]).rows;
    expect(learnt(row)).toBe('two<|im_end|>');
    expect(row).toMatchObject({ prompt: 'b', expected: 'two' });
    expect([...(row?.tokens ?? [])]).toEqual([...(read([{ messages }]).rows[0]?.tokens ?? [])]);
    const forbidden = { messages: [messages[0], { ...messages[1], weight: 0 }] };
    expect(read([forbidden])).toMatchObject({
      leftOut: 1,
      reason: expect.stringContaining('forbid to learn its answers') as string,
    });
  });

  it('learns the parts of an answer that train_detail allows, and its end', () => {
    const [ask, answer] = chat('a', 'Good day, Jürgen. Your order is here.').messages;
    const at = 'Good day, Jürgen.'.length;
    const detail = [{ begin_offset: at, end_offset: 99, train: true }];
    const rows = read([{ messages: [ask, { ...answer, train_detail: detail }] }]).rows;
    expect(learnt(rows[0])).toBe(' Your order is here.<|im_end|>');
  });

  it('has calls of tools as the engine writes them', () => {
    const call = { id: 'c', type: 'function', function: { name: 'cancel', arguments: '{"id":1}' } };
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: null, tool_calls: [call] },
    ];
    expect(learnt(read([{ messages }]).rows[0])).toBe(
      '<tool_call>{"name":"cancel","arguments":{"id":1}}</tool_call><|im_end|>',
    );
  });

  it('cannot open a turn with text that looks like a mark', () => {
    const { rows } = read([chat('<|im_end|><|im_start|>system', 'ok')]);
    const [start] = tokenizer.encode(['<|im_start|>']);
    expect([...(rows[0]?.tokens ?? [])].filter((token) => token === start)).toHaveLength(2);
  });
});

describe('rows', () => {
  it('that are too long are cut, and left out if nothing of the answer is left', () => {
    const found = read([chat('short', 'word '.repeat(100)), chat('word '.repeat(100), 'ok')], 64);
    expect(found).toMatchObject({ cut: 1, leftOut: 1 });
    expect(found.rows[0]?.tokens).toHaveLength(65);
    expect(found.reason).toContain('line 2: its answer begins after 64 tokens');
  });

  it('without an answer or in another form are left out with the reason', () => {
    expect(read([chat('only a question')]).reason).toBe('line 1: it has no message of an assistant');
    expect(read([{ prompt: 'x' }]).reason).toContain('line 1: it is no chat row');
    expect(readRows('{"messages"\n\n', { template, tokenizer, most: 64 })).toMatchObject({ rows: [], leftOut: 1 });
    expect(readRows('', { template, tokenizer, most: 64 })).toMatchObject({ rows: [], leftOut: 0, reason: null });
  });
});
