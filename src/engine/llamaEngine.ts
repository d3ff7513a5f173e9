// llama.cpp as an Engine: lists model files and answers from them.
import { setMaxListeners } from 'node:events';
import type { ModelEntry } from '#core/contract/completion.ts';
import { isIn, nearFiles, type Files } from '#service/files/files.ts';
import { soon } from '#service/files/timeout.ts';
import { Silence } from '#service/files/mountCalls.ts';
import { linkAbort, toAbortable } from './abort.ts';
import { openCompiler } from './compiler.ts';
import {
  EngineError,
  toClosed,
  type Engine,
  type EngineEvent,
  type LoadedModel,
  type ModelFile,
  type Residence,
} from './engine.ts';
import { generate, generateText } from './generation.ts';
import { openCrashMemory } from '#engine/host/crashMemory.ts';
import { HostPool, type PoolOptions } from '#engine/host/hostPool.ts';
import type { GpuChoice } from './llamaRuntime.ts';
import { ModelCache, type ReadyModel } from './modelCache.ts';
import { findByName } from './modelNames.ts';
import { QueueBounds } from './queueBounds.ts';
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
/** Nobody knows how long a model takes to load, so this is a guess. */
const LOAD_RETRY_S = 10;
const SILENT_RETRY_S = '30';

const toEntry = ({ id, created, owned_by }: ModelFile): ModelEntry => ({ id, created, object: 'model', owned_by });

/** Starts nothing yet: llama.cpp and each model are loaded when first used. */
export function openLlamaEngine(options: LlamaEngineOptions): Engine & Residence {
  const { models, threads = null, maxContexts = 16, bounds = new QueueBounds(), near = [], trusted = [] } = options;
  const times = options.closing ?? CLOSE_TIMES;
  const closing = new AbortController();
  // Every running answer listens; Node warns of a leak above 10 listeners.
  setMaxListeners(0, closing.signal);
  const running = new Set<Promise<void>>();
  const compiler = openCompiler();
  const isInOne = (folders: readonly string[], path: string): boolean => folders.some((folder) => isIn(folder, path));
  const isNear = (path: string): boolean => isInOne([...trusted, ...near], path);
  const { files = nearFiles } = options;
  const hosts = new HostPool({
    openHost: options.openHost,
    gpu: options.gpu ?? 'auto',
    crashes: openCrashMemory(options.dataDir ?? null),
    isTrusted: (path) => isInOne(trusted, path),
    isNear,
    report: options.report ?? ((line) => void process.stderr.write(`${line}\n`)),
  });
  const cache = new ModelCache({ hosts, threads, maxContexts, bounds });
  const listFiles = shareReads(async () => (typeof models === 'function' ? await models() : models));

  /** What else is wrong with a file is said when it is loaded. Throws EngineError. */
  async function checkAnswers({ id, path, adapter }: ModelFile): Promise<void> {
    for (const each of adapter === null ? [path] : [path, adapter]) {
      try {
        await files.find(each);
      } catch (error) {
        if (!(error instanceof Silence)) continue;
        throw new EngineError(
          `Model "${id}" can't be loaded: ${each}: ${error.message}. Check the mount; the model answers again when it does.`,
          503,
          'model_file_silent',
          null,
          SILENT_RETRY_S,
        );
      }
    }
  }

  /** The model in memory. Requests that wait for a load count as waiting, so their number is bounded too. */
  async function acquire(file: ModelFile, signal: AbortSignal, caller: string): ReturnType<ModelCache['acquire']> {
    const pace = `Model "${file.id}" is being loaded.`;
    const leave = cache.find(file) !== null ? null : bounds.enter(caller, () => ({ seconds: LOAD_RETRY_S, pace }));
    try {
      // One that hangs would keep a process of its own waiting, and nobody would know for what. Callers keep their order.
      if (![file.path, file.adapter].every((path) => path === null || isNear(path))) await checkAnswers(file);
      return await cache.acquire(file, signal);
    } finally {
      leave?.();
    }
  }

  async function* answer(
    file: ModelFile,
    work: (ready: ReadyModel) => AsyncGenerator<EngineEvent, void>,
    signal: AbortSignal,
    caller: string,
  ): AsyncGenerator<EngineEvent, void> {
    let finish = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      finish = resolve;
    });
    running.add(ended);
    try {
      const { ready, release } = await acquire(file, signal, caller);
      try {
        yield* work(ready);
      } finally {
        release();
      }
    } finally {
      running.delete(ended);
      finish();
    }
  }

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

  const findFile = async (model: string): Promise<ModelFile | null> => findByName(await listFiles(), model);

  /** What lets go of each model that is kept, by its id. */
  const kept = new Map<string, () => void>();

  return {
    async findMemory(model) {
      const file = await findFile(model);
      return file && (cache.find(file)?.memory ?? 'absent');
    },
    async keep(model, signal) {
      const file = await findFile(model);
      if (file === null) return false;
      const { release } = await acquire(file, signal, '');
      if (kept.has(file.id)) release();
      else kept.set(file.id, release);
      return true;
    },
    async free(model) {
      const file = await findFile(model);
      if (file === null) return false;
      kept.get(file.id)?.();
      kept.delete(file.id);
      await cache.free(file);
      return true;
    },
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
          toAbortable(
            (inner) => answer(file, (ready) => generate(ready, compiler, request, inner, who), inner, who),
            [outer, closing.signal],
          ),
        complete: (request, outer, who = '') =>
          toAbortable(
            (inner) => answer(file, (ready) => generateText(ready, request, inner, who), inner, who),
            [outer, closing.signal],
          ),
      };
    },
    async close() {
      closing.abort(toClosed(' and ended this answer'));
      for (const release of kept.values()) release();
      kept.clear();
      await soon(
        Promise.all(running).catch(() => undefined),
        times.answersMs,
      );
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
