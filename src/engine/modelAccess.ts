// How whoever needs a model gets it: those that wait for a load are bounded, and a mount that hangs is found before it.
import type { Files } from '#service/files/files.ts';
import { Silence } from '#service/files/mountCalls.ts';
import { EngineError, type ModelFile } from './engine.ts';
import type { ModelCache } from './modelCache.ts';
import type { QueueBounds } from './queueBounds.ts';

export interface AccessDeps {
  readonly cache: ModelCache;
  readonly bounds: QueueBounds;
  readonly files: Files;
  /** Such a file lies on a disk that answers. */
  readonly isNear: (path: string) => boolean;
}

/** The model, which stays in memory until `release` is called. Rejects with EngineError or AbortError. */
export type AcquireModel = (file: ModelFile, signal: AbortSignal, caller: string) => ReturnType<ModelCache['acquire']>;

/** Nobody knows how long a model takes to load, so this is a guess. */
const LOAD_RETRY_S = 10;
const SILENT_RETRY_S = '30';

const toPaths = ({ path, adapter }: ModelFile): readonly string[] => (adapter === null ? [path] : [path, adapter]);

/** What else is wrong with a file is said when it is loaded. Throws EngineError. */
async function checkAnswers(file: ModelFile, files: Files): Promise<void> {
  for (const path of toPaths(file)) {
    try {
      await files.find(path);
    } catch (error) {
      if (!(error instanceof Silence)) continue;
      throw new EngineError(
        `Model "${file.id}" can't be loaded: ${path}: ${error.message}. Check the mount; the model answers again when it does.`,
        503,
        'model_file_silent',
        null,
        SILENT_RETRY_S,
      );
    }
  }
}

/** Requests that wait for a load count as waiting, so their number is bounded too. */
export function openModelAccess({ cache, bounds, files, isNear }: AccessDeps): AcquireModel {
  return async (file, signal, caller) => {
    const pace = `Model "${file.id}" is being loaded.`;
    const leave = cache.find(file) !== null ? null : bounds.enter(caller, () => ({ seconds: LOAD_RETRY_S, pace }));
    try {
      // One that hangs would keep a process of its own waiting, and nobody would know for what. Callers keep their order.
      if (!toPaths(file).every(isNear)) await checkAnswers(file, files);
      return await cache.acquire(file, signal);
    } finally {
      leave?.();
    }
  };
}
