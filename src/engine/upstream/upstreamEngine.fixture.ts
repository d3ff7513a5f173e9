// An OpenAI-compatible server whose answers a test writes, and an engine on it. For tests only.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { expect } from 'vitest';
import type { Engine } from '#engine/engine.ts';
import { openUpstreamEngine, type UpstreamOptions } from './upstreamEngine.ts';
import { keep, listen } from '#service/files/keep.fixture.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

interface Upstream {
  readonly engine: Engine;
  readonly seen: { method: string; url: string; authorization: string | undefined; body: string }[];
  readonly server: Server;
}

export const MODELS = JSON.stringify({
  object: 'list',
  data: [{ id: 'm', created: 7, object: 'model', owned_by: 'vllm' }, { id: 'org/n' }, { broken: true }],
});
export const KEY = 'sk-very-secret';

export async function openUpstream(
  onChat: Handler,
  options: Partial<UpstreamOptions> & { path?: string; onModels?: Handler } = {},
): Promise<Upstream> {
  const seen: Upstream['seen'] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      seen.push({
        method: request.method ?? '',
        url: request.url ?? '',
        authorization: request.headers.authorization,
        body,
      });
      if (!request.url?.endsWith('/models')) return onChat(request, response, body);
      if (options.onModels) return options.onModels(request, response, body);
      response.setHeader('content-type', 'application/json').end(MODELS);
    });
  });
  const baseUrl = `${await listen(server)}${options.path ?? ''}`;
  return { engine: await keep(openUpstreamEngine({ baseUrl, apiKey: KEY, ...options })), seen, server };
}

export const chunk = (delta: object, rest: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: null, ...rest }] })}\n\n`;
const USAGE = `data: ${JSON.stringify({ id: 'c', choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } })}\n\n`;

export function stream(response: ServerResponse, ...parts: readonly string[]): ServerResponse {
  response.setHeader('content-type', 'text/event-stream');
  for (const part of parts) response.write(part);
  return response;
}

export const hello: Handler = (_request, response) => {
  stream(
    response,
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Hel' }),
    chunk({ content: 'lo' }),
    chunk({}, { finish_reason: 'stop' }),
    USAGE,
    'data: [DONE]\n\n',
  ).end();
};

/** The error of a call that has to fail, and that does not hold the key. */
export async function errorOf(
  promise: Promise<unknown>,
): Promise<Error & { code?: string; status?: number; param?: string | null }> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error('It should have failed.');
  expect(error.message).not.toContain(KEY);
  return error;
}
