// Models in memory: loaded when first used, shared by all requests, the least recently used given up when there are
// too many. Adapters on the same file share its weights.
import { totalmem } from 'node:os';
import type { LlamaContext, LlamaModel } from 'node-llama-cpp';
import { openChatTemplate, type ChatTemplate } from './chatTemplate';
import { toContextPlan, type ContextPlan } from './contextPlan';
import type { ModelFile } from './engine';
import { toFingerprint } from './fingerprint';
import { RUNTIME_VERSION, type LlamaRuntime } from './llamaRuntime';
import { assertFiles, loadWeights, openContexts, readShape } from './modelLoad';
import { QueueBounds } from './queueBounds';
import { SharedLoad } from './sharedLoad';
import type { Slot } from './slot';
import { SlotPool } from './slotPool';
import { openVocabulary, type Vocabulary } from './vocabulary';

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
  /** Memory that the contexts take, without the weights that it may share. */
  readonly bytes: number;
  /** Frees the contexts, and the weights when it was the last to use them. */
  close(): Promise<void>;
}

interface Entry<T> {
  readonly load: SharedLoad<T>;
  users: number;
  lastUsed: number;
}

export interface CacheOptions {
  readonly openRuntime: () => Promise<LlamaRuntime>;
  /** Overrides the number of threads of every context. */
  readonly threads: number | null;
  /** Contexts kept at the same time. */
  readonly maxContexts: number;
  /** Of the requests that wait for any of the models. */
  readonly bounds?: QueueBounds;
}

/** Shares of the machine's memory: for one context, and for all of them together. */
const CONTEXT_SHARE = 0.2;
const TOTAL_SHARE = 0.5;

const toKey = ({ path, adapter }: ModelFile): string => `${path}\n${adapter ?? ''}`;

export class ModelCache {
  readonly #options: CacheOptions;
  readonly #contexts = new Map<string, Entry<ReadyModel>>();
  readonly #weights = new Map<string, Entry<LlamaModel>>();
  readonly #closing = new Set<Promise<void>>();
  readonly #bounds: QueueBounds;
  #clock = 0;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#bounds = options.bounds ?? new QueueBounds();
  }

  get contextCount(): number {
    return this.#contexts.size;
  }

  /** True when the model is in memory, so that nobody has to wait for it. */
  isReady(file: ModelFile): boolean {
    const entry = this.#contexts.get(toKey(file));
    return entry !== undefined && entry.load.value !== null;
  }

  /** The model, which stays in memory until `release` is called. Rejects with EngineError or AbortError. */
  async acquire(file: ModelFile, signal: AbortSignal): Promise<{ readonly ready: ReadyModel; readonly release: () => void }> {
    const entry = this.#enter(this.#contexts, toKey(file), (inner) => this.#open(file, inner));
    const release = (): void => {
      entry.users -= 1;
    };
    try {
      return { ready: await entry.load.join(signal), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Frees everything; nothing may be in use. */
  async close(): Promise<void> {
    const entries = [...this.#contexts.values()];
    this.#contexts.clear();
    await Promise.all([...this.#closing, ...entries.map((entry) => this.#closeEntry(entry))]);
  }

  /** Joins the entry of `key`, or makes one. A load that fails leaves no trace, so the next request tries anew. */
  #enter<T>(entries: Map<string, Entry<T>>, key: string, start: (signal: AbortSignal) => Promise<T>): Entry<T> {
    let entry = entries.get(key);
    if (entry === undefined || entry.load.isAbandoned) {
      const fresh: Entry<T> = { load: new SharedLoad(start), users: 0, lastUsed: 0 };
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
    await assertFiles(file);
    const runtime = await this.#options.openRuntime();
    const weights = this.#enter(this.#weights, file.path, (inner) => loadWeights(runtime, file, inner));
    const leave = (): Promise<void> => this.#leaveWeights(file.path, weights);
    try {
      return await this.#openOn(await weights.load.join(signal), runtime, file, leave, signal);
    } catch (error) {
      await leave();
      throw error;
    }
  }

  async #openOn(model: LlamaModel, runtime: LlamaRuntime, file: ModelFile, leave: () => Promise<void>, signal: AbortSignal): Promise<ReadyModel> {
    const shape = await readShape(model, file);
    const planned = toContextPlan(shape, totalmem() * CONTEXT_SHARE, runtime.cores);
    const plan = { ...planned, threads: this.#options.threads ?? planned.threads };
    const bytes = plan.contextSize * plan.sequences * shape.bytesPerToken;
    const vocabulary = openVocabulary(model);
    const source = model.fileInfo.metadata.tokenizer?.chat_template;
    const template = openChatTemplate(typeof source === 'string' ? source : null, vocabulary);
    const paths = file.adapter === null ? [file.path] : [file.path, file.adapter];
    const fingerprint = await toFingerprint(paths, `${RUNTIME_VERSION};${plan.contextSize};${plan.promptStep}`);
    await this.#evict(bytes);
    const contexts = await openContexts(runtime, model, file, plan, signal);
    const count = plan.sequences === 1 ? 'one answer' : `${plan.sequences} answers`;
    const pace = `Model "${file.id}" gives ${count} at a time on this machine.`;
    const own = contexts.map((context): Slot => ({ sequence: context.getSequence(), prompt: [] }));
    const slots = new SlotPool(own, { bounds: this.#bounds, pace });
    const close = async (): Promise<void> => {
      await Promise.all(contexts.map((context) => context.dispose()));
      await leave();
    };
    return { file, fingerprint, model, contexts, vocabulary, template, plan, slots, bytes, close };
  }

  /** Gives up idle contexts, the least recently used first, until one more of `bytes` fits. */
  async #evict(bytes: number): Promise<void> {
    const idle = [...this.#contexts].filter(([, entry]) => entry.users === 0).sort(([, one], [, two]) => one.lastUsed - two.lastUsed);
    for (const [key, entry] of idle) {
      const taken = [...this.#contexts.values()].reduce((sum, { load }) => sum + (load.value?.bytes ?? 0), bytes);
      if (this.#contexts.size <= this.#options.maxContexts && taken <= totalmem() * TOTAL_SHARE) return;
      // While another one was closed, this one may have been asked for.
      if (entry.users > 0 || this.#contexts.get(key) !== entry) continue;
      // Removed before waiting, so that a request in between opens it anew instead of getting a closed one.
      this.#contexts.delete(key);
      await this.#track(this.#closeEntry(entry));
    }
  }

  async #closeEntry(entry: Entry<ReadyModel>): Promise<void> {
    const ready = await entry.load.settled();
    await ready?.close();
  }

  async #leaveWeights(path: string, entry: Entry<LlamaModel>): Promise<void> {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (this.#weights.get(path) === entry) this.#weights.delete(path);
    const model = await entry.load.settled();
    await model?.dispose();
  }

  async #track(work: Promise<void>): Promise<void> {
    const tracked: Promise<void> = work.catch(() => undefined).finally(() => this.#closing.delete(tracked));
    this.#closing.add(tracked);
    await tracked;
  }
}
