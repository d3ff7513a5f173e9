// What happens in a process with llama.cpp: files are looked at and loaded, and models answer.
import { stat } from 'node:fs/promises';
import type { LlamaModel } from 'node-llama-cpp';
import { throwIfAborted } from '#engine/abort.ts';
import type { ContextPlan } from '#engine/contextPlan.ts';
import { EngineError, type EngineEvent } from '#engine/engine.ts';
import { toErrorData } from '#engine/errorData.ts';
import { toFingerprint } from '#engine/fingerprint.ts';
import { findGgufProblem, readHeader } from '#engine/gguf/ggufFile.ts';
import { RUNTIME_VERSION, type GpuChoice, type LlamaRuntime } from '#engine/llamaRuntime.ts';
import { loadWeights, openContexts, readShape } from '#engine/modelLoad.ts';
import { findBestSlot, type Slot } from '#engine/slot.ts';
import { openVocabulary } from '#engine/vocabulary.ts';
import { generateTokens, prepare, type OpenModel } from './answering.ts';
import { openAnswers, type Answers } from './answers.ts';
import { completeText, toTextTokens } from './completing.ts';
import { readIdentity } from './crashMemory.ts';
import type {
  Answered,
  AnswerOrder,
  FileLook,
  FromHost,
  HostCore,
  HostFile,
  OpenedModel,
  SeenFile,
} from './hostMessages.ts';

interface Opened extends OpenModel {
  /** Those that no answer uses. */
  readonly free: Slot[];
}

export interface Host extends Answers {
  readonly core: HostCore;
}

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

/** Contexts on weights that are in memory, and what the service is told of them. */
async function openModel(
  runtime: LlamaRuntime,
  file: HostFile,
  model: LlamaModel,
  plan: ContextPlan,
  signal: AbortSignal,
): Promise<{ readonly opened: Opened; readonly about: Omit<OpenedModel, 'number'> }> {
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
  const { bosText, eosText, markTexts, longestPiece } = vocabulary;
  const template = { text: typeof source === 'string' ? source : null, marks: { bosText, eosText, markTexts } };
  return {
    opened: { model, contexts, vocabulary, plan, free },
    about: { fingerprint, template, longestPiece, sequences: contexts.length },
  };
}

/** One answer in the free context that fits best. */
async function* answer(
  runtime: LlamaRuntime,
  model: Opened,
  order: AnswerOrder,
  signal: AbortSignal,
): AsyncGenerator<EngineEvent, void> {
  const prepared = 'compiled' in order ? await prepare(model, runtime, order.request, order.compiled) : null;
  const tokens = 'start' in order ? toTextTokens(model, order.start) : (prepared?.tokens ?? []);
  throwIfAborted(signal);
  const { free, plan } = model;
  const slot = findBestSlot(free, tokens, plan.promptStep);
  if (slot === null) throw new Error('There are more answers than contexts.');
  free.splice(free.indexOf(slot), 1);
  try {
    if (prepared !== null) yield* generateTokens(slot, model, order.request, prepared, signal);
    else if ('start' in order) yield* completeText(slot, model, order.request, order.start, tokens, signal);
  } finally {
    free.push(slot);
  }
}

/** What is in memory, by the numbers that the service has of it. */
class Numbered<Value> {
  readonly #values = new Map<number, Value>();
  #last = 0;

  add(value: Value): number {
    this.#last += 1;
    this.#values.set(this.#last, value);
    return this.#last;
  }

  get(number: number): Value {
    const value = this.#values.get(number);
    if (value === undefined) throw new Error(`Nothing in memory has the number ${number}.`);
    return value;
  }

  take(number: number): Value | undefined {
    const value = this.#values.get(number);
    this.#values.delete(number);
    return value;
  }
}

/** `post` sends a message to the service. */
export function openHost(
  openRuntime: (gpu: GpuChoice) => Promise<LlamaRuntime>,
  post: (message: FromHost) => void,
): Host {
  let starting: Promise<LlamaRuntime> | null = null;
  const start = (): Promise<LlamaRuntime> => starting ?? Promise.reject(new Error('llama.cpp was not started.'));
  const weights = new Numbered<LlamaModel>();
  const models = new Numbered<Opened>();
  const loads = new Map<number, AbortController>();

  async function loading<Value>(load: number, work: (signal: AbortSignal) => Promise<Value>): Promise<Answered<Value>> {
    const controller = new AbortController();
    loads.set(load, controller);
    try {
      return await answered(() => work(controller.signal));
    } finally {
      loads.delete(load);
    }
  }

  async function* generate(order: AnswerOrder, signal: AbortSignal): AsyncGenerator<EngineEvent, void> {
    yield* answer(await start(), models.get(order.model), order, signal);
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
          const model = await loadWeights(await start(), file, signal);
          return {
            number: weights.add(model),
            shape: readShape(model, (await stat(file.path)).size),
            layers: model.fileInsights.totalLayers,
            gpuLayers: model.gpuLayers,
          };
        }),
      openModel: (file, number, plan, load) =>
        loading(load, async (signal) => {
          const { opened, about } = await openModel(await start(), file, weights.get(number), plan, signal);
          return { number: models.add(opened), ...about };
        }),
      async stopLoad(load) {
        loads.get(load)?.abort();
      },
      async closeModel(number) {
        await Promise.all(models.take(number)?.contexts.map((context) => context.dispose()) ?? []);
      },
      async freeWeights(number) {
        await weights.take(number)?.dispose();
      },
      async setThreads(count) {
        (await start()).llama.maxThreads = count;
      },
    },
    ...openAnswers(generate, post),
  };
}
