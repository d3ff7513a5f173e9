// Models that somebody keeps in the memory of this machine, or frees.
import type { ModelFile, Residence } from './engine.ts';
import type { AcquireModel } from './modelAccess.ts';
import type { ModelCache } from './modelCache.ts';

export interface ResidenceDeps {
  readonly findFile: (model: string) => Promise<ModelFile | null>;
  readonly cache: ModelCache;
  readonly acquire: AcquireModel;
}

/** `letGo`: keeps none of them any longer. */
export function openResidence({ findFile, cache, acquire }: ResidenceDeps): Residence & { letGo(): void } {
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
    letGo() {
      for (const release of kept.values()) release();
      kept.clear();
    },
  };
}
