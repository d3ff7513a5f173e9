// The whole pipeline, bytes to message: each stream in wire/ gives one message, however it is cut.
import { describe, expect, it } from 'vitest';
import { deltaReader } from './deltas.ts';
import { loneThinkClose } from './loneThinkClose.ts';
import { EMPTY_MESSAGE, reduceMessages, type AssistantMessage } from './message.ts';
import { readStream } from './readStream.ts';
import { sseDecoder } from './sseDecode.ts';
import { thinkStep } from './thinkTags.ts';

const files = import.meta.glob<string>('./wire/*.sse', { query: '?raw', import: 'default', eager: true });

function wire(name: string): string {
  const text = files[`./wire/${name}.sse`];
  if (text === undefined) throw new Error(`wire/${name}.sse is missing`);
  return text;
}

const encoder = new TextEncoder();

type Batch = ReturnType<ReturnType<typeof sseDecoder>['push']>;

/** One for all: at the end of a stream it is as new, and making one takes long. */
const text = new TextDecoder();

/** The server-sent events of each piece, as openChat reads them, and those that the end of the stream gives. */
function toBatches(pieces: readonly Uint8Array[]): readonly Batch[] {
  const sse = sseDecoder();
  return [
    ...pieces.map((piece) => sse.push(text.decode(piece, { stream: true }))),
    sse.push(text.decode()),
    sse.flush(),
  ];
}

/** Field by field: as JSON this took half of the time of all cuts. */
const isSame = (ones: Batch, others: Batch): boolean =>
  ones.length === others.length &&
  ones.every(({ event, data, fault }, at) => {
    const other = others[at];
    return event === other?.event && data === other.data && fault === other.fault;
  });

/** The rest of the pipeline: what it gives depends on these batches alone. */
function toMessage(batches: readonly Batch[]): AssistantMessage {
  const deltas = deltaReader();
  const think = thinkStep();
  const loneClose = loneThinkClose();
  const all = [...batches.map((found) => found.flatMap((event) => deltas.push(event))), deltas.close()];
  return all.reduce((message, batch) => reduceMessages(message, loneClose.push(think.push(batch))), EMPTY_MESSAGE);
}

/** The pure pipeline over byte pieces, as openChat runs it. */
const decode = (pieces: readonly Uint8Array[]): AssistantMessage => toMessage(toBatches(pieces));

const BASE: AssistantMessage = {
  ...EMPTY_MESSAGE,
  id: 'chatcmpl-B9x',
  model: 'gpt-4o-mini-2024-07-18',
  created: 1763650000,
};

const STOPPED: AssistantMessage = { ...BASE, finish_reason: 'stop', state: 'complete' };
const CALLED: AssistantMessage = { ...BASE, finish_reason: 'tool_calls', state: 'complete' };
const CUT: AssistantMessage = {
  ...BASE,
  state: 'interrupted',
  problem: { message: 'The connection ended before the answer was complete.', code: null, param: null },
};

const EXPECTED: Readonly<Record<string, AssistantMessage>> = {
  'openai-text': {
    ...STOPPED,
    fingerprint: 'fp_06737a9306',
    text: 'The capital of France is **Paris**.\n\nZażółć gęślą jaźń — 東京 👩🏽‍🚀 \u0301e',
    usage: { completion_tokens: 24, prompt_tokens: 19, total_tokens: 43 },
  },
  'openai-tools': {
    ...CALLED,
    toolCalls: [
      { id: 'call_DdmO9pD3xa9XTPNJ32zg2hcA', name: 'get_weather', arguments: '{"city": "Paris ☂"}' },
      { id: 'call_ca_2', name: 'get_time', arguments: '{"zone":"Europe/Paris"}' },
    ],
  },
  'llamacpp-reasoning': {
    ...STOPPED,
    id: 'chatcmpl-7Zq',
    model: 'qwen3-0.6b',
    fingerprint: 'b6500-abc',
    reasoning: 'Okay, the user\nwants 2+2.',
    text: '4.',
    usage: { completion_tokens: 9, prompt_tokens: 14, total_tokens: 23 },
    tokensPerSecond: 98.68,
  },
  'vllm-length': {
    ...BASE,
    id: 'chatcmpl-v',
    model: 'Qwen/Qwen3-8B',
    reasoning: 'Let me think.',
    text: 'Done',
    finish_reason: 'length',
    state: 'complete',
  },
  'think-tags': {
    ...STOPPED,
    model: 'deepseek-r1',
    reasoning: 'First, 1 < 2 </thi no ',
    text: 'The answer: `<think>` is a tag.',
  },
  // The first chunk has empty fields and created 0: what it leaves out comes from the next.
  'azure-heartbeats': { ...STOPPED, fingerprint: 'fp_azure', text: 'Hello there' },
  'error-data': {
    ...BASE,
    text: 'Half an answer',
    state: 'failed',
    problem: { message: 'CUDA out of memory', code: 'oom', param: null },
  },
  'error-event': {
    ...BASE,
    text: 'Half an answer',
    state: 'failed',
    problem: { message: 'engine stopped', code: null, param: null },
  },
  'no-done': { ...STOPPED, text: 'Half an answer' },
  'cut-text': { ...CUT, text: 'Half an answer' },
  'cut-tool-arguments': {
    ...CUT,
    toolCalls: [{ id: 'call_a', name: 'delete_all', arguments: '{"table": "us' }],
  },
  'ollama-same-index': {
    ...CALLED,
    id: 'chatcmpl-442',
    model: 'llama3.2',
    toolCalls: [
      { id: 'call_8k', name: 'add', arguments: '{"a":1}' },
      { id: 'call_9l', name: 'add', arguments: '{"a":2}' },
    ],
  },
  'tools-without-index': {
    ...CALLED,
    id: 'x1',
    toolCalls: [{ id: 'call_x1_0', name: 'search', arguments: '{"q":"cats"}' }],
  },
  'vllm-tools': {
    ...CALLED,
    id: 'chatcmpl-v',
    model: 'Qwen/Qwen3-8B',
    reasoning: 'Two cities.',
    toolCalls: [
      { id: 'chatcmpl-tool-c9Z', name: 'get_weather', arguments: '{"city": "Köln"}' },
      { id: 'chatcmpl-tool-HfZ', name: 'get_weather', arguments: '{"city": "Bonn"}' },
    ],
  },
  'vllm-new-ids': {
    ...CALLED,
    id: 'chatcmpl-v',
    model: 'Qwen/Qwen3-8B',
    toolCalls: [{ id: 'chatcmpl-tool-1', name: 'find', arguments: '{"q":"cats"}' }],
  },
  'vllm-lone-think': {
    ...STOPPED,
    id: 'chatcmpl-v',
    model: 'deepseek-ai/DeepSeek-R1-Distill-Qwen-32B',
    reasoning: 'Alright the user says hello. 1 < 2.\n',
    text: 'Hello, how can I help?',
  },
  'sglang-tools': {
    ...CALLED,
    id: 'e6bb3ff1',
    model: 'Qwen/Qwen3',
    reasoning: '\nOkay, two sums.',
    toolCalls: [
      { id: 'call_mul', name: 'multiply', arguments: '{"a": 3, "b": 12}' },
      { id: 'call_e6bb3ff1_1', name: 'add', arguments: '{"a": 11, "b": 49}' },
    ],
    usage: { completion_tokens: 48, prompt_tokens: 210, total_tokens: 258 },
  },
  'llamacpp-tools': {
    ...CALLED,
    id: 'chatcmpl-ll',
    model: 'qwen3-8b',
    fingerprint: 'b6500-abc',
    toolCalls: [
      { id: 'D681PevKs', name: 'find', arguments: '{"q":"{}"}' },
      { id: 'E792QfwLt', name: 'now', arguments: '{}' },
    ],
    tokensPerSecond: 41.5,
  },
  'ollama-tools': {
    ...CALLED,
    id: 'chatcmpl-18',
    model: 'qwen2.5-coder:7b',
    fingerprint: 'fp_ollama',
    reasoning: 'List, then all.',
    toolCalls: [
      { id: 'call_wteop8bt', name: 'run_command', arguments: '{"command":"ls"}' },
      { id: 'call_rk2xye1l', name: 'run_command', arguments: '{"command":"ls -l"}' },
    ],
  },
  'gemini-same-index': {
    ...STOPPED,
    id: 'bGmrZ4',
    model: 'gemini-2.5-flash',
    toolCalls: [
      { id: 'call_bGmrZ4_0', name: 'get_weather', arguments: '{"city":"Rome"}' },
      { id: 'call_bGmrZ4_1', name: 'get_weather', arguments: '{"city":"Rome"}' },
      { id: 'call_bGmrZ4_2', name: 'get_time', arguments: '{"zone":"Europe/Rome"}' },
    ],
    usage: { completion_tokens: 36, prompt_tokens: 60, total_tokens: 96 },
  },
  'gemini-without-index': {
    ...STOPPED,
    id: 'bGmrZ4',
    model: 'gemini-2.5-flash',
    toolCalls: [
      { id: 'call_bGmrZ4_0', name: 'get_weather', arguments: '{"city":"Rome"}' },
      { id: 'call_bGmrZ4_1', name: 'get_weather', arguments: '{"city":"Oslo"}' },
    ],
  },
  'gemini-error': {
    ...BASE,
    id: 'bGmrZ4',
    model: 'gemini-2.5-flash',
    text: 'Half an answer',
    state: 'failed',
    problem: { message: 'The model is overloaded. Please try again later.', code: '503', param: null },
  },
  'mistral-thinking': {
    ...STOPPED,
    id: 'cmpl-ms',
    model: 'magistral-medium-2509',
    reasoning: 'Two and two. Done.',
    text: 'The sum is 4.',
    usage: { completion_tokens: 28, prompt_tokens: 12, total_tokens: 40 },
  },
  'mistral-tools': {
    ...CALLED,
    id: 'cmpl-ms',
    model: 'mistral-small-latest',
    toolCalls: [
      { id: 'D681PevKs', name: 'find', arguments: '{"q": "a"}' },
      { id: 'TqW9sL2xa', name: 'find', arguments: '{"q":"b"}' },
    ],
    usage: { completion_tokens: 30, prompt_tokens: 92, total_tokens: 122 },
  },
};

const NAMES = Object.keys(EXPECTED);

const FORMS: readonly (readonly [string, (text: string) => string])[] = [
  ['LF', (text) => text],
  ['CRLF', (text) => text.replaceAll('\n', '\r\n')],
  ['CR', (text) => text.replaceAll('\n', '\r')],
  ['byte order mark', (text) => `\uFEFF${text}`],
  // Every second line ends in CR, so CR and LF of different lines stand beside each other.
  ['mixed', (text) => text.replaceAll('\n\n', '\n\r').replaceAll('}\n\r', '}\r\n\r')],
];

it('has an expectation for every stream in wire/', () => {
  expect(
    Object.keys(files)
      .map((path) => path.slice('./wire/'.length, -'.sse'.length))
      .sort(),
  ).toEqual([...NAMES].sort());
});

/** Other line ends change what happens at the ends of lines and at the beginning: elsewhere cuts are those of LF. */
const isOwnCut = (bytes: Uint8Array, cut: number): boolean =>
  cut < 8 || [-2, -1, 0, 1].some((by) => bytes[cut + by] === 10 || bytes[cut + by] === 13);

describe.each(NAMES)('%s', (name) => {
  it.each(FORMS)('gives the same message wherever it is cut, line ends %s', (form, toForm) => {
    const bytes = encoder.encode(toForm(wire(name)));
    expect(decode([bytes])).toEqual(EXPECTED[name]);
    const different: number[] = [];
    const expected = JSON.stringify(EXPECTED[name]);
    const events = toBatches([bytes]).flat();
    // Most cuts give the same events in the same batches, and those give the same message.
    const seen = new Set<string>();
    for (let cut = 1; cut < bytes.length; cut += 1) {
      if (form !== 'LF' && !isOwnCut(bytes, cut)) continue;
      const batches = toBatches([bytes.subarray(0, cut), bytes.subarray(cut)]);
      if (isSame(batches.flat(), events)) {
        const sizes = batches.map(({ length }) => length).join();
        if (seen.has(sizes)) continue;
        seen.add(sizes);
      }
      if (JSON.stringify({ ...EXPECTED[name], ...toMessage(batches) }) !== expected) different.push(cut);
    }
    expect(different).toEqual([]);
  });

  it('gives the same message byte by byte, through the reader', async () => {
    const bytes = encoder.encode(wire(name));
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < bytes.length; at += 1) controller.enqueue(bytes.subarray(at, at + 1));
        controller.close();
      },
    });
    const think = thinkStep();
    const loneClose = loneThinkClose();
    let message = EMPTY_MESSAGE;
    for await (const batch of readStream(body)) message = reduceMessages(message, loneClose.push(think.push(batch)));
    expect(message).toEqual(EXPECTED[name]);
  });
});

it('is interrupted, or failed, or complete: at every point where a stream can be cut off, never still open', () => {
  const bytes = encoder.encode(wire('openai-tools'));
  const whole = EXPECTED['openai-tools']!;
  const complete = JSON.stringify(whole.toolCalls);
  const wrong: (readonly [cut: number, message: AssistantMessage])[] = [];
  let before: readonly Batch[] | null = null;
  for (let cut = 0; cut < bytes.length; cut += 1) {
    const batches = toBatches([bytes.subarray(0, cut)]);
    // Within a line the same has come as before.
    if (before?.every((batch, at) => isSame(batch, batches[at]!))) continue;
    before = batches;
    const message = toMessage(batches);
    // What has arrived is a beginning of what would have come: nothing is repaired, nothing is made up.
    const isBeginning =
      message.state === 'complete'
        ? JSON.stringify(message.toolCalls) === complete
        : message.toolCalls.every((call, place) => whole.toolCalls[place]!.arguments.startsWith(call.arguments));
    if (message.state === 'open' || !isBeginning) wrong.push([cut, message]);
  }
  expect(wrong).toEqual([]);
});
