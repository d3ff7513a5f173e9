// The output folder of HF's Trainer, and of all that build on it: TRL, Unsloth, PEFT. Weights are never opened, but for the
// header of an adapter's safetensors. Pickles run code when Python loads them: `*.pt` are never opened, `training_args.bin` is
// read as data.
import { isObject, type JsonObject } from '#core/contract/reading.ts';
import { type RunEvidence, toEvidence } from '#features/runs/server/evidence.ts';
import { baseName, folderOf, pathIn } from '#features/runs/server/paths.ts';
import {
  type Claim,
  type FileChange,
  type FolderView,
  type FormatReader,
  type RunReading,
  type WantedFile,
} from '#features/runs/server/reader.ts';
import { toHfEvidence, type Part } from './hfEvidence.ts';
import { parseLooseJsonBytes } from './looseJson.ts';
import { CARD_BYTES, parseModelCard, type ModelCard } from './modelCard.ts';
import { checkpointFolders, ggufFiles, hasTrainingSigns, rowFilesOf, stepOf } from './outputFolder.ts';
import { HEADER_BYTES, readSafetensorsHeader, type TensorSummary } from './safetensorsHeader.ts';
import { parseResults, parseTrainerState, type TrainerState } from './trainerState.ts';
import {
  MAX_ARGUMENTS_BYTES,
  parseTrainingArguments,
  TRAINING_ARGUMENTS,
  type TrainingArguments,
} from './trainingArguments.ts';

const FORMAT = 'hf-trainer';
const STATE = 'trainer_state.json';
/** How many of the newest checkpoints are read: the newest may be half saved. */
const READ_CHECKPOINTS = 2;
/** How the small files of the folder and of its newest checkpoint are read. */
const READ_MODES: ReadonlyMap<string, WantedFile['read']> = new Map([
  ['adapter_config.json', { mode: 'whole' }],
  ['config.json', { mode: 'whole' }],
  ['README.md', { mode: 'head', bytes: CARD_BYTES }],
  ['adapter_model.safetensors', { mode: 'head', bytes: HEADER_BYTES }],
  [TRAINING_ARGUMENTS, { mode: 'head', bytes: MAX_ARGUMENTS_BYTES }],
]);
const RESULTS = ['train_results.json', 'eval_results.json', 'all_results.json'];
const GGUF_FOLDER = /_gguf$/;

export const hfTrainerFormat: FormatReader = {
  format: FORMAT,
  label: 'Hugging Face Trainer',

  recognise(folder: FolderView): readonly Claim[] {
    const claims = ggufClaims(folder);
    return hasTrainingSigns(folder) ? [{ key: folder.path, files: wantedFiles(folder) }, ...claims] : claims;
  },

  open(claim: Claim, folder: FolderView): RunReading {
    const gguf = GGUF_FOLDER.test(claim.key) && claim.key !== folder.path;
    return gguf ? new GgufReading(claim, folder) : new HfReading(folder);
  },
};

/** Unsloth's `save_pretrained_gguf('out')` writes to `out_gguf`, beside the output folder. */
function ggufClaims(folder: FolderView): readonly Claim[] {
  return [...folder.folders.values()].flatMap((inner) => {
    const output = folder.folders.get(baseName(inner.path).replace(GGUF_FOLDER, ''));
    if (!output || output === inner || !hasTrainingSigns(output)) return [];
    const files = ggufFiles(inner).map(({ path }) => ({ path, read: { mode: 'stat' } as const }));
    return files.length > 0 ? [{ key: inner.path, files }] : [];
  });
}

function wantedFiles(folder: FolderView): readonly WantedFile[] {
  const found: WantedFile[] = [];
  const add = (folder: FolderView, name: string, read: WantedFile['read'] = { mode: 'whole' }): void => {
    if (folder.files.has(name)) found.push({ path: pathIn(folder.path, name), read });
  };
  const checkpoints = newestCheckpoints(folder);
  for (const name of [STATE, ...RESULTS]) add(folder, name);
  for (const checkpoint of checkpoints.slice(0, READ_CHECKPOINTS)) add(checkpoint, STATE);
  for (const place of [folder, ...checkpoints.slice(0, 1)])
    for (const [name, read] of READ_MODES) add(place, name, read);
  for (const { name } of folder.files.values()) {
    if (name.endsWith('.safetensors') && !READ_MODES.has(name)) add(folder, name, { mode: 'stat' });
  }
  const rows = rowFilesOf(folder).at(-1);
  if (rows) found.push({ path: rows.path, read: { mode: 'stat' } });
  return found;
}

/** Newest first, by when they were saved: a run that was started again counts from 0. */
function newestCheckpoints(folder: FolderView): readonly FolderView[] {
  const savedAt = (checkpoint: FolderView): number =>
    checkpoint.files.get(STATE)?.modifiedAt ??
    Math.max(0, ...[...checkpoint.files.values()].map((it) => it.modifiedAt));
  return checkpointFolders(folder)
    .toReversed()
    .sort((a, b) => savedAt(b) - savedAt(a));
}

class HfReading implements RunReading {
  readonly #folder: FolderView;
  readonly #states = new Map<string, Part<TrainerState>>();
  readonly #results = new Map<string, Part<ReadonlyMap<string, number>>>();
  readonly #adapterConfigs = new Map<string, Part<JsonObject>>();
  readonly #modelConfigs = new Map<string, Part<JsonObject>>();
  readonly #cards = new Map<string, Part<ModelCard>>();
  readonly #headers = new Map<string, Part<TensorSummary>>();
  readonly #arguments = new Map<string, Part<TrainingArguments>>();
  readonly #seenAt = new Map<string, number>();

  constructor(folder: FolderView) {
    this.#folder = folder;
  }

  take(change: FileChange): void {
    const { path, modifiedAt } = change;
    if (change.kind === 'gone') this.#forget(path);
    else this.#seenAt.set(path, modifiedAt);
    if (change.kind !== 'whole' && change.kind !== 'head') return;
    const { content } = change;
    const name = baseName(path);
    const keep = <Value>(parts: Map<string, Part<Value>>, value: Value | null): void => {
      if (value === null) parts.delete(path);
      else parts.set(path, { path, modifiedAt, value });
    };
    if (name === STATE) keep(this.#states, parseTrainerState(content));
    else if (RESULTS.includes(name)) keep(this.#results, parseResults(content));
    else if (name === 'adapter_config.json') keep(this.#adapterConfigs, parsePeftConfig(content));
    else if (name === 'config.json') keep(this.#modelConfigs, parseObject(content));
    else if (name === 'README.md') keep(this.#cards, parseModelCard(new TextDecoder().decode(content)));
    else if (name === TRAINING_ARGUMENTS) keep(this.#arguments, parseTrainingArguments(content));
    else if (name === 'adapter_model.safetensors') keep(this.#headers, readSafetensorsHeader(content));
  }

  evidence(): readonly RunEvidence[] {
    const lastSignAt = Math.max(-Infinity, ...this.#seenAt.values());
    const parts = {
      states: this.#inOrder(this.#states),
      results: this.#inOrder(this.#results),
      adapterConfigs: this.#inOrder(this.#adapterConfigs),
      modelConfigs: this.#inOrder(this.#modelConfigs),
      cards: this.#inOrder(this.#cards),
      headers: this.#inOrder(this.#headers),
      arguments: this.#inOrder(this.#arguments),
      lastSignAt: lastSignAt > 0 ? lastSignAt : null,
    };
    return [toHfEvidence(FORMAT, this.#folder, parts)];
  }

  /** The folder's own file first, then that of its highest checkpoint. */
  #inOrder<Value>(parts: ReadonlyMap<string, Part<Value>>): readonly Part<Value>[] {
    const rank = (path: string): number => stepOf(baseName(folderOf(path))) ?? Infinity;
    return [...parts.values()].sort((a, b) => {
      const [first, second] = [rank(a.path), rank(b.path)];
      return first === second ? 0 : second - first;
    });
  }

  #forget(path: string): void {
    this.#seenAt.delete(path);
    this.#states.delete(path);
    this.#results.delete(path);
    this.#adapterConfigs.delete(path);
    this.#modelConfigs.delete(path);
    this.#cards.delete(path);
    this.#headers.delete(path);
    this.#arguments.delete(path);
  }
}

const parseObject = (content: Uint8Array): JsonObject | null => {
  const value = parseLooseJsonBytes(content);
  return isObject(value) ? value : null;
};

/** mlx-lm writes other settings into a file of the same name. */
const parsePeftConfig = (content: Uint8Array): JsonObject | null => {
  const value = parseObject(content);
  return value && typeof value['peft_type'] === 'string' ? value : null;
};

/** GGUF files beside an output folder: nothing is read but their sizes. */
class GgufReading implements RunReading {
  readonly #claim: Claim;
  readonly #parent: FolderView;

  constructor(claim: Claim, parent: FolderView) {
    this.#claim = claim;
    this.#parent = parent;
  }

  take(): void {
    // The sizes are in the listing.
  }

  evidence(): readonly RunEvidence[] {
    const name = baseName(this.#claim.key);
    const inner = this.#parent.folders.get(name);
    const folder = pathIn(this.#parent.path, name.replace(GGUF_FOLDER, ''));
    const checkpoints = inner ? ggufFiles(inner) : [];
    return [toEvidence({ format: FORMAT, key: this.#claim.key, folder, checkpoints })];
  }
}
