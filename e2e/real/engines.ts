// Chats of `npm start -- --engine URL` with a real server behind it, compared with what the server itself says. Prints "ok ROW"
// or "FAIL ROW: reason" a line. Called by engines.sh. Arguments: the server's name, its address, its model.
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { isOwnSampling, SAMPLING_NAMES } from '#core/contract/samplingParameters.ts';
import { send, type Place } from '../askStudio.ts';
import { makeFolder, spawnNpmStart, waitForLink } from '../startStudio.ts';

const [name = '', address = '', model = ''] = process.argv.slice(2);
const KEY = process.env['STUDIO_ENGINE_KEY'];

/** What a server does otherwise than OpenAI's API, and we can't see or mend. */
interface Server {
  readonly hasList: boolean;
  readonly counts: boolean;
  /** Says `length` of an answer that it cut. */
  readonly tellsLength: boolean;
  /** Refuses any `tool_choice` that asks for a call. */
  readonly refusesCalls?: boolean;
  /** Takes a stop sequence that is no token of its own out of the text, and goes on. */
  readonly deletesStop?: boolean;
  /** SPEC's defaults that it refuses. */
  readonly refuses?: readonly string[];
}

const SERVERS: Readonly<Record<string, Server>> = {
  transformers: { hasList: true, counts: true, tellsLength: true },
  mlx: { hasList: true, counts: true, tellsLength: true, deletesStop: true },
  litgpt: { hasList: false, counts: false, tellsLength: false, refusesCalls: true },
  // In front of litgpt.
  litellm: {
    hasList: true,
    counts: false,
    tellsLength: false,
    refusesCalls: true,
    refuses: SAMPLING_NAMES.filter((name) => !isOwnSampling(name)),
  },
};
const server = SERVERS[name];
if (server === undefined) throw new Error(`There is no server "${name}".`);

interface Choice {
  readonly finish_reason?: string | null;
  readonly message?: { readonly content: string | null };
  readonly delta?: { readonly content?: string | null };
}
interface Body {
  readonly choices?: readonly Choice[];
  readonly usage?: Readonly<Record<string, number>> | null;
  readonly omitted_defaults?: readonly string[];
  readonly error?: { readonly message: string; readonly code: string; readonly param: string | null };
}
interface Answer {
  readonly status: number;
  readonly text: string;
  readonly reason: string | null | undefined;
  readonly usage: Body['usage'];
  readonly omitted: Body['omitted_defaults'];
  readonly error: Body['error'];
}

function toAnswer(status: number, bodies: readonly Body[]): Answer {
  const choices = bodies.flatMap((body) => body.choices ?? []);
  return {
    status,
    text: choices.map(({ message, delta }) => message?.content ?? delta?.content ?? '').join(''),
    reason: choices.findLast(({ finish_reason }) => finish_reason !== undefined)?.finish_reason,
    usage: bodies.findLast(({ usage }) => usage != null)?.usage,
    omitted: bodies.findLast(({ omitted_defaults }) => omitted_defaults)?.omitted_defaults,
    error: bodies.find(({ error }) => error)?.error,
  };
}

/** Events whole; a last line that is cut is not read. */
const toData = (text: string): readonly string[] => [...text.matchAll(/^data: (.*)\n/gm)].map(([, data = '']) => data);

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  if (!(response.headers.get('content-type') ?? '').includes('event-stream'))
    return toAnswer(response.status, [JSON.parse(text) as Body]);
  const data = toData(text);
  const bodies = data.filter((each) => each !== '[DONE]').map((each) => JSON.parse(each) as Body);
  const isEnded = data.at(-1) === '[DONE]' || bodies.at(-1)?.error !== undefined;
  if (!isEnded) throw new Error(`The stream has no end: ${text}`);
  return toAnswer(response.status, bodies);
}

const QUESTIONS = ['Where is my parcel?', 'Cancel the order.', 'The page is empty, why?', 'Reset my password please'];
const toRequest = (content: string, more: object): object => ({
  model,
  messages: [{ role: 'user', content }],
  ...(server.refuses ? {} : { temperature: 0 }),
  ...more,
});
const post = (body: object, signal: AbortSignal | null = null): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
  signal,
});

type Wire = 'whole' | 'held' | 'without-reason' | 'without-end';

/** Stands between studio and server, and can hold or cut what the server sends in a stream. */
async function openWire(): Promise<{ origin: string; mode: Wire; closed: number; close: () => void }> {
  const isReason = (event: string): boolean =>
    toData(`${event}\n`).some((data) => /"finish_reason": ?"/.test(data) || data === '[DONE]');
  async function pass(from: Response, to: ServerResponse): Promise<void> {
    to.writeHead(from.status, { 'content-type': from.headers.get('content-type') ?? '' });
    let rest = '';
    const decoder = new TextDecoder();
    for await (const part of from.body ?? []) {
      rest += decoder.decode(part as Uint8Array, { stream: true });
      const events = rest.split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        const isDone = event === 'data: [DONE]';
        if (wire.mode === 'without-end' && isReason(event)) continue;
        if (wire.mode === 'without-reason' && isReason(event) && !isDone) continue;
        to.write(`${event}\n\n`);
        if (wire.mode === 'held' && event.startsWith('data: ')) await once(to, 'close');
      }
    }
    if (wire.mode === 'without-reason' && name === 'transformers') rest = 'data: [DONE]\n\n';
    to.end(rest);
  }
  const listener = createServer((request, response) => {
    const body: Buffer[] = [];
    const leaving = new AbortController();
    response.once('close', () => {
      if (response.writableEnded) return;
      wire.closed += 1;
      leaving.abort();
    });
    request.on('data', (part: Buffer) => body.push(part));
    request.once('end', () => {
      const { method = 'GET', url = '', headers } = request;
      const { authorization = '', 'content-type': type = '' } = headers;
      const init = {
        method,
        headers: {
          ...(type === '' ? {} : { 'content-type': type }),
          ...(authorization === '' ? {} : { authorization }),
        },
        ...(method === 'POST' ? { body: Buffer.concat(body) } : {}),
        signal: leaving.signal,
      };
      fetch(address + url, init)
        .then((answer) => pass(answer, response))
        .catch(() => response.destroy());
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const wire = {
    origin: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    mode: 'whole' as Wire,
    closed: 0,
    close: (): void => {
      listener.closeAllConnections();
      listener.close();
    },
  };
  return wire;
}

async function row(title: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
    console.log(`ok ${name}: ${title}`);
  } catch (error) {
    console.log(`FAIL ${name}: ${title}: ${String(error).replaceAll('\n', ' ').slice(0, 600)}`);
  }
}

/** Throws unless the parts of `seen` that `expected` names are those. */
function hold(seen: object, expected: object): void {
  const own = Object.fromEntries(Object.keys(expected).map((key) => [key, seen[key as keyof typeof seen] ?? null]));
  if (JSON.stringify(own) !== JSON.stringify(expected))
    throw new Error(`${JSON.stringify(expected)} was expected of ${JSON.stringify(seen)}`);
}

const wire = await openWire();

async function withStudio(args: readonly string[], work: (studio: Place) => Promise<void>): Promise<void> {
  const dataDir = makeFolder(`engines-${name}`);
  const { child, output } = await spawnNpmStart(
    ['--port', '0', '--data', dataDir, '--no-sample', '--trainer', 'none', '--engine', wire.origin, ...args],
    KEY === undefined ? {} : { STUDIO_ENGINE_KEY: KEY },
    'checkout',
  );
  try {
    const link = new URL(await waitForLink(child, output, 300));
    await work({ origin: link.origin, token: link.searchParams.get('token') ?? '' });
  } finally {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const SCHEMA = { type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'], additionalProperties: false };
const FORMAT = { type: 'json_schema', json_schema: { name: 'a', schema: SCHEMA, strict: true } };
const TOOLS = [{ type: 'function', function: { name: 'look_up', description: 'Looks up', parameters: SCHEMA } }];
const [FIRST = ''] = QUESTIONS;
const STREAM = { stream: true, stream_options: { include_usage: true } };

async function checkChats(studio: Place): Promise<void> {
  const chat = async (more: object = {}, content = FIRST): Promise<Answer> =>
    read(
      await send(studio, '/api/v1/chat/completions', post(toRequest(content, { max_completion_tokens: 24, ...more }))),
    );
  const askServer = async (content: string): Promise<Answer> => {
    const init = post(toRequest(content, { max_tokens: 24, max_completion_tokens: 24 }));
    const headers = { ...init.headers, ...(KEY === undefined ? {} : { authorization: `Bearer ${KEY}` }) };
    return read(await fetch(`${address}/v1/chat/completions`, { ...init, headers }));
  };
  const answers = new Map<string, Answer>();
  const plain = async (): Promise<Answer> => answers.get(FIRST) ?? chat();
  const refused = server?.refuses ?? null;

  await row('answers and streams are those of the server, with its reason and usage', async () => {
    for (const question of QUESTIONS) {
      const own = await askServer(question);
      answers.set(question, own);
      const { completion_tokens, prompt_tokens, total_tokens } = own.usage ?? {};
      const usage = server?.counts ? { completion_tokens, prompt_tokens, total_tokens } : null;
      const expected = { status: 200, text: own.text, reason: own.reason, usage, omitted: refused, error: null };
      if (own.text === '') throw new Error('The server says nothing.');
      hold(await chat({}, question), expected);
      hold(await chat(STREAM, question), expected);
    }
  });
  await row('what was asked for in numbers is not left out', async () => {
    const { status, omitted } = await chat({ temperature: 0.5 });
    if (refused === null) hold({ status, omitted: omitted ?? null }, { status: 200, omitted: null });
    else if (status < 400) throw new Error(`Answered with ${status}, although its server refuses temperature.`);
  });
  await row('an answer cut by its length is cut', async () => {
    const { text } = await plain();
    const reason = server?.tellsLength ? 'length' : 'stop';
    for (const more of [{}, STREAM]) {
      const cut = await chat({ ...more, max_completion_tokens: 3 });
      hold(cut, { status: 200, reason, error: null });
      if (cut.text === '' || cut.text.length >= text.length || !text.startsWith(cut.text)) throw new Error(cut.text);
      if (server?.counts && cut.usage?.['completion_tokens'] !== 3) throw new Error(JSON.stringify(cut.usage));
    }
  });
  await row('an answer ends before its stop sequence', async () => {
    const { text } = await plain();
    // A word, and what begins within a token and ends within another.
    for (const stop of server?.deletesStop ? [' depot'] : [' depot', 'pot at']) {
      const expected = { status: 200, text: text.slice(0, text.indexOf(stop)), reason: 'stop', error: null };
      hold(await chat({ stop: [stop] }), expected);
      hold(await chat({ ...STREAM, stop }), expected);
    }
  });
  await row('a schema that the server ignores is a fault, with the text', async () => {
    const { text } = await plain();
    const whole = await chat({ response_format: FORMAT });
    hold(whole, { status: 502 });
    hold(whole.error ?? {}, { code: 'schema_not_followed', param: 'response_format' });
    if (!whole.error?.message.includes(text)) throw new Error(whole.error?.message);
    const streamed = await chat({ ...STREAM, response_format: FORMAT });
    hold(streamed, { status: 200, text });
    hold(streamed.error ?? {}, { code: 'schema_not_followed', param: 'response_format' });
  });
  await row('a schema is not judged by an answer that was cut', async () => {
    const cut = await chat({ response_format: FORMAT, max_completion_tokens: 3 });
    // Nothing says that it was cut.
    if (!server?.tellsLength) return hold(cut, { status: 502 });
    hold(cut, { status: 200, reason: 'length', error: null });
  });
  await row('a call that was asked for and did not come is a fault', async () => {
    for (const tool_choice of ['required', { type: 'function', function: { name: 'look_up' } }]) {
      const { status, error } = await chat({ tools: TOOLS, tool_choice });
      if (server?.refusesCalls) {
        if (status !== 400 && status !== 422) throw new Error(`${status} ${error?.message}`);
        continue;
      }
      hold(error ?? {}, { code: 'schema_not_followed', param: 'tool_choice' });
    }
    hold(await chat({ tools: TOOLS }), { status: 200, reason: 'stop', error: null });
  });
  await row('the Responses API has the same text and fault', async () => {
    const { text } = await plain();
    const limits = refused ? {} : { temperature: 0 };
    const made = await send(
      studio,
      '/api/v1/responses',
      post({ model, input: FIRST, max_output_tokens: 24, ...limits }),
    );
    const { output } = (await made.json()) as { output?: readonly { content?: readonly { text: string }[] }[] };
    hold({ status: made.status, text: output?.[0]?.content?.[0]?.text }, { status: 200, text });
    const format = { format: { type: 'json_schema', name: 'a', schema: SCHEMA, strict: true } };
    const held = await send(studio, '/api/v1/responses', post({ model, input: FIRST, text: format, ...limits }));
    const body = (await held.json()) as Body;
    hold({ ...body, ...body.error, status: held.status }, { status: 502, code: 'schema_not_followed' });
  });
  await row('a stream without a reason is null, and without an end it broke off', async () => {
    const { text } = await plain();
    wire.mode = 'without-reason';
    hold(await chat(STREAM), { status: 200, text, reason: null, error: null });
    hold(await chat(), { status: 200, text, reason: null });
    wire.mode = 'without-end';
    hold(await chat(STREAM), { status: 200, text });
    hold((await chat(STREAM)).error ?? {}, { code: 'upstream_interrupted' });
    wire.mode = 'whole';
  });
  await row('who leaves ends the answer at the server, which answers the next', async () => {
    const { text, reason } = await plain();
    wire.mode = 'held';
    const before = wire.closed;
    const leaving = new AbortController();
    const init = post(toRequest(FIRST, { ...STREAM, max_completion_tokens: 24 }), leaving.signal);
    const response = await send(studio, '/api/v1/chat/completions', init);
    await response.body?.getReader().read();
    if (wire.closed !== before) throw new Error('It was closed before anybody left.');
    leaving.abort();
    for (let tries = 0; wire.closed === before; tries += 1) {
      if (tries === 100) throw new Error('It goes on after 5 s.');
      await wait(50);
    }
    wire.mode = 'whole';
    hold(await chat(), { status: 200, text, reason });
  });
}

const isReady = async (studio: Place): Promise<boolean> => (await send(studio, '/readyz')).ok;

try {
  if (!server.hasList) {
    await withStudio([], (studio) =>
      row('a server without a list is not ready, and the way out is said', async () => {
        if (await isReady(studio)) throw new Error('It is ready.');
        const { status, error } = await read(
          await send(studio, '/api/v1/chat/completions', post(toRequest(FIRST, {}))),
        );
        if (!error?.message.includes('--engine-model')) throw new Error(`${status} ${error?.message}`);
      }),
    );
  }
  await withStudio(server.hasList ? [] : ['--engine-model', model], async (studio) => {
    await row('is ready, and its model is listed', async () => {
      if (!(await isReady(studio))) throw new Error('It is not ready.');
      const { data } = (await (await send(studio, '/api/v1/models')).json()) as { data: { id: string }[] };
      if (!data.some(({ id }) => id === model)) throw new Error(JSON.stringify(data));
    });
    await checkChats(studio);
  });
} finally {
  wire.close();
}
