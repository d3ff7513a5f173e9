// What clients of OpenAI's API send beyond SPEC 4.3.
import { describe, expect, it } from 'vitest';
import { parseChatRequest } from './chatRequest.ts';

const GOOD = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };

function refuses(fields: object, param: string, words: string): void {
  const parsed = parseChatRequest({ ...GOOD, ...fields });
  expect(parsed).toMatchObject({ ok: false, problem: { param, message: expect.stringContaining(words) as string } });
}

describe('content as a list', () => {
  it('joins text parts by line breaks, in every role', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b', cache_control: {} },
    ];
    const roles = ['system', 'user', 'assistant'];
    const parsed = parseChatRequest({ ...GOOD, messages: roles.map((role) => ({ role, content })) });
    expect(parsed).toEqual({
      ok: true,
      value: { ...GOOD, messages: roles.map((role) => ({ role, content: 'a\nb' })) },
    });
  });

  it('names the part that is no text, and its type', () => {
    const withParts = (...parts: unknown[]) => ({ messages: [{ role: 'user', content: parts }] });
    const text = { type: 'text', text: 'a' };
    refuses(
      withParts(text, { type: 'image_url', image_url: { url: 'x' } }),
      'messages[0].content',
      'no "image_url", which is part 1',
    );
    for (const part of ['a', { type: 'text' }, { text: 'a' }, null])
      refuses(withParts(text, part), 'messages[0].content', 'part 1 must be {"type":"text","text":…}');
  });
});

describe('a field that SPEC 4.3 does not list', () => {
  it.each([
    [{ max_tokens: 5 }, { max_completion_tokens: 5 }],
    [{ max_tokens: 5, max_completion_tokens: null }, { max_completion_tokens: 5 }],
    [{ max_tokens: 5, max_completion_tokens: 7 }, { max_completion_tokens: 7 }],
    [{ max_tokens: null, max_completion_tokens: 7 }, { max_completion_tokens: 7 }],
    [{ max_tokens: null }, {}],
    [{ n: 1, logprobs: false, top_logprobs: 0 }, {}],
    [{ n: null, logprobs: null, top_logprobs: null }, {}],
    [{ logprobs: true }, { logprobs: true, top_logprobs: 0 }],
    [
      { logprobs: true, top_logprobs: 20 },
      { logprobs: true, top_logprobs: 20 },
    ],
  ])('%j is %j for an engine', (fields, value) => {
    expect(parseChatRequest({ ...GOOD, ...fields })).toEqual({ ok: true, value: { ...GOOD, ...value } });
  });

  it('is refused where an answer without it would look as if it had it', () => {
    refuses({ n: 3 }, 'n', 'must be 1: an answer has one choice');
    refuses({ top_logprobs: 5 }, 'top_logprobs', 'needs "logprobs": true');
    refuses({ logprobs: false, top_logprobs: 5 }, 'top_logprobs', 'needs "logprobs": true');
    refuses({ logprobs: true, top_logprobs: 21 }, 'top_logprobs', 'must be at most 20');
    refuses({ logprobs: 5 }, 'logprobs', 'must be');
    refuses({ max_tokens: 0 }, 'max_tokens', 'must be at least 1');
  });
});
