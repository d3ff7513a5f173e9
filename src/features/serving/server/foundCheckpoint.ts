// A checkpoint of a run, as it is served from.
import { join } from 'node:path';
import type { RunCheckpoint } from '#features/runs/shared/runs.ts';
import type { JsonObject } from '#core/contract/readJson.ts';
import type { WeightsPlace } from './runWeights.ts';

/** A checkpoint of a run, found by the service. */
export interface FoundCheckpoint {
  readonly runId: string;
  readonly runLabel: string;
  /** Real path of its root. */
  readonly root: string;
  /** Its place below the root; `''` is the root. */
  readonly path: string;
  readonly kind: RunCheckpoint['kind'];
  readonly step: number | null;
  readonly isComplete: boolean;
  readonly baseModel: string | null;
  readonly rank: number | null;
  readonly isMlx: boolean;
  /** What the run recorded of its model's configuration, with dotted names. */
  readonly modelConfig: JsonObject;
  /** The model that serves it already: a GGUF file in the folder. */
  readonly modelId: string | null;
}

/** Why these weights can't be served here at all; null: they can. */
export function toObstacle({ kind, isComplete, isMlx }: FoundCheckpoint): string | null {
  if (!isComplete) return 'The checkpoint is not complete: it is still being saved, or its save was broken off.';
  if (isMlx) return 'Adapters of mlx-lm run only in mlx-lm.';
  return kind === 'adapter' || kind === 'full' ? null : 'It is not known what these weights are.';
}

export const toPlace = ({ root, path, modelConfig }: FoundCheckpoint): WeightsPlace => ({
  root,
  folder: path,
  recorded: modelConfig,
});
export const toFolder = ({ root, path }: FoundCheckpoint): string => (path === '' ? root : join(root, path));
