// llama.cpp as an Engine: which model files there are, and answers from them. It must not know HTTP.
import { setMaxListeners } from 'node:events';
import type { ChatRequest } from '../contract/chatRequest';
import { toAbortable } from './abort';
import { EngineError, type Engine, type EngineEvent, type LoadedModel, type ModelFile } from './engine';
import { generate } from './generation';
import { openLlamaRuntime, type LlamaRuntime } from './llamaRuntime';
import { ModelCache } from './modelCache';

export interface LlamaEngineOptions {
  /** The files to serve; a function is asked at each request, so that newly trained models appear. */
  readonly models: readonly ModelFile[] | (() => Promise<readonly ModelFile[]>);
  /** Threads for each model; by default 1 for small models and all cores but one for others. */
  readonly threads?: number;
  /** Models kept in memory at the same time; idle ones beyond that are given up. */
  readonly maxContexts?: number;
}

/** Time that running answers get to notice that the engine closes. */
const CLOSE_GRACE_MS = 5_000;

/** Starts nothing yet: llama.cpp and each model are loaded when first asked for. */
export function openLlamaEngine({ models, threads, maxContexts = 16 }: LlamaEngineOptions): Engine {
  const closing = new AbortController();
  // Every running answer listens; Node would take more than 10 for a leak.
  setMaxListeners(0, closing.signal);
  const running = new Set<Promise<void>>();
  let runtime: Promise<LlamaRuntime> | null = null;
  const openRuntime = (): Promise<LlamaRuntime> => {
    runtime ??= openLlamaRuntime();
    return runtime;
  };
  const cache = new ModelCache({ openRuntime, threads: threads ?? null, maxContexts });
  const listFiles = async (): Promise<readonly ModelFile[]> => (typeof models === 'function' ? await models() : models);

  async function* answer(file: ModelFile, request: ChatRequest, signal: AbortSignal): AsyncGenerator<EngineEvent, void> {
    let finish = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      finish = resolve;
    });
    running.add(ended);
    try {
      const { ready, release } = await cache.acquire(file, signal);
      try {
        yield* generate(ready, await openRuntime(), request, signal);
      } finally {
        release();
      }
    } finally {
      running.delete(ended);
      finish();
    }
  }

  return {
    async listModels() {
      const files = await listFiles();
      return files.map(({ id, created, owned_by }) => ({ id, created, object: 'model' as const, owned_by }));
    },
    async load(model, signal): Promise<LoadedModel | null> {
      const files = await listFiles();
      const file = files.find(({ id }) => id === model) ?? files.find(({ aliases }) => aliases.includes(model));
      if (file === undefined) return null;
      if (closing.signal.aborted) throw new EngineError('The studio is shutting down. Send the request again when it is back.', 503, 'engine_closed');
      const { ready, release } = await cache.acquire(file, signal);
      release();
      return {
        id: file.id,
        fingerprint: ready.fingerprint,
        generate: (request, outer) => toAbortable((inner) => answer(file, request, inner), [outer, closing.signal]),
      };
    },
    async close() {
      closing.abort(new EngineError('The studio is shutting down and ended this answer. Send the request again when it is back.', 503, 'engine_closed'));
      await Promise.race([Promise.all(running), new Promise((resolve) => setTimeout(resolve, CLOSE_GRACE_MS).unref())]);
      await cache.close();
      await runtime?.then(
        (opened) => opened.close(),
        () => undefined,
      );
    },
  };
}
