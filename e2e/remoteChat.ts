// How the remote studio answers a chat request: real streams at a set rate, and failures steered by the model id.
// It knows the wire only: no product code, so that it can find the product's faults.
import type { ServerResponse } from 'node:http';
import { makeDocument } from './bench/streamingDocument.ts';

export interface RemoteChatRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly messages: readonly { readonly role: string; readonly content?: string | null }[];
  readonly max_completion_tokens?: number | null;
  readonly seed?: number | null;
  readonly logprobs?: boolean | null;
}

export interface ChatSetting {
  /** Rate of models that don't name their own; 0 = as fast as the reader takes it. */
  readonly tokensPerSecond: number;
  /** A streamed answer waits for this after its first event, if it is given. */
  readonly released?: Promise<void>;
}

type Json = Record<string, unknown>;

const END = 'data: [DONE]\n\n';

const sse = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

function toChunk(model: string, delta: Json, finish: string | null = null): Json {
  return {
    id: 'chatcmpl-remote',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model,
    system_fingerprint: 'fp_remote',
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'remote-request', ...headers });
  response.end(JSON.stringify(value));
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-request-id': 'remote-request',
  });
  response.flushHeaders();
}

const gone = (response: ServerResponse): boolean => response.destroyed || response.closed;

/** Resolves when the reader takes more, or has gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, milliseconds));

/** Writes `events` at `perSecond` (0: full speed, 32 events a write), stopping when the reader has gone. */
async function play(response: ServerResponse, events: readonly string[], perSecond: number): Promise<void> {
  const start = performance.now();
  let sent = 0;
  while (sent < events.length && !gone(response)) {
    const due = perSecond === 0 ? sent + 32 : Math.floor(((performance.now() - start) * perSecond) / 1000) + 1;
    if (due <= sent) {
      await pause(Math.max(1, ((sent + 1) * 1000) / perSecond - (performance.now() - start)));
      continue;
    }
    const ready = events.slice(sent, due);
    sent += ready.length;
    if (!response.write(ready.join(''))) await drained(response);
  }
}

const toWords = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [text];

/** A markdown answer that quotes the last user message: heading, list, table, code, link, image, raw HTML. */
function toEchoText(request: RemoteChatRequest): string {
  const last = request.messages.findLast((message) => message.role === 'user')?.content ?? '';
  return [
    `## Echo of ${request.model}`,
    '',
    `You wrote: **${last}**`,
    '',
    '- one',
    '- two with `code`',
    '',
    '| name | value |',
    '| --- | ---: |',
    '| temperature | 0.7 |',
    '',
    '```python',
    'print("hello")',
    '```',
    '',
    '[a link](https://example.com/path?q=1) ![image](https://example.com/pixel.png) <b onclick="alert(1)">raw</b>',
    '',
  ].join('\n');
}

const SYLLABLES = [
  'model ',
  'learns ',
  'rate ',
  'from ',
  'the ',
  'data, ',
  'step ',
  'by ',
  'step.\n\n',
  'and ',
  '`code` ',
  '**bold** ',
];

const toTokens = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => SYLLABLES[(index * 7) % SYLLABLES.length] ?? 'word ');

/** What a model says that names its length: `document:n` is markdown of about n words, `stream:n` is n short pieces. */
function toTimed(model: string): { readonly pieces: string[]; readonly perSecond: number } | null {
  const [, kind, count, perSecond] = /^(stream|document):(\d+):(\d+)$/.exec(model) ?? [];
  if (kind === undefined) return null;
  return {
    pieces: kind === 'stream' ? toTokens(Number(count)) : toWords(makeDocument(Number(count))),
    perSecond: Number(perSecond),
  };
}

/** Of `edited:n:k`: n words in sentences, of which the k-th edition has other words here and there. */
function toEdition(model: string): string | null {
  const [, count, edition] = /^edited:(\d+):(\d+)$/.exec(model) ?? [];
  if (count === undefined) return null;
  return Array.from({ length: Number(count) }, (_, at) => {
    const word = `${(SYLLABLES[(at * 7) % 5] ?? '').trim()}${at % 97}`;
    return `${at % 7 === 3 ? `${word}v${edition}` : word}${at % 16 === 15 ? `.${at % 80 === 79 ? '\n\n' : ' '}` : ' '}`;
  }).join('');
}

/** What `verbatim` and `seeded` say: the last message of the user itself, and whether the seed is even. */
function toPlainText({ model, messages, seed }: RemoteChatRequest): string | null {
  const edition = toEdition(model);
  if (edition !== null) return edition;
  if (model === 'seeded') return `The seed is ${(seed ?? 0) % 2 === 0 ? 'even' : 'odd'}.`;
  return model === 'verbatim' ? (messages.findLast(({ role: by }) => by === 'user')?.content ?? '') : null;
}

/** Answer in pieces and their rate, for models that simply answer. */
function toAnswer(
  request: RemoteChatRequest,
  setting: ChatSetting,
): { pieces: string[]; perSecond: number; cut: boolean } {
  const { pieces, perSecond } = toTimed(request.model) ?? {
    pieces: toWords(toPlainText(request) ?? toEchoText(request)),
    perSecond: setting.tokensPerSecond,
  };
  const limit = request.max_completion_tokens ?? pieces.length;
  return { pieces: pieces.slice(0, limit), perSecond, cut: limit < pieces.length };
}

type Script = (response: ServerResponse, model: string) => Promise<void> | void;

const text = (model: string, content: string): string => sse(toChunk(model, { content }));
const role = (model: string): string => sse(toChunk(model, { role: 'assistant', content: '' }));
const stop = (model: string, reason = 'stop'): string => sse(toChunk(model, {}, reason));

/** Streams whatever `lines` says and ends properly. */
const stream =
  (lines: (model: string) => readonly string[]): Script =>
  (response, model) => {
    openStream(response);
    response.end(lines(model).join(''));
  };

const toolCall = (model: string, piece: Json): string => sse(toChunk(model, { tool_calls: [piece] }));

/** Failures before an answer begins, the same with and without streaming. */
const EARLY: Readonly<Record<string, Script>> = {
  'fault:429': (response) => sendJson(response, 429, { error: 'Too many requests.' }, { 'retry-after': '1' }),
  'fault:429-long': (response) => sendJson(response, 429, { error: 'Too many requests.' }, { 'retry-after': '20' }),
  'fault:500-html': (response) => {
    response.writeHead(500, { 'content-type': 'text/html' });
    response.end('<html><body><h1>502 Bad Gateway</h1><script>alert(1)</script></body></html>');
  },
  'fault:redirect': (response) => {
    response.writeHead(307, { location: 'http://127.0.0.1:9/elsewhere' });
    response.end();
  },
  'fault:destroy': (response) => void response.destroy(),
  // Never answers: for header timeouts and aborts before the first byte.
  'fault:silent': () => undefined,
};

let hasRestarted = false;

const STREAMED: Readonly<Record<string, Script>> = {
  'fault:cut': async (response, model) => {
    openStream(response);
    response.write(role(model) + text(model, 'The first half of ') + text(model, 'an answer'));
    await pause(50);
    response.destroy();
  },
  'fault:no-done': stream((model) => [role(model), text(model, 'An answer without the end mark.'), stop(model)]),
  'fault:no-end': stream((model) => [role(model), text(model, 'An answer that just stops')]),
  'fault:error-event': stream((model) => [
    role(model),
    text(model, 'Some text, then '),
    'event: error\ndata: {"error":{"message":"The remote engine ran out of memory.","code":"out_of_memory"}}\n\n',
  ]),
  'fault:error-data': stream((model) => [
    role(model),
    text(model, 'Some text, then '),
    sse({
      error: { message: 'The remote engine stopped.', type: 'server_error', param: null, code: 'engine_stopped' },
    }),
  ]),
  // Every second request is answered.
  'fault:restart': (response, model) => {
    hasRestarted = !hasRestarted;
    const error = { message: 'The process that ran this model has ended.', code: 'engine_restarted' };
    const end = hasRestarted ? [sse({ error })] : [text(model, 'the whole answer.'), stop(model)];
    return stream(() => [role(model), text(model, 'This is '), ...end])(response, model);
  },
  'fault:not-json': stream((model) => [role(model), text(model, 'Some text, then '), 'data: this is not JSON\n\n']),
  'fault:usage-chunk': stream((model) => [
    role(model),
    text(model, 'Counted.'),
    stop(model),
    sse({ ...toChunk(model, {}), choices: [], usage: { prompt_tokens: 11, completion_tokens: 2, total_tokens: 13 } }),
    END,
  ]),
  'fault:reasoning': stream((model) => [
    role(model),
    sse(toChunk(model, { reasoning_content: 'First I think. ' })),
    sse(toChunk(model, { reasoning: 'Then I decide.' })),
    text(model, 'The answer.'),
    stop(model),
    END,
  ]),
  'fault:think-tags': stream((model) => [
    role(model),
    text(model, '<thi'),
    text(model, 'nk>Hidden steps.</th'),
    text(model, 'ink>The answer.'),
    stop(model),
    END,
  ]),
  'fault:tool-calls': stream((model) => [
    role(model),
    toolCall(model, { index: 0, id: 'call_1', type: 'function', function: { name: 'get_order', arguments: '' } }),
    toolCall(model, { index: 0, function: { arguments: '{"order_' } }),
    toolCall(model, { index: 0, function: { arguments: 'id":"A-17"}' } }),
    toolCall(model, {
      index: 1,
      id: 'call_2',
      type: 'function',
      function: { name: 'get_weather', arguments: '{"city":"Bern"}' },
    }),
    stop(model, 'tool_calls'),
    END,
  ]),
  'fault:split-utf8': async (response, model) => {
    openStream(response);
    // One byte a write: every character and every line end is cut.
    for (const byte of Buffer.from(`${role(model)}${text(model, 'Grüße, 世界 👩‍🔬!')}${stop(model)}${END}`)) {
      response.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    response.end();
  },
  'fault:slow-first': async (response, model) => {
    openStream(response);
    await pause(4000);
    if (!gone(response)) response.end(role(model) + text(model, 'Late, but here.') + stop(model) + END);
  },
  // Two words, then silence: for stop buttons and aborts in mid-stream.
  'fault:stall': (response, model) => {
    openStream(response);
    response.write(role(model) + text(model, 'Still ') + text(model, 'here'));
  },
};

/** A piece as a token, and a second one in its place. The longer it is, the less likely. */
function toLogprobs(piece: string): Json {
  const share = 1 / (1 + piece.trim().length);
  const toEntry = (token: string, probability: number): Json => ({
    token,
    logprob: Math.log(probability),
    bytes: [...Buffer.from(token)],
  });
  return {
    content: [
      { ...toEntry(piece, share), top_logprobs: [toEntry(piece, share), toEntry('other', Math.max(1e-9, 1 - share))] },
    ],
  };
}

function toScoredChunk(model: string, piece: string): string {
  const chunk = toChunk(model, { content: piece });
  const [choice] = chunk['choices'] as Json[];
  return sse({ ...chunk, choices: [{ ...choice, logprobs: toLogprobs(piece) }] });
}

/** Answers one validated chat request. */
export async function answerChat(
  response: ServerResponse,
  request: RemoteChatRequest,
  setting: ChatSetting,
): Promise<void> {
  const { model } = request;
  const early = EARLY[model];
  if (early) return early(response, model);
  if (model.startsWith('missing')) return sendJson(response, 404, { error: `Model ${model} not found.` });
  const script = request.stream ? STREAMED[model] : undefined;
  if (script) return script(response, model);
  if (!request.stream && model === 'fault:stall') return undefined;
  if (!request.stream && model.startsWith('fault:'))
    return sendJson(response, 500, { error: 'The remote engine failed.' });
  const { pieces, perSecond, cut } = toAnswer(request, setting);
  const reason = cut ? 'length' : 'stop';
  if (!request.stream) {
    const usage = { completion_tokens: pieces.length, prompt_tokens: 7, total_tokens: pieces.length + 7 };
    const message = { role: 'assistant', content: pieces.join('') };
    return sendJson(response, 200, {
      id: 'chatcmpl-remote',
      object: 'chat.completion',
      created: 1_790_000_000,
      model,
      system_fingerprint: 'fp_remote',
      choices: [{ index: 0, finish_reason: reason, message }],
      usage,
    });
  }
  openStream(response);
  response.write(role(model));
  await setting.released;
  await play(
    response,
    pieces.map((piece) => (request.logprobs === true ? toScoredChunk : text)(model, piece)),
    perSecond,
  );
  if (!gone(response)) response.end(stop(model, reason) + END);
  return undefined;
}
