// What happens in a process with llama.cpp: files are looked at and loaded, and answers are generated.
import { stat } from 'node:fs/promises';
import type { LlamaModel } from 'node-llama-cpp';
import { toAbortError } from '#engine/abort.ts';
import type { ContextPlan } from '#engine/contextPlan.ts';
import { EngineError, type EngineEvent } from '#engine/engine.ts';
import { toErrorData, type ErrorData } from '#engine/errorData.ts';
import { toFingerprint } from '#engine/fingerprint.ts';
import { findGgufProblem, readHeader } from '#engine/gguf/ggufFile.ts';
import { RUNTIME_VERSION, type GpuChoice, type LlamaRuntime } from '#engine/llamaRuntime.ts';
import { loadWeights, openContexts, readShape } from '#engine/modelLoad.ts';
import { countReusable, type Slot } from '#engine/slot.ts';
import { openVocabulary } from '#engine/vocabulary.ts';
import { generateTokens, prepare, type OpenModel } from './answering.ts';
import { completeText, toTextTokens } from './completing.ts';
import { readIdentity } from './crashMemory.ts';
import {
  AHEAD,
  type Answered,
  type AnswerOrder,
  type FileLook,
  type FromHost,
  type HostCore,
  type HostFile,
  type OpenedModel,
  type SeenFile,
} from './hostMessages.ts';

interface Opened extends OpenModel {
  /** Those that no answer uses. */
  readonly free: Slot[];
}

/** An answer that is generated now. */
interface Running {
  readonly controller: AbortController;
  /** Events that are on their way and were not read yet. */
  unread: number;
  /** Goes on with an answer whose reader was slow. */
  wake: () => void;
}

export interface Host {
  readonly core: HostCore;
  begin(number: number, order: AnswerOrder): void;
  read(number: number, events: number): void;
  leave(number: number): void;
}

/** Least milliseconds between two messages with events: a picture of a screen. A message costs more than a token. */
const GATHER_MS = 16;

async function answered<Value>(work: () => Promise<Value>): Promise<Answered<Value>> {
  try {
    return { value: await work() };
  } catch (error) {
    const refused = toErrorData(error);
    if (refused !== null) return { refused };
    throw error;
  }
}

async function lookAt(path: string, what: string, id: string): Promise<SeenFile> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile()) return { bytes: found.size, identity: await readIdentity(path) };
  throw new EngineError(
    `The ${what} of model "${id}" is missing: ${path}. Put the file back or remove the model.`,
    503,
    'model_file_missing',
  );
}

/** Files that were looked at, as they were. */
const whole = new Set<string>();

async function assertWhole(path: string, seen: SeenFile, kind: 'gguf' | 'adapter', id: string): Promise<void> {
  const key = `${path}\n${seen.identity}`;
  if (whole.has(key)) return;
  const problem = await findGgufProblem(path, kind);
  if (problem === null) {
    whole.add(key);
    return;
  }
  const what = kind === 'gguf' ? 'file' : 'adapter';
  const message = `The ${what} of model "${id}" can't be loaded: ${path}: ${problem} Export the file again.`;
  throw new EngineError(message, 503, 'model_file_damaged');
}

/** Both files, before llama.cpp sees them. Throws EngineError. */
async function look({ id, path, adapter }: HostFile): Promise<FileLook> {
  const weights = await lookAt(path, 'file', id);
  const added = adapter === null ? null : await lookAt(adapter, 'adapter', id);
  await assertWhole(path, weights, 'gguf', id);
  if (adapter !== null && added !== null) await assertWhole(adapter, added, 'adapter', id);
  return { weights, adapter: added };
}

/** The chat template that an adapter was trained with, if its file has one. */
async function readOwnTemplate({ adapter }: HostFile): Promise<unknown> {
  return adapter === null ? undefined : (await readHeader(adapter)).values.get('tokenizer.chat_template');
}

function toFailure(error: unknown): ErrorData {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The model stopped with an error: ${reason}. Send the request again; if it fails again, restart the studio.`;
  return { message, status: 500, code: 'generation_failed', param: null, retryAfter: null };
}

async function computeOnce({ sequence }: Slot, model: LlamaModel, { id, path }: HostFile): Promise<void> {
  try {
    await sequence.evaluateWithoutGeneratingNewTokens(model.tokenize('a b c').slice(0, 2));
    await sequence.clearHistory();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The file of model "${id}" can't be used: ${path}: ${reason}. Export the file again.`;
    throw new EngineError(message, 503, 'model_file_damaged');
  }
}

/** `post` sends a message to the service. */
export function openHost(
  openRuntime: (gpu: GpuChoice) => Promise<LlamaRuntime>,
  post: (message: FromHost) => void,
): Host {
  let starting: Promise<LlamaRuntime> | null = null;
  const start = (): Promise<LlamaRuntime> => starting ?? Promise.reject(new Error('llama.cpp was not started.'));
  const weights = new Map<number, LlamaModel>();
  const opened = new Map<number, Opened>();
  const loads = new Map<number, AbortController>();
  const answers = new Map<number, Running>();
  let lastNumber = 0;
  let outbox = new Map<number, EngineEvent[]>();
  let sending: NodeJS.Timeout | null = null;
  let sentAt = -Infinity;

  function sendAll(): void {
    if (sending !== null) clearTimeout(sending);
    sending = null;
    if (outbox.size === 0) return;
    post({ events: [...outbox] });
    outbox = new Map();
    sentAt = performance.now();
  }

  function send(number: number, event: EngineEvent): void {
    const waiting = outbox.get(number);
    if (waiting === undefined) outbox.set(number, [event]);
    else waiting.push(event);
    const left = sentAt + GATHER_MS - performance.now();
    if (left <= 0) sendAll();
    else sending ??= setTimeout(sendAll, left);
  }

  async function loading<Value>(load: number, work: (signal: AbortSignal) => Promise<Value>): Promise<Answered<Value>> {
    const controller = new AbortController();
    loads.set(load, controller);
    try {
      return await answered(() => work(controller.signal));
    } finally {
      loads.delete(load);
    }
  }

  async function openModel(
    file: HostFile,
    model: LlamaModel,
    plan: ContextPlan,
    signal: AbortSignal,
  ): Promise<OpenedModel> {
    const runtime = await start();
    const vocabulary = openVocabulary(model);
    const source = (await readOwnTemplate(file)) ?? model.fileInfo.metadata.tokenizer?.chat_template;
    const paths = file.adapter === null ? [file.path] : [file.path, file.adapter];
    const device = runtime.gpu === null ? '' : `;${runtime.gpu.kind}`;
    const settings = `${RUNTIME_VERSION};${plan.contextSize};${plan.promptStep}${device}`;
    const fingerprint = await toFingerprint(paths, settings);
    const contexts = await openContexts(runtime, model, file, plan, signal);
    const free = contexts.map((context): Slot => ({ sequence: context.getSequence(), prompt: [] }));
    const [first] = free;
    // What llama.cpp can't compute ends this process now, and not in the middle of an answer.
    if (first) await computeOnce(first, model, file);
    lastNumber += 1;
    opened.set(lastNumber, { model, contexts, vocabulary, plan, free });
    const { bosText, eosText, markTexts, longestPiece } = vocabulary;
    const template = { text: typeof source === 'string' ? source : null, marks: { bosText, eosText, markTexts } };
    return { number: lastNumber, fingerprint, template, longestPiece, sequences: contexts.length };
  }

  async function* generate(order: AnswerOrder, signal: AbortSignal): AsyncGenerator<EngineEvent, void> {
    const model = opened.get(order.model);
    if (model === undefined) throw new Error(`There is no model ${order.model} in memory.`);
    const prepared = 'compiled' in order ? await prepare(model, await start(), order.request, order.compiled) : null;
    const tokens = 'start' in order ? toTextTokens(model, order.start) : (prepared?.tokens ?? []);
    if (signal.aborted) throw toAbortError(signal);
    const { free, plan } = model;
    const score = (slot: Slot): number => countReusable(slot, tokens, plan.promptStep);
    const best = free.reduce<Slot | null>((one, slot) => (one === null || score(slot) > score(one) ? slot : one), null);
    if (best === null) throw new Error('There are more answers than contexts.');
    free.splice(free.indexOf(best), 1);
    try {
      if (prepared !== null) yield* generateTokens(best, model, order.request, prepared, signal);
      else if ('start' in order) yield* completeText(best, model, order.request, order.start, tokens, signal);
    } finally {
      free.push(best);
    }
  }

  async function run(number: number, order: AnswerOrder, running: Running): Promise<void> {
    let error: ErrorData | null = null;
    try {
      for await (const event of generate(order, running.controller.signal)) {
        running.unread += 1;
        send(number, event);
        while (running.unread >= AHEAD && !running.controller.signal.aborted) {
          await new Promise<void>((resolve) => {
            running.wake = resolve;
          });
        }
      }
    } catch (thrown) {
      if (!running.controller.signal.aborted) error = toErrorData(thrown) ?? toFailure(thrown);
    }
    sendAll();
    answers.delete(number);
    post({ ended: number, error });
  }

  return {
    core: {
      start: (choice) =>
        answered(async () => {
          starting ??= openRuntime(choice);
          const { gpu, cores } = await starting;
          return { gpu, cores };
        }),
      look: (file) => answered(() => look(file)),
      loadWeights: (file, load) =>
        loading(load, async (signal) => {
          const runtime = await start();
          const model = await loadWeights(runtime, file, signal);
          lastNumber += 1;
          weights.set(lastNumber, model);
          const { totalLayers } = model.fileInsights;
          return {
            number: lastNumber,
            shape: readShape(model, (await stat(file.path)).size),
            layers: totalLayers,
            gpuLayers: model.gpuLayers,
          };
        }),
      openModel: (file, number, plan, load) =>
        loading(load, async (signal) => {
          const model = weights.get(number);
          if (model === undefined) throw new Error(`There are no weights ${number} in memory.`);
          return openModel(file, model, plan, signal);
        }),
      async stopLoad(load) {
        loads.get(load)?.abort();
      },
      async closeModel(number) {
        const model = opened.get(number);
        opened.delete(number);
        await Promise.all(model?.contexts.map((context) => context.dispose()) ?? []);
      },
      async freeWeights(number) {
        const model = weights.get(number);
        weights.delete(number);
        await model?.dispose();
      },
      async setThreads(count) {
        (await start()).llama.maxThreads = count;
      },
    },
    begin(number, order) {
      const running: Running = { controller: new AbortController(), unread: 0, wake: () => undefined };
      answers.set(number, running);
      void run(number, order, running);
    },
    read(number, events) {
      const running = answers.get(number);
      if (running === undefined) return;
      running.unread -= events;
      running.wake();
    },
    leave(number) {
      const running = answers.get(number);
      running?.controller.abort();
      running?.wake();
    },
  };
}
