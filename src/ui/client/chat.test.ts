// Chat requests over real HTTP, against services of every kind.
import { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { AnswerEvent } from '#core/stream/events.ts';
import { EMPTY_MESSAGE, reduceMessages, type AssistantMessage } from '#core/stream/message.ts';
import { DONE, encodeComment, encodeData } from '#core/stream/sseEncode.ts';
import { openChat } from './chat.ts';
import type { ApiFailure } from './failure.ts';
import type { Connection } from './request.ts';
import { connect } from './server.fixture.ts';

const REQUEST = { model: 'm', messages: [{ role: 'user' as const, content: 'Hi' }], stream: true };
const STREAM = { 'content-type': 'text/event-stream; charset=utf-8' };
const says = (content: string): string =>
  encodeData(JSON.stringify({ id: 'i', model: 'm', choices: [{ index: 0, delta: { content } }] }));
const FINISH = encodeData(JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));

interface Outcome {
  readonly message: AssistantMessage;
  readonly events: readonly AnswerEvent[];
  readonly failure: ApiFailure | null;
}

/** Runs a chat to its end, as a pane does. `onBatch` may stop it. */
async function run(
  connection: Connection,
  stop = new AbortController(),
  onBatch: () => void = () => undefined,
): Promise<Outcome> {
  const events: AnswerEvent[] = [];
  let failure: ApiFailure | null = null;
  try {
    for await (const batch of openChat(REQUEST, { signal: stop.signal, connection })) {
      events.push(...batch);
      onBatch();
    }
  } catch (error) {
    failure = error as ApiFailure;
  }
  return { message: reduceMessages(EMPTY_MESSAGE, events), events, failure };
}

describe('a streamed answer', () => {
  it('sends the request as it is and gives the answer', async () => {
    let seen: unknown = null;
    const connection = await connect((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        seen = [
          request.method,
          request.url,
          request.headers['content-type'],
          request.headers.authorization,
          JSON.parse(body),
        ];
        response.writeHead(200, STREAM);
        response.end(encodeComment('beat') + says('Hel') + says('lo') + FINISH + DONE);
      });
    });
    const { message, failure } = await run(connection);
    expect(seen).toEqual(['POST', '/api/v1/chat/completions', 'application/json', undefined, REQUEST]);
    expect(message).toMatchObject({ id: 'i', model: 'm', text: 'Hello', finish_reason: 'stop', state: 'complete' });
    expect(failure).toBeNull();
  });

  it('takes reasoning out of the text, also where the answer is stopped within a tag', async () => {
    const connection = await connect((_request, response) => {
      response.writeHead(200, STREAM);
      response.end(says('<thi') + says('nk>why</think>') + says('that') + FINISH);
    });
    expect((await run(connection)).message).toMatchObject({ reasoning: 'why', text: 'that' });
  });

  it('has its reasoning taken out where only the closing tag comes', async () => {
    const connection = await connect((_request, response) => {
      response.writeHead(200, STREAM);
      response.end(says('why') + says('</thi') + says('nk>\n') + says('that') + FINISH);
    });
    expect((await run(connection)).message).toMatchObject({ reasoning: 'why', text: 'that' });
  });

  it.each<[string, RequestListener, Partial<AssistantMessage>]>([
    [
      'an error in the stream',
      (_request, response) =>
        response.end(`${says('Half')}event: error\ndata: {"error":{"message":"Out of memory.","code":"oom"}}\n\n`),
      { state: 'failed', problem: { message: 'Out of memory.', code: 'oom', param: null } },
    ],
    ['a stream that just ends', (_request, response) => response.end(says('Half')), { state: 'interrupted' }],
    [
      'a connection that is cut',
      (request, response) => void response.write(says('Half'), () => setImmediate(() => request.socket.destroy())),
      { state: 'interrupted' },
    ],
  ])('keeps the text before %s', async (_what, listener, expected) => {
    const connection = await connect((request, response) => {
      response.writeHead(200, STREAM);
      void listener(request, response);
    });
    const { message, failure } = await run(connection);
    expect(message).toMatchObject({ text: 'Half', ...expected });
    expect(failure).toBeNull();
  });

  it.each(['text/plain', 'application/octet-stream', ''])('is read whatever it calls itself: %j', async (type) => {
    const connection = await connect((_request, response) => {
      response.writeHead(200, type === '' ? {} : { 'content-type': type });
      response.end(says('Hi') + DONE);
    });
    expect((await run(connection)).message).toMatchObject({ text: 'Hi', state: 'complete' });
  });
});

describe('a service that does not stream', () => {
  const serveJson = (body: unknown): Promise<Connection> =>
    connect((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });

  it('gives the same events', async () => {
    const connection = await serveJson({
      id: 'i',
      object: 'chat.completion',
      created: 5,
      model: 'm',
      choices: [
        { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '<think>why</think>Hello' } },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    });
    expect((await run(connection)).message).toMatchObject({
      id: 'i',
      created: 5,
      text: 'Hello',
      reasoning: 'why',
      usage: { total_tokens: 3 },
      state: 'complete',
    });
  });

  it('reads an error in a good answer', async () => {
    expect((await run(await serveJson({ error: 'no' }))).message).toMatchObject({
      state: 'failed',
      problem: { message: 'no' },
    });
  });

  it('reads a service’s own form of an error in a good answer', async () => {
    expect((await run(await serveJson([{ error: { message: 'no', code: 400 } }]))).message).toMatchObject({
      state: 'failed',
      problem: { message: 'no', code: '400' },
    });
  });

  it.each<unknown>([{}, [], null, { id: 'i' }, { error: null }])('is a shape failure for %j', async (body) => {
    expect((await run(await serveJson(body))).failure).toMatchObject({
      kind: 'shape',
      message: 'The service answered, but it holds no answer of a model.',
    });
  });
});

describe('failing before the first event', () => {
  it.each<[string, number, Record<string, string>, string, object]>([
    [
      'a bad request',
      400,
      {},
      '{"error":{"message":"temperature must be at most 2.","param":"temperature"}}',
      { status: 400, param: 'temperature', message: 'temperature must be at most 2.' },
    ],
    [
      'too many requests',
      429,
      { 'retry-after': '5' },
      '{"error":"slow down"}',
      { status: 429, retryAfterMs: 5000, message: 'slow down' },
    ],
    [
      'a proxy that gives up',
      502,
      { 'content-type': 'text/html' },
      '<h1>Bad Gateway</h1>',
      { status: 502, message: 'Bad Gateway' },
    ],
    ['a web page', 200, { 'content-type': 'text/html' }, '<h1>Sign in</h1>', { kind: 'shape', status: 200 }],
  ])('is one ApiFailure: %s', async (_what, status, headers, body, expected) => {
    const connection = await connect((_request, response) => {
      response.writeHead(status, headers);
      response.end(body);
    });
    const { failure, events } = await run(connection);
    expect(failure).toMatchObject(expected);
    expect(events).toEqual([]);
  });

  it('counts a date in Retry-After by the clock it is given', async () => {
    const now = Date.parse('2026-11-20T12:00:00Z');
    const connection = await connect((_request, response) => {
      response.writeHead(429, { 'retry-after': new Date(now + 9000).toUTCString() });
      response.end();
    });
    const chat = openChat(REQUEST, { signal: new AbortController().signal, clock: () => now, connection });
    await expect(chat.next()).rejects.toMatchObject({ retryAfterMs: 9000 });
  });

  it('sends the request once, never again by itself', async () => {
    let requests = 0;
    const connection = await connect((_request, response) => {
      requests += 1;
      response.writeHead(503, { 'x-should-retry': 'true' });
      response.end();
    });
    await run(connection);
    expect(requests).toBe(1);
  });
});

describe('stopping', () => {
  /** A service that says when its client is gone. */
  async function watch(
    answer: (response: ServerResponse, request: IncomingMessage) => void,
  ): Promise<{ connection: Connection; arrived: Promise<void>; gone: Promise<void> }> {
    let onArrived = (): void => undefined;
    let onGone = (): void => undefined;
    const arrived = new Promise<void>((resolve) => (onArrived = resolve));
    const gone = new Promise<void>((resolve) => (onGone = resolve));
    const connection = await connect((request, response) => {
      request.socket.once('close', () => onGone());
      answer(response, request);
      onArrived();
    });
    return { connection, arrived, gone };
  }

  it('is neutral before the head, and reaches the service', async () => {
    const { connection, arrived, gone } = await watch(() => undefined);
    const stop = new AbortController();
    const outcome = run(connection, stop);
    await arrived;
    stop.abort();
    expect((await outcome).failure).toMatchObject({ kind: 'aborted' });
    await gone;
  });

  it('is neutral in the answer, keeps what came, and reaches the service', async () => {
    const { connection, gone } = await watch((response) => {
      response.writeHead(200, STREAM);
      response.write(says('Hello') + says(' <th'));
    });
    const stop = new AbortController();
    const { message, failure } = await run(connection, stop, () => stop.abort());
    expect(failure).toMatchObject({ kind: 'aborted' });
    expect(message).toMatchObject({ text: 'Hello <th', state: 'open' });
    await gone;
  });

  it('gives the text that was held back as half a tag', async () => {
    const { connection } = await watch((response) => {
      response.writeHead(200, STREAM);
      // The usage makes a batch out of it, so that there is a moment to stop at.
      response.write(says('<thi') + encodeData('{"usage":{"total_tokens":3}}'));
    });
    const stop = new AbortController();
    const { message } = await run(connection, stop, () => stop.abort());
    expect(message.text).toBe('<thi');
  });

  it('reaches a service that does not stream', async () => {
    const { connection, arrived, gone } = await watch((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"id":');
    });
    const stop = new AbortController();
    const outcome = run(connection, stop);
    await arrived;
    stop.abort();
    expect((await outcome).failure).toMatchObject({ kind: 'aborted' });
    await gone;
  });

  it('closes the connection when the pane just stops listening', async () => {
    const { connection, gone } = await watch((response) => {
      response.writeHead(200, STREAM);
      response.write(says('Hello'));
    });
    const chat = openChat(REQUEST, { signal: new AbortController().signal, connection });
    await chat.next();
    await chat.return();
    await expect(gone).resolves.toBeUndefined();
  });
});
