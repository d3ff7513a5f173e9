// For tests only: an engine in memory, whose models behave as their names say.
import { EngineError, type Engine, type EngineEvent, type LoadedModel } from '#engine/engine.ts';

export interface TestEngine extends Engine {
  /** Models whose answers were aborted, in order. */
  readonly aborted: string[];
  /** Requests as the engine got them. */
  readonly requests: unknown[];
  isClosed(): boolean;
}

const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

const text = (value: string): EngineEvent => ({ type: 'text-delta', text: value });
const end = (
  finish_reason: 'stop' | 'length' | 'tool_calls' = 'stop',
  usage: typeof USAGE | null = USAGE,
): EngineEvent => ({ type: 'message-end', finish_reason, usage });

/** Waits until the signal aborts, then throws as an engine does. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(new DOMException('The answer was aborted.', 'AbortError'));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

const full = (): EngineError =>
  new EngineError('The prompt has 9 tokens, the model takes 8.', 400, 'context_length_exceeded', 'messages');

type Script = (signal: AbortSignal) => AsyncIterable<EngineEvent>;

/** An answer whose first step is `step`, which rejects. */
const without = (step: () => Promise<never>): AsyncIterable<EngineEvent> => ({
  [Symbol.asyncIterator]: () => ({ next: step }),
});

const SCRIPTS: Readonly<Record<string, Script>> = {
  async *plain() {
    yield text('Grüße ');
    yield text('"you"\n');
    yield end();
  },
  async *scored() {
    yield { type: 'text-delta', text: 'a', tokens: [{ text: 'a', offset: 0, logprob: null, top: null }] };
    yield {
      type: 'text-delta',
      text: ' b',
      tokens: [{ text: ' b', offset: 1, logprob: -2, top: [[' c', -0.5]] }],
    };
    yield end('length');
  },
  async *probable() {
    const token = { token: 'a', logprob: -0.5, bytes: [97], top_logprobs: [{ token: 'b', logprob: -2, bytes: null }] };
    yield text('a');
    yield { type: 'logprobs', tokens: [token] };
    yield { type: 'logprobs', tokens: [{ ...token, token: '.' }] };
    yield end();
  },
  async *'no-usage'() {
    yield text('x');
    yield end('length', null);
  },
  async *thinking() {
    yield { type: 'reasoning-delta', text: 'hm' };
    yield text('yes');
    yield end();
  },
  async *tools() {
    yield { type: 'tool-call-delta', index: 0, id: 'call_a', name: 'look_up' };
    yield { type: 'tool-call-delta', index: 0, arguments: '{"id":' };
    yield { type: 'tool-call-delta', index: 0, arguments: '7}' };
    yield { type: 'tool-call-delta', index: 1, id: 'call_b', name: 'send', arguments: '{}' };
    yield end('tool_calls');
  },
  overflow: () => without(() => Promise.reject(full())),
  async *'breaks-late'() {
    yield text('half ');
    throw new EngineError('The engine ran out of memory.', 503, 'out_of_memory');
  },
  async *'crashes-late'() {
    yield text('half ');
    throw new TypeError('secret inner detail');
  },
  async *'never-ends'() {
    yield text('half ');
  },
  silent: (signal) => without(() => untilAborted(signal)),
  async *stalls(signal) {
    yield text('first ');
    await untilAborted(signal);
  },
  async *flood(signal) {
    const piece = text('x'.repeat(8_000));
    while (!signal.aborted) {
      yield piece;
      await new Promise(setImmediate);
    }
    await untilAborted(signal);
  },
};

export function openTestEngine(): TestEngine {
  const aborted: string[] = [];
  const requests: unknown[] = [];
  let isClosed = false;
  const toModel = (id: string, script: Script): LoadedModel => ({
    id: `full/${id}`,
    fingerprint: 'fp_1',
    generate(request, signal) {
      requests.push(request);
      signal.addEventListener('abort', () => aborted.push(id), { once: true });
      return script(signal);
    },
  });
  /** `complete` as the script `scored`; the other models only chat. */
  const toTextModel = (model: LoadedModel): LoadedModel => ({
    ...model,
    complete(request, signal) {
      requests.push(request);
      signal.addEventListener('abort', () => aborted.push('scored'), { once: true });
      return SCRIPTS['scored']?.(signal) ?? (async function* () {})();
    },
  });
  return {
    aborted,
    requests,
    isClosed: () => isClosed,
    listModels: async () =>
      Object.keys(SCRIPTS).map((id) => ({ id, created: 1, object: 'model' as const, owned_by: 'test' })),
    findModel: async (id) =>
      Object.hasOwn(SCRIPTS, id) ? { id, created: 1, object: 'model' as const, owned_by: 'test' } : null,
    check: async () => undefined,
    async load(model, signal) {
      if (model === 'loads-forever') {
        signal.addEventListener('abort', () => aborted.push(model), { once: true });
        return untilAborted(signal);
      }
      if (model === 'damaged') throw new EngineError('The file x.gguf is damaged.', 500, 'model_damaged', 'model');
      const script = Object.hasOwn(SCRIPTS, model) ? SCRIPTS[model] : undefined;
      if (!script) return null;
      return model === 'scored' ? toTextModel(toModel(model, script)) : toModel(model, script);
    },
    async close() {
      isClosed = true;
    },
  };
}
