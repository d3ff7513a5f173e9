// What the files of an output folder are, by their names: checkpoints, final weights, GGUF files, rows that were logged.
import type { Checkpoint, RowFile } from '#features/runs/server/evidence.ts';
import { baseName, pathIn } from '#features/runs/server/paths.ts';
import type { FileEntry, FolderView } from '#features/runs/server/reader.ts';

const CHECKPOINT = /^checkpoint-(\d{1,15})$/;
const ADAPTER = /^adapter_model\.(?:safetensors|bin)$/;
const MODEL = /^(?:model|pytorch_model|tf_model|flax_model)(?:-\d+-of-\d+)?\.(?:safetensors|bin|h5|msgpack)$/;
const SHARD = /-(\d+)-of-(\d+)\.(?:safetensors|bin)$/;
const GGUF = /^(?!mmproj).*\.gguf$/i;
/** Files that only a training leaves. */
const TRAINING = new Set(['trainer_state.json', 'train_results.json', 'training_args.bin']);
const CHECKPOINT_STATE = new Set([...TRAINING, 'optimizer.pt', 'optimizer.bin', 'scheduler.pt', 'rng_state.pth']);
const COMPLETIONS = /^completions_(\d+)\.parquet$/;
/** Written first, and deleted when a save on SIGTERM is complete. */
const INCOMPLETE = 'checkpoint-is-incomplete.txt';
const MAX_DEPTH = 5;

/** The step in the name of a checkpoint's folder; null: it is none. */
export const stepOf = (name: string): number | null => {
  const step = CHECKPOINT.exec(name)?.[1];
  return step === undefined ? null : Number(step);
};

const isWeights = (name: string): boolean => ADAPTER.test(name) || MODEL.test(name);

const hasWeights = (folder: FolderView): boolean => [...folder.files.keys()].some(isWeights);

/** Whether a training wrote into this folder. Weights alone may be a download. */
export function hasTrainingSigns(folder: FolderView): boolean {
  const isInside = stepOf(baseName(folder.path)) !== null;
  if (isInside) return false;
  for (const name of folder.files.keys()) if (TRAINING.has(name)) return true;
  return checkpointFolders(folder).length > 0 || rowFilesOf(folder).length > 0;
}

/** Folders `checkpoint-<step>` with files that a trainer saves, by step. */
export function checkpointFolders(folder: FolderView): readonly FolderView[] {
  return [...folder.folders.values()]
    .filter((inner) => stepOf(baseName(inner.path)) !== null)
    .filter((inner) => hasWeights(inner) || [...inner.files.keys()].some((name) => CHECKPOINT_STATE.has(name)))
    .sort((a, b) => (stepOf(baseName(a.path)) ?? 0) - (stepOf(baseName(b.path)) ?? 0));
}

function totalOf(folder: FolderView, depth = 0): { bytes: number; savedAt: number | null } {
  let bytes = 0;
  let savedAt: number | null = null;
  const see = (total: { bytes: number; savedAt: number | null }): void => {
    bytes += total.bytes;
    if (total.savedAt !== null) savedAt = Math.max(savedAt ?? 0, total.savedAt);
  };
  for (const file of folder.files.values()) see({ bytes: file.bytes, savedAt: file.modifiedAt });
  if (depth < MAX_DEPTH) for (const inner of folder.folders.values()) see(totalOf(inner, depth + 1));
  return { bytes, savedAt };
}

function kindOf(folder: FolderView): Checkpoint['kind'] {
  const names = [...folder.files.keys()];
  if (names.some((name) => ADAPTER.test(name)) || folder.files.has('adapter_config.json')) return 'adapter';
  return names.some((name) => MODEL.test(name)) ? 'full' : 'unknown';
}

/** Whether a model in several files has all of them. */
function hasAllShards(folder: FolderView): boolean {
  const counts = new Map<string, number>();
  for (const name of folder.files.keys()) {
    const total = SHARD.exec(name)?.[2];
    if (total !== undefined) counts.set(total, (counts.get(total) ?? 0) + 1);
  }
  return [...counts].every(([total, count]) => count >= Number(total));
}

/** A folder `checkpoint-<step>`. The state is the last file of a save. */
export function toCheckpoint(folder: FolderView, measures: ReadonlyMap<string, number>): Checkpoint {
  const { bytes, savedAt } = totalOf(folder);
  const isComplete =
    folder.files.has('trainer_state.json') &&
    !folder.files.has(INCOMPLETE) &&
    // FSDP and DeepSpeed save their shards in a folder.
    (hasWeights(folder) || folder.folders.size > 0) &&
    hasAllShards(folder);
  const step = stepOf(baseName(folder.path));
  return { path: folder.path, step, kind: kindOf(folder), bytes, isComplete, measures, savedAt };
}

/** Weights in the output folder itself, in folders right below it (`merged`, another adapter), and GGUF files. */
export function finalWeights(folder: FolderView): readonly Checkpoint[] {
  const others = [...folder.folders.values()].filter((inner) => stepOf(baseName(inner.path)) === null);
  return [
    ...(hasWeights(folder) ? [toWeights({ ...folder, folders: new Map() })] : []),
    ...others.filter((inner) => hasWeights(inner) && !hasTrainingSigns(inner)).map(toWeights),
    ...[folder, ...others].flatMap(ggufFiles),
  ];
}

function toWeights(folder: FolderView): Checkpoint {
  const { bytes } = totalOf(folder);
  const savedAt = newestWeights(folder);
  const isComplete = hasAllShards(folder);
  return { path: folder.path, step: null, kind: kindOf(folder), bytes, isComplete, measures: new Map(), savedAt };
}

/** When the weights in the folder itself were written; null: it has none. */
export function newestWeights(folder: FolderView): number | null {
  let newest: number | null = null;
  for (const { name, modifiedAt } of folder.files.values()) {
    if (isWeights(name)) newest = Math.max(newest ?? 0, modifiedAt);
  }
  return newest;
}

/** The GGUF files in a folder, each with its own weights. */
export function ggufFiles(folder: FolderView): readonly Checkpoint[] {
  const toGguf = ({ name, bytes, modifiedAt }: FileEntry): Checkpoint => ({
    path: pathIn(folder.path, name),
    step: null,
    kind: 'gguf',
    bytes,
    isComplete: true,
    measures: new Map(),
    savedAt: modifiedAt,
  });
  return [...folder.files.values()].filter(({ name }) => GGUF.test(name)).map(toGguf);
}

/** Completions that TRL logged while it trained (`log_completions`), by step. */
export function rowFilesOf(folder: FolderView): readonly RowFile[] {
  const inner = folder.folders.get('completions');
  return [...(inner?.files.values() ?? [])]
    .flatMap(({ name }) => {
      const step = COMPLETIONS.exec(name)?.[1];
      return inner && step !== undefined ? [{ path: pathIn(inner.path, name), step: Number(step) }] : [];
    })
    .sort((a, b) => a.step - b.step);
}
