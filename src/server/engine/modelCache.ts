// Models in memory: loaded when first used and shared by all requests. If there are too many models or too little
// memory, the least recently used idle model is closed; a load waits for busy models. Adapters on one file share its
// weights.
import type { LlamaContext, LlamaModel } from 'node-llama-cpp';
import { throwIfAborted } from './abort.ts';
import { openChatTemplate, type ChatTemplate } from './chatTemplate.ts';
import { toContextPlan, type ContextPlan } from './contextPlan.ts';
import { EngineError, type ModelFile } from './engine.ts';
import { toFingerprint } from './fingerprint.ts';
import { RUNTIME_VERSION, type LlamaRuntime } from './llamaRuntime.ts';
import { MemoryShare, readMemoryLimit, toModelShare, toSizeText } from './memoryShare.ts';
import { assertFiles, loadWeights, openContexts, readShape } from './modelLoad.ts';
import { QueueBounds } from './queueBounds.ts';
import { SharedLoad } from './sharedLoad.ts';
import type { Slot } from './slot.ts';
import { SlotPool } from './slotPool.ts';
import { openVocabulary, type Vocabulary } from './vocabulary.ts';

/** A model that can answer. */
export interface ReadyModel {
  readonly file: ModelFile;
  readonly fingerprint: string;
  readonly model: LlamaModel;
  /** One for each answer at a time. */
  readonly contexts: readonly LlamaContext[];
  readonly vocabulary: Vocabulary;
  readonly template: ChatTemplate;
  readonly plan: ContextPlan;
  readonly slots: SlotPool<Slot>;
  /** Frees the contexts, and the weights if no other model uses them. */
  close(): Promise<void>;
}

interface Entry<T> {
  readonly load: SharedLoad<T>;
  users: number;
  lastUsed: number;
  /** Somebody wants its memory back. */
  isLeaving: boolean;
}

export interface CacheOptions {
  readonly openRuntime: () => Promise<LlamaRuntime>;
  /** Threads of every context; null: from the plan. */
  readonly threads: number | null;
  /** Contexts kept at the same time. */
  readonly maxContexts: number;
  /** Bounds of the requests that wait for any of the models. */
  readonly bounds?: QueueBounds;
  /** Bytes of memory that this process may use. */
  readonly memoryBytes?: number;
  /** How long a load waits until busy models free memory. */
  readonly roomWaitMs?: number;
}

/** Share of memory for the contexts of one model. */
const CONTEXT_SHARE = 0.25;
const MEMORY_WAIT_MS = 30_000;
/** Nobody knows when a busy model will be done, so this is a guess. */
const MEMORY_RETRY_S = 15;

const toKey = ({ path, adapter }: ModelFile): string => `${path}\n${adapter ?? ''}`;

export class ModelCache {
  readonly #options: CacheOptions;
  readonly #contexts = new Map<string, Entry<ReadyModel>>();
  readonly #weights = new Map<string, Entry<LlamaModel>>();
  readonly #closing = new Set<Promise<void>>();
  readonly #bounds: QueueBounds;
  readonly #contextBytes: number;
  readonly #memory: MemoryShare;
  #clock = 0;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#bounds = options.bounds ?? new QueueBounds();
    const memoryBytes = options.memoryBytes ?? readMemoryLimit();
    this.#contextBytes = memoryBytes * CONTEXT_SHARE;
    this.#memory = new MemoryShare(toModelShare(memoryBytes));
  }

  get contextCount(): number {
    return this.#contexts.size;
  }

  /** True if the model is in memory, so that no request has to wait for it. */
  isReady(file: ModelFile): boolean {
    const entry = this.#contexts.get(toKey(file));
    return entry !== undefined && entry.load.value !== null;
  }

  /** The model, which stays in memory until `release` is called. Rejects with EngineError or AbortError. */
  async acquire(
    file: ModelFile,
    signal: AbortSignal,
  ): Promise<{ readonly ready: ReadyModel; readonly release: () => void }> {
    const entry = this.#join(this.#contexts, toKey(file), (inner) => this.#open(file, inner));
    const release = (): void => {
      entry.users -= 1;
      // The model is idle now, so a waiting load may close it.
      if (entry.users === 0) this.#memory.notifyWaiters();
      if (entry.users === 0 && entry.isLeaving && this.#contexts.get(toKey(file)) === entry) void this.free(file);
    };
    try {
      return { ready: await entry.load.join(signal), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Closes a model when its last user has released it; at once if nobody uses it. */
  async free(file: ModelFile): Promise<void> {
    const key = toKey(file);
    const entry = this.#contexts.get(key);
    if (entry === undefined) return;
    if (entry.users > 0) {
      entry.isLeaving = true;
      return;
    }
    // Removed before it is closed, so that a new request opens the model again and never gets a closed one.
    this.#contexts.delete(key);
    await this.#track(this.#closeEntry(entry));
  }

  /** Frees everything. No model may be in use. */
  async close(): Promise<void> {
    const entries = [...this.#contexts.values()];
    this.#contexts.clear();
    await Promise.all([...this.#closing, ...entries.map((entry) => this.#closeEntry(entry))]);
  }

  /** Joins the entry of `key`, or starts one. A failed load is removed, so that the next request tries again. */
  #join<T>(entries: Map<string, Entry<T>>, key: string, start: (signal: AbortSignal) => Promise<T>): Entry<T> {
    let entry = entries.get(key);
    if (entry === undefined || entry.load.isAbandoned) {
      const fresh: Entry<T> = { load: new SharedLoad(start), users: 0, lastUsed: 0, isLeaving: false };
      entry = fresh;
      entries.set(key, fresh);
      fresh.load.onFailure(() => {
        if (entries.get(key) === fresh) entries.delete(key);
      });
    }
    entry.users += 1;
    this.#clock += 1;
    entry.lastUsed = this.#clock;
    return entry;
  }

  async #open(file: ModelFile, signal: AbortSignal): Promise<ReadyModel> {
    const fileBytes = await assertFiles(file);
    const runtime = await this.#options.openRuntime();
    const weights = this.#join(this.#weights, file.path, async (inner) => {
      await this.#takeMemory(file, fileBytes, 0, inner);
      try {
        return await loadWeights(runtime, file, inner);
      } catch (error) {
        this.#memory.free(fileBytes);
        throw error;
      }
    });
    const releaseWeights = (): Promise<void> => this.#releaseWeights(file.path, weights, fileBytes);
    try {
      return await this.#openContexts(await weights.load.join(signal), runtime, file, releaseWeights, signal);
    } catch (error) {
      await releaseWeights();
      throw error;
    }
  }

  async #openContexts(
    model: LlamaModel,
    runtime: LlamaRuntime,
    file: ModelFile,
    releaseWeights: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<ReadyModel> {
    const shape = await readShape(model, file);
    const contextBytes = Math.min(this.#contextBytes, this.#memory.limit - shape.fileBytes);
    const planned = toContextPlan(shape, contextBytes, runtime.cores);
    const plan = { ...planned, threads: this.#options.threads ?? planned.threads };
    const bytes = plan.contextSize * plan.sequences * shape.bytesPerToken;
    const vocabulary = openVocabulary(model);
    const source = model.fileInfo.metadata.tokenizer?.chat_template;
    const template = openChatTemplate(typeof source === 'string' ? source : null, vocabulary);
    const paths = file.adapter === null ? [file.path] : [file.path, file.adapter];
    const fingerprint = await toFingerprint(paths, `${RUNTIME_VERSION};${plan.contextSize};${plan.promptStep}`);
    while (this.#contexts.size > this.#options.maxContexts) if (!(await this.#closeIdle())) break;
    await this.#takeMemory(file, bytes, shape.fileBytes, signal);
    const contexts = await openContexts(runtime, model, file, plan, signal).catch((error: unknown) => {
      this.#memory.free(bytes);
      throw error;
    });
    const count = plan.sequences === 1 ? 'one answer' : `${plan.sequences} answers`;
    const pace = `Model "${file.id}" gives ${count} at a time on this machine.`;
    const freeSlots = contexts.map((context): Slot => ({ sequence: context.getSequence(), prompt: [] }));
    const slots = new SlotPool(freeSlots, { bounds: this.#bounds, pace });
    const close = async (): Promise<void> => {
      await Promise.all(contexts.map((context) => context.dispose()));
      this.#memory.free(bytes);
      await releaseWeights();
    };
    return { file, fingerprint, model, contexts, vocabulary, template, plan, slots, close };
  }

  /**
   * Takes `bytes` of memory for a model that has `ownBytes` already: closes idle models, then waits for busy ones.
   * Throws EngineError 503 if the model can never fit, or doesn't fit in time.
   */
  async #takeMemory(file: ModelFile, bytes: number, ownBytes: number, signal: AbortSignal): Promise<void> {
    const { limit } = this.#memory;
    const needed = `Model "${file.id}" needs ${toSizeText(ownBytes + bytes)} of memory`;
    if (ownBytes + bytes > limit) {
      const most = `all models together may take ${toSizeText(limit)} on this machine`;
      const advice = 'Use a smaller one, or give the machine or container more memory.';
      throw new EngineError(`${needed}, but ${most}. ${advice}`, 503, 'engine_out_of_memory');
    }
    const timeout = AbortSignal.timeout(this.#options.roomWaitMs ?? MEMORY_WAIT_MS);
    while (!this.#memory.take(bytes)) {
      throwIfAborted(signal);
      if (await this.#closeIdle()) continue;
      if (timeout.aborted) {
        const taken = `${toSizeText(this.#memory.taken - ownBytes)} of the ${toSizeText(limit)} for models`;
        const message = `${needed}, but models that are answering now have ${taken}. Try again in ${MEMORY_RETRY_S} s.`;
        throw new EngineError(message, 503, 'engine_busy', null, String(MEMORY_RETRY_S));
      }
      await this.#memory.waitForChange(AbortSignal.any([signal, timeout])).catch(() => undefined);
    }
  }

  /** Closes the model that has been idle for longest; false if no model is idle. */
  async #closeIdle(): Promise<boolean> {
    const idle = [...this.#contexts].filter(([, entry]) => entry.users === 0 && entry.load.value !== null);
    const [oldest] = idle.sort(([, one], [, two]) => one.lastUsed - two.lastUsed);
    if (oldest === undefined) return false;
    const [key, entry] = oldest;
    // Removed before it is closed, so that a new request opens the model again and never gets a closed one.
    this.#contexts.delete(key);
    await this.#track(this.#closeEntry(entry));
    return true;
  }

  async #closeEntry(entry: Entry<ReadyModel>): Promise<void> {
    const ready = await entry.load.settled();
    await ready?.close();
  }

  async #releaseWeights(path: string, entry: Entry<LlamaModel>, bytes: number): Promise<void> {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (this.#weights.get(path) === entry) this.#weights.delete(path);
    const model = await entry.load.settled();
    if (model === null) return;
    await model.dispose();
    this.#memory.free(bytes);
  }

  async #track(work: Promise<void>): Promise<void> {
    const tracked: Promise<void> = work.catch(() => undefined).finally(() => this.#closing.delete(tracked));
    this.#closing.add(tracked);
    await tracked;
  }
}
