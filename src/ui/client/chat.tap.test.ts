// What a record is told of a chat request, over real HTTP.
import { type RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { openChat } from './chat.ts';
import { connect } from './server.fixture.ts';

const REQUEST = { model: 'm', messages: [{ role: 'user' as const, content: 'Grüße' }], stream: true };

/** Runs a request to its end and gives what the tap was told, in order, the pieces of the body joined. */
async function tap(listener: RequestListener): Promise<readonly unknown[]> {
  const connection = await connect(listener);
  const told: unknown[] = [];
  let text = '';
  const onText = (piece: string): void => void (text += piece);
  const record = {
    onSent: (sent: unknown) => void told.push(sent),
    onHead: ({ status, headers }: { status: number; headers: Headers }) =>
      void told.push(status, headers.get('content-type')),
    onText,
  };
  try {
    for await (const _batch of openChat(REQUEST, { signal: new AbortController().signal, connection, tap: record }))
      continue;
  } catch {
    told.push('failed');
  }
  return [...told, text];
}

const SENT = {
  method: 'POST',
  path: '/api/v1/chat/completions',
  headers: { 'content-type': 'application/json', accept: 'text/event-stream, application/json' },
  body: JSON.stringify(REQUEST),
};
const BODY = 'data: {"choices":[{"delta":{"content":"世界"}}]}\r\n\r\n: note\n\ndata: [DONE]\n\n';

it('is told the exact request and the exact text of a stream, cut wherever it was', async () => {
  const told = await tap((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const byte of Buffer.from(BODY)) response.write(Buffer.of(byte));
    response.end();
  });
  expect(told).toEqual([
    { ...SENT, path: expect.stringMatching(/\/chat\/completions$/) },
    200,
    'text/event-stream',
    BODY,
  ]);
});

it('is told the body of an error, and of an answer that is no stream', async () => {
  const failed = await tap((_request, response) =>
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"no"}'),
  );
  expect(failed.slice(1)).toEqual([400, 'application/json', 'failed', '{"error":"no"}']);
  const whole = '{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}';
  const plain = await tap((_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(whole),
  );
  expect(plain.slice(1)).toEqual([200, 'application/json', whole]);
});

it('is told how a web page begins that stands where an answer should', async () => {
  const told = await tap((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).write('<h1>Sign in</h1>'),
  );
  expect(told.slice(1)).toEqual([200, 'text/html', 'failed', '<h1>Sign in</h1>']);
});

it('is told of what was sent even where no answer comes', async () => {
  const told = await tap((request) => request.socket.destroy());
  expect(told).toEqual([{ ...SENT, path: expect.any(String) }, 'failed', '']);
});
