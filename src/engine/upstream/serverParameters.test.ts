import { describe, expect, it } from 'vitest';
import type { ModelEntry } from '#core/contract/completion.ts';
import { assertSupported, toSupported } from './serverParameters.ts';
import { toUpstreamBody } from './upstreamRequest.ts';

const ALL = ['top_k', 'min_p', 'repetition_penalty', 'logprobs'];
const ASKED = { model: 'm', messages: [] };

/** As the servers themselves list a model. */
it.each([
  ['vLLM', { id: 'm', owned_by: 'vllm' }, 'uvicorn', ALL],
  ['SGLang', { id: 'm', owned_by: 'sglang' }, 'uvicorn', ALL],
  ['llama-server', { id: 'm', owned_by: 'llamacpp' }, 'llama.cpp', ALL],
  ['Ollama', { id: 'm', owned_by: 'library' }, '', ['logprobs']],
  ['mlx_lm.server', { id: 'm', created: 1 }, 'BaseHTTP/0.6 Python/3.12', ['top_k', 'min_p', 'repetition_penalty']],
  ['OpenRouter', { id: 'm', supported_parameters: ['top_k', 'temperature'] }, 'cloudflare', ['top_k']],
  ['a server that says nothing', { id: 'm', owned_by: 'me' }, 'uvicorn', undefined],
  ['one without an owner', { id: 'm' }, 'uvicorn', undefined],
])('%s takes what is known of it', (_, entry, header, taken) => {
  expect(toSupported(entry, header).supported_parameters).toEqual(taken);
});

describe('a request', () => {
  const set = { ...ASKED, top_k: 0, min_p: 0.1, repetition_penalty: 1.2, logprobs: true, top_logprobs: 0 };
  it.each([
    ['vllm', { top_k: -1, min_p: 0.1, repetition_penalty: 1.2, logprobs: true, top_logprobs: 0 }],
    ['sglang', { top_k: -1, min_p: 0.1, repetition_penalty: 1.2, logprobs: true, top_logprobs: 0 }],
    ['llamacpp', { top_k: 0, min_p: 0.1, repeat_penalty: 1.2, logprobs: true, top_logprobs: 1 }],
    ['https://openrouter.ai', { top_k: 0, min_p: 0.1, repetition_penalty: 1.2, logprobs: true, top_logprobs: 0 }],
  ])('names its parameters as %s does', (owner, fields) => {
    const body = toUpstreamBody(set, new Set(), owner);
    expect(body).toMatchObject(fields);
    expect('repetition_penalty' in body).toBe('repetition_penalty' in fields);
    expect(toUpstreamBody({ ...set, top_k: 7 }, new Set(), owner)['top_k']).toBe(7);
  });

  it('has nothing of what is not set', () => {
    const body = JSON.parse(JSON.stringify(toUpstreamBody({ ...ASKED, top_k: null }, new Set(), 'vllm'))) as object;
    for (const name of [...ALL, 'repeat_penalty', 'top_logprobs']) expect(body).not.toHaveProperty(name);
  });

  it('is refused with the first parameter that the server is not known to take', () => {
    const entry: ModelEntry = { id: 'm', created: 0, object: 'model', owned_by: 'x', supported_parameters: ['top_k'] };
    expect(() => assertSupported({ ...ASKED, top_k: 5 }, entry, 'http://x')).not.toThrow();
    expect(() => assertSupported(set, entry, 'http://x')).toThrow(
      expect.objectContaining({ status: 400, code: 'unsupported_parameter', param: 'min_p' }),
    );
  });
});
