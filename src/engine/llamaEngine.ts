// llama.cpp as an Engine: lists model files and answers from them.
import { setMaxListeners } from 'node:events';
import { OWN_PARAMETERS } from '#core/contract/samplingParameters.ts';
import type { ModelEntry } from '#core/contract/completion.ts';
import { isIn, nearFiles, type Files } from '#service/files/files.ts';
import { soon } from '#service/files/timeout.ts';
import { linkAbort, toAbortable } from './abort.ts';
import { openCompiler } from './compiler.ts';
import { toClosed, type Engine, type EngineEvent, type LoadedModel, type ModelFile, type Residence } from './engine.ts';
import { generate, generateText } from './generation.ts';
import { openCrashMemory } from '#engine/host/crashMemory.ts';
import { HostPool, type PoolOptions } from '#engine/host/hostPool.ts';
import type { GpuChoice } from './llamaRuntime.ts';
import { openModelAccess } from './modelAccess.ts';
import { ModelCache, type ReadyModel } from './modelCache.ts';
import { findByName } from './modelNames.ts';
import { QueueBounds } from './queueBounds.ts';
import { openResidence } from './keptModels.ts';
import { shareReads } from './sharedRead.ts';

export interface LlamaEngineOptions {
  /** The files to serve. A function is called at each request, so that newly trained models appear. */
  readonly models: readonly ModelFile[] | (() => Promise<readonly ModelFile[]>);
  /** Threads for each model; by default 1 for small models and all cores but one for others. */
  readonly threads?: number;
  /** Models kept in memory at the same time. Idle models beyond this number are closed. */
  readonly maxContexts?: number;
  /** Bounds of the waiting requests. Other engines may share them. */
  readonly bounds?: QueueBounds;
  readonly gpu?: GpuChoice;
  /** Folder where it is kept which files have ended llama.cpp; null: nowhere. */
  readonly dataDir?: string | null;
  /** Folders of the studio's own, whose small files share a process. */
  readonly near?: readonly string[];
  /** Folders of files that are known to be good. */
  readonly trusted?: readonly string[];
  readonly files?: Files;
  /** Writes a line to the operator's log. */
  readonly report?: (line: string) => void;
  readonly closing?: CloseTimes;
  /** Starts a process. */
  readonly openHost?: PoolOptions['openHost'];
}

interface CloseTimes {
  /** Time for running answers to end. */
  readonly answersMs: number;
  /** Time for freeing the memory. The process ends soon, and with it any work of llama.cpp. */
  readonly memoryMs: number;
}

const CLOSE_TIMES: CloseTimes = { answersMs: 3_000, memoryMs: 1_500 };
const toEntry = ({ id, created, owned_by }: ModelFile): ModelEntry => ({
  id,
  created,
  object: 'model',
  owned_by,
  supported_parameters: [...OWN_PARAMETERS],
});

/** One answer of a model in memory. */
type Work = (ready: ReadyModel, signal: AbortSignal) => AsyncGenerator<EngineEvent, void>;

/** What runs now. */
class RunningWork {
  readonly #ends = new Set<Promise<void>>();

  async *track<T>(work: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
    let finish = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      finish = resolve;
    });
    this.#ends.add(ended);
    try {
      yield* work;
    } finally {
      this.#ends.delete(ended);
      finish();
    }
  }

  /** Resolves when all of it has ended. */
  async settle(): Promise<void> {
    await Promise.all(this.#ends);
  }
}

/** Starts nothing yet: llama.cpp and each model are loaded when first used. */
export function openLlamaEngine(options: LlamaEngineOptions): Engine & Residence {
  const { models, threads = null, maxContexts = 16, bounds = new QueueBounds(), near = [], trusted = [] } = options;
  const { files = nearFiles, closing: times = CLOSE_TIMES } = options;
  const closing = new AbortController();
  // Every running answer listens; Node warns of a leak above 10 listeners.
  setMaxListeners(0, closing.signal);
  const running = new RunningWork();
  const compiler = openCompiler();
  const isInOne = (folders: readonly string[], path: string): boolean => folders.some((folder) => isIn(folder, path));
  const isNear = (path: string): boolean => isInOne([...trusted, ...near], path);
  const hosts = new HostPool({
    openHost: options.openHost,
    gpu: options.gpu ?? 'auto',
    crashes: openCrashMemory(options.dataDir ?? null),
    isTrusted: (path) => isInOne(trusted, path),
    isNear,
    report: options.report ?? ((line) => void process.stderr.write(`${line}\n`)),
  });
  const cache = new ModelCache({ hosts, threads, maxContexts, bounds });
  const acquire = openModelAccess({ cache, bounds, files, isNear });
  const listFiles = shareReads(async () => (typeof models === 'function' ? await models() : models));
  const findFile = async (model: string): Promise<ModelFile | null> => findByName(await listFiles(), model);
  const { letGo, ...residence } = openResidence({ findFile, cache, acquire });

  async function* answer(
    file: ModelFile,
    work: Work,
    signal: AbortSignal,
    caller: string,
  ): AsyncGenerator<EngineEvent, void> {
    const { ready, release } = await acquire(file, signal, caller);
    try {
      yield* work(ready, signal);
    } finally {
      release();
    }
  }

  const start = (file: ModelFile, work: Work, signal: AbortSignal, caller: string): AsyncIterable<EngineEvent> =>
    toAbortable((inner) => running.track(answer(file, work, inner, caller)), [signal, closing.signal]);

  /** Waits until the model is in memory and returns its fingerprint. */
  async function makeReady(file: ModelFile, signal: AbortSignal, caller: string): Promise<string> {
    const controller = new AbortController();
    const unlinks = [signal, closing.signal].map((outer) => linkAbort(outer, controller));
    try {
      const { ready, release } = await acquire(file, controller.signal, caller);
      release();
      return ready.fingerprint;
    } finally {
      for (const unlink of unlinks) unlink();
    }
  }

  return {
    ...residence,
    listModels: async () => (await listFiles()).map(toEntry),
    async findModel(name) {
      const file = await findFile(name);
      return file && toEntry(file);
    },
    async check() {
      await listFiles();
    },
    async load(model, signal, caller = ''): Promise<LoadedModel | null> {
      const file = await findFile(model);
      if (file === null) return null;
      if (closing.signal.aborted) throw toClosed();
      compiler.warm();
      return {
        id: file.id,
        fingerprint: await makeReady(file, signal, caller),
        generate: (request, outer, who = '') =>
          start(file, (ready, inner) => generate(ready, compiler, request, inner, who), outer, who),
        complete: (request, outer, who = '') =>
          start(file, (ready, inner) => generateText(ready, request, inner, who), outer, who),
      };
    },
    async close() {
      closing.abort(toClosed(' and ended this answer'));
      letGo();
      await soon(running.settle(), times.answersMs);
      const freed = async (): Promise<void> => {
        await compiler.close();
        await cache.close();
        await hosts.close();
      };
      await soon(
        freed().catch(() => undefined),
        times.memoryMs,
      );
    },
  };
}
