// Models in memory: loaded when first used and shared by all requests. If there are too many models or too little
// memory, the least recently used idle model is closed; a load waits for busy models. Adapters on one file share its
// weights where they share its process.
import { formatBytes } from '#core/contract/numberNotation.ts';
import type { TemplateSource } from '#core/templates/templateText.ts';
import { throwIfAborted } from './abort.ts';
import { toContextPlan, type ContextPlan } from './contextPlan.ts';
import { EngineError, type ModelFile, type ModelMemory } from './engine.ts';
import type { Answering, AnswerRequest, FileLook, HostFile, Weights } from '#engine/host/hostMessages.ts';
import type { HostPool, HostUse } from '#engine/host/hostPool.ts';
import type { HostAnswer } from '#engine/host/modelHost.ts';
import { MemoryShare, readMemoryLimit, toModelShare } from './memoryShare.ts';
import { QueueBounds } from './queueBounds.ts';
import { SharedLoad } from './sharedLoad.ts';
import { SlotPool } from './slotPool.ts';

/** A model that can answer. */
export interface ReadyModel {
  readonly file: ModelFile;
  readonly fingerprint: string;
  readonly template: TemplateSource;
  /** Characters of the longest token. */
  readonly longestPiece: number;
  readonly plan: ContextPlan;
  readonly memory: ModelMemory;
  readonly slots: SlotPool;
  /** Call it with a turn of `slots`. */
  answer(request: AnswerRequest, how: Answering, signal: AbortSignal): HostAnswer;
  /** Frees the contexts, and the weights if no other model uses them. */
  close(): Promise<void>;
}

interface LoadedWeights {
  readonly use: HostUse;
  readonly look: FileLook;
  readonly weights: Weights;
}

interface Entry<T> {
  readonly load: SharedLoad<T>;
  users: number;
  lastUsed: number;
  /** Somebody wants its memory back. */
  isLeaving: boolean;
}

export interface CacheOptions {
  readonly hosts: HostPool;
  /** Threads of every context; null: from the plan. */
  readonly threads: number | null;
  /** Contexts kept at the same time. */
  readonly maxContexts: number;
  /** Bounds of the requests that wait for any of the models. */
  readonly bounds?: QueueBounds;
  /** Bytes of memory that all models may use. */
  readonly memoryBytes?: number;
  /** Bytes that a process takes without any model. */
  readonly hostBytes?: number;
  /** How long a load waits until busy models free memory. */
  readonly roomWaitMs?: number;
}

/** Share of memory for the contexts of one model. */
const CONTEXT_SHARE = 0.25;
const MEMORY_WAIT_MS = 30_000;
/** Nobody knows when a busy model will be done, so this is a guess. */
const MEMORY_RETRY_S = 15;
/** Of a graphics card's memory: other programs show their windows with it. */
const GPU_SHARE = 0.9;
/** Measured: Node and llama.cpp take 75 MB. */
const HOST_BYTES = 80e6;

/** A name that was freed may be that of another file later. */
const toKey = ({ path, adapter, created }: ModelFile): string => `${path}\n${adapter ?? ''}\n${created}`;

export class ModelCache {
  readonly #options: CacheOptions;
  readonly #contexts = new Map<string, Entry<ReadyModel>>();
  readonly #weights = new Map<string, Entry<LoadedWeights>>();
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

  /** The model, if it is in memory: no request has to wait for it. */
  find(file: ModelFile): ReadyModel | null {
    return this.#contexts.get(toKey(file))?.load.value ?? null;
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
    const { hosts } = this.#options;
    const group = hosts.groupOf(file);
    const key = `${group}\n${file.path}`;
    const entry = this.#join(this.#weights, key, (inner) => this.#loadWeights(file, group, inner));
    const releaseWeights = (): Promise<void> => this.#releaseWeights(key, entry);
    try {
      const loaded = await entry.load.join(signal);
      // A new request after the end of the process is for a new one.
      void loaded.use.host.ended.then(() => this.#weights.get(key) === entry && this.#weights.delete(key));
      const look = await loaded.use.host.look(file, signal);
      if (hosts.isUnchanged(file, look) && look.weights.identity === loaded.look.weights.identity) {
        await hosts.assertNoCrash(file, look);
        return await this.#openContexts({ ...loaded, look }, file, releaseWeights, signal);
      }
    } catch (error) {
      await releaseWeights();
      throw error;
    }
    // A file that has changed is a new file.
    await releaseWeights();
    if (this.#weights.get(key) === entry) this.#weights.delete(key);
    return this.#open(file, signal);
  }

  async #loadWeights(file: ModelFile, group: string, signal: AbortSignal): Promise<LoadedWeights> {
    const { hosts } = this.#options;
    const use = await this.#useHost(file, group, signal);
    let taken = 0;
    try {
      const base: HostFile = { id: file.id, path: file.path, adapter: null };
      const look = await use.host.look(base, signal);
      await hosts.assertNoCrash(base, look);
      await this.#takeMemory(file, look.weights.bytes, 0, signal);
      taken = look.weights.bytes;
      const leave = use.enter(base, look);
      const weights = await use.host.loadWeights(base, signal).finally(leave);
      return { use, look, weights };
    } catch (error) {
      await use.release();
      this.#memory.free(taken);
      throw error;
    }
  }

  /** The process of a group, whose own memory counts as long as it runs. */
  async #useHost(file: ModelFile, group: string, signal: AbortSignal): Promise<HostUse> {
    const { hosts, hostBytes = HOST_BYTES } = this.#options;
    const isNew = !hosts.isRunning(group);
    if (isNew) await this.#takeMemory(file, hostBytes, 0, signal);
    const free = (): void => (isNew ? this.#memory.free(hostBytes) : undefined);
    try {
      const use = hosts.use(group);
      if (use.isFirst) void use.host.ended.then(free);
      else free();
      const { gpu } = await use.host.started;
      // What a card computes lies in its own memory.
      if (gpu !== null && !gpu.isUnified) this.#memory.add(gpu.bytes * GPU_SHARE);
      return use;
    } catch (error) {
      free();
      throw error;
    }
  }

  async #openContexts(
    { use, look, weights }: LoadedWeights,
    file: ModelFile,
    releaseWeights: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<ReadyModel> {
    const { host } = use;
    const { shape, layers, gpuLayers } = weights;
    const { cores, gpu } = await host.started;
    const contextBytes = Math.min(this.#contextBytes, this.#memory.limit - shape.fileBytes);
    const planned = toContextPlan(shape, contextBytes, cores);
    const plan = { ...planned, threads: this.#options.threads ?? planned.threads };
    const bytes = plan.contextSize * plan.sequences * shape.bytesPerToken;
    while (this.#contexts.size > this.#options.maxContexts) if (!(await this.#closeIdle())) break;
    await this.#takeMemory(file, bytes, shape.fileBytes, signal);
    const leave = use.enter(file, look);
    const opened = await host
      .openModel(file, weights.number, plan, signal)
      .catch((error: unknown) => {
        this.#memory.free(bytes);
        throw error;
      })
      .finally(leave);
    this.#options.hosts.prove(file, look);
    const { fingerprint, template, longestPiece, number, sequences } = opened;
    const count = sequences === 1 ? 'one answer' : `${sequences} answers`;
    const pace = `Model "${file.id}" gives ${count} at a time on this machine.`;
    const slots = new SlotPool(sequences, { bounds: this.#bounds, pace });
    const ready: ReadyModel = {
      file,
      fingerprint,
      template,
      longestPiece,
      plan,
      memory: { bytes: shape.fileBytes + bytes, layers, gpuLayers, gpu },
      slots,
      answer(request, how, inner) {
        const leaveAnswer = use.enter(file, look);
        const answer = host.answer({ model: number, request, ...how }, inner);
        void answer.ended.then(leaveAnswer);
        return answer;
      },
      close: async () => {
        await host.closeModel(number);
        this.#memory.free(bytes);
        await releaseWeights();
      },
    };
    // A model whose process has ended is loaded again by the next request.
    void host.ended.then(() => this.#drop(ready));
    return ready;
  }

  #drop(ready: ReadyModel): void {
    const key = toKey(ready.file);
    const entry = this.#contexts.get(key);
    if (entry?.load.value !== ready) return;
    this.#contexts.delete(key);
    void this.#track(this.#closeEntry(entry));
  }

  /**
   * Takes `bytes` of memory for a model that has `ownBytes` already: closes idle models, then waits for busy ones.
   * Throws EngineError 503 if the model can never fit, or doesn't fit in time.
   */
  async #takeMemory(file: ModelFile, bytes: number, ownBytes: number, signal: AbortSignal): Promise<void> {
    const { limit } = this.#memory;
    const needed = `Model "${file.id}" needs ${formatBytes(ownBytes + bytes)} of memory`;
    if (ownBytes + bytes > limit) {
      const most = `all models together may take ${formatBytes(limit)} on this machine`;
      const advice = 'Use a smaller one, or give the machine or container more memory.';
      throw new EngineError(`${needed}, but ${most}. ${advice}`, 503, 'engine_out_of_memory');
    }
    const timeout = AbortSignal.timeout(this.#options.roomWaitMs ?? MEMORY_WAIT_MS);
    while (!this.#memory.take(bytes)) {
      throwIfAborted(signal);
      if (await this.#closeIdle()) continue;
      if (timeout.aborted) {
        const taken = `${formatBytes(this.#memory.taken - ownBytes)} of the ${formatBytes(limit)} for models`;
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

  async #releaseWeights(key: string, entry: Entry<LoadedWeights>): Promise<void> {
    entry.users -= 1;
    if (entry.users > 0) return;
    if (this.#weights.get(key) === entry) this.#weights.delete(key);
    const loaded = await entry.load.settled();
    if (loaded === null) return;
    const { use, look, weights } = loaded;
    await use.host.freeWeights(weights.number);
    await use.release();
    this.#memory.free(look.weights.bytes);
  }

  async #track(work: Promise<void>): Promise<void> {
    const tracked: Promise<void> = work.catch(() => undefined).finally(() => this.#closing.delete(tracked));
    this.#closing.add(tracked);
    await tracked;
  }
}
