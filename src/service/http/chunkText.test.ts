import * as fc from 'fast-check';
import { anyCharacter } from '#core/contract/anyCharacter.fixture.ts';
import { describe, expect, it } from 'vitest';
import { chunkSchema, type Chunk } from '#core/contract/completion.ts';
import { toChunkText } from './chunkText.ts';

const chunks = toChunkText({
  id: 'chatcmpl-1',
  created: 1_790_000_000,
  model: 'org/"odd"\nname',
  system_fingerprint: 'fp',
});

/** One event -> its chunk, checked against the contract. */
function read(text: string): Chunk {
  expect(text).toMatch(/^data: [^\n]+\n\n$/);
  return chunkSchema.parse(JSON.parse(text.slice(6)));
}

const deltaOf = (text: string): unknown => read(text).choices[0]?.delta;

describe('chunks', () => {
  it('begin with the role', () => {
    expect(read(chunks.start)).toEqual({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_790_000_000,
      model: 'org/"odd"\nname',
      system_fingerprint: 'fp',
      choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
    });
  });

  it('a fingerprint may be unknown', () => {
    expect(
      read(toChunkText({ id: 'a', created: 1, model: 'm', system_fingerprint: null }).start).system_fingerprint,
    ).toBeNull();
  });

  it('carry any text in one line', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: anyCharacter })), (text) => {
        expect(deltaOf(chunks.text(text))).toEqual({ content: text });
        expect(deltaOf(chunks.reasoning(text))).toEqual({ reasoning_content: text });
      }),
    );
  });

  it('carry what would end a line or an event', () => {
    for (const text of ['\n\n', '\r', '\u2028', 'data: [DONE]\n\n', '\ud83d', '\u0000', '</script>']) {
      expect(deltaOf(chunks.text(text))).toEqual({ content: text });
    }
  });

  it('begin a tool call with id, type and name, and go on with arguments alone', () => {
    expect(deltaOf(chunks.toolCall({ type: 'tool-call-delta', index: 0, id: 'call_1', name: 'f' }))).toEqual({
      tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '' } }],
    });
    expect(deltaOf(chunks.toolCall({ type: 'tool-call-delta', index: 2, arguments: '{"a":' }))).toEqual({
      tool_calls: [{ index: 2, function: { arguments: '{"a":' } }],
    });
    expect(
      deltaOf(chunks.toolCall({ type: 'tool-call-delta', index: 1, id: 'call_2', name: 'g', arguments: '{}' })),
    ).toEqual({
      tool_calls: [{ index: 1, id: 'call_2', type: 'function', function: { name: 'g', arguments: '{}' } }],
    });
  });

  it.each(['stop', 'length', 'tool_calls'] as const)('end with the reason %s and an empty delta', (reason) => {
    const end = { type: 'message-end', finish_reason: reason, usage: null } as const;
    expect(read(chunks.finish(end)).choices).toEqual([{ index: 0, delta: {}, finish_reason: reason }]);
    expect(read(chunks.finish({ ...end, omitted: ['top_p'] })).omitted_defaults).toEqual(['top_p']);
  });

  it('do not end with a reason that nobody gave', () => {
    expect(chunks.finish({ type: 'message-end', finish_reason: null, usage: null })).toBe('');
  });

  it('usage stands in a chunk without choices', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
    expect(read(chunks.usage(usage))).toMatchObject({ choices: [], usage });
  });
});
