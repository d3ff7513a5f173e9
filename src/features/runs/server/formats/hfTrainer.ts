// The output folder of HF's Trainer, and of all that build on it: TRL, Unsloth, PEFT. Weights are never opened, but for the
// header of an adapter's safetensors. Pickles run code when Python loads them: `*.pt` are never opened, `training_args.bin` is
// read as data.
import { isObject, type JsonObject } from '#core/contract/readJson.ts';
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
import { toHfEvidence, type HfParts, type Part } from './hfEvidence.ts';
import { parseLooseJsonBytes } from './looseJson.ts';
import { CARD_BYTES, parseModelCard } from './modelCard.ts';
import { checkpointFolders, ggufFiles, hasTrainingSigns, rowFilesOf, stepOf } from './outputFolder.ts';
import { HEADER_BYTES, readSafetensorsHeader } from './safetensorsHeader.ts';
import { parseResults, parseTrainerState } from './trainerState.ts';
import { MAX_ARGUMENTS_BYTES, parseTrainingArguments, TRAINING_ARGUMENTS } from './trainingArguments.ts';

const FORMAT = 'hf-trainer';
const STATE = 'trainer_state.json';
/** How many of the newest checkpoints are read: the newest may be half saved. */
const READ_CHECKPOINTS = 2;
const RESULTS = ['train_results.json', 'eval_results.json', 'all_results.json'];

type Kind = Exclude<keyof HfParts, 'lastSignAt'>;
type Parser = (content: Uint8Array) => HfParts[Kind][number]['value'] | null;

/** What is read of a file, by its name. */
const FILES = new Map<string, readonly [kind: Kind, parse: Parser, read: WantedFile['read']]>([
  [STATE, ['states', parseTrainerState, { mode: 'whole' }]],
  ...RESULTS.map((name) => [name, ['results', parseResults, { mode: 'whole' }]] as const),
  ['adapter_config.json', ['adapterConfigs', parsePeftConfig, { mode: 'whole' }]],
  ['config.json', ['modelConfigs', parseObject, { mode: 'whole' }]],
  [
    'README.md',
    ['cards', (content) => parseModelCard(new TextDecoder().decode(content)), { mode: 'head', bytes: CARD_BYTES }],
  ],
  ['adapter_model.safetensors', ['headers', readSafetensorsHeader, { mode: 'head', bytes: HEADER_BYTES }]],
  [TRAINING_ARGUMENTS, ['arguments', parseTrainingArguments, { mode: 'head', bytes: MAX_ARGUMENTS_BYTES }]],
]);
/** The files of the newest checkpoint that say something about the run. */
const OF_RUN = [...FILES.keys()].filter((name) => name !== STATE && !RESULTS.includes(name));
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
  const add = (folder: FolderView, name: string, read = FILES.get(name)?.[2] ?? ({ mode: 'stat' } as const)): void => {
    if (folder.files.has(name)) found.push({ path: pathIn(folder.path, name), read });
  };
  const checkpoints = newestCheckpoints(folder);
  for (const name of [STATE, ...RESULTS]) add(folder, name);
  for (const checkpoint of checkpoints.slice(0, READ_CHECKPOINTS)) add(checkpoint, STATE);
  for (const place of [folder, ...checkpoints.slice(0, 1)]) for (const name of OF_RUN) add(place, name);
  for (const { name } of folder.files.values())
    if (name.endsWith('.safetensors') && !FILES.has(name)) add(folder, name);
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
  readonly #parts = new Map<string, Part<unknown> & { readonly kind: Kind }>();
  readonly #seenAt = new Map<string, number>();

  constructor(folder: FolderView) {
    this.#folder = folder;
  }

  take(change: FileChange): void {
    const { path, modifiedAt } = change;
    if (change.kind === 'gone') {
      this.#seenAt.delete(path);
      this.#parts.delete(path);
      return;
    }
    this.#seenAt.set(path, modifiedAt);
    const known = FILES.get(baseName(path));
    if (!known || (change.kind !== 'whole' && change.kind !== 'head')) return;
    const [kind, parse] = known;
    const value = parse(change.content);
    if (value === null) this.#parts.delete(path);
    else this.#parts.set(path, { kind, path, modifiedAt, value });
  }

  evidence(): readonly RunEvidence[] {
    const lastSignAt = Math.max(-Infinity, ...this.#seenAt.values());
    const parts = {
      states: this.#read('states'),
      results: this.#read('results'),
      adapterConfigs: this.#read('adapterConfigs'),
      modelConfigs: this.#read('modelConfigs'),
      cards: this.#read('cards'),
      headers: this.#read('headers'),
      arguments: this.#read('arguments'),
      lastSignAt: lastSignAt > 0 ? lastSignAt : null,
    };
    return [toHfEvidence(FORMAT, this.#folder, parts)];
  }

  /** The folder's own file first, then that of its highest checkpoint. */
  #read<Of extends Kind>(kind: Of): HfParts[Of] {
    const rank = ({ path }: Part<unknown>): number => stepOf(baseName(folderOf(path))) ?? Infinity;
    const found = [...this.#parts.values()].filter((part) => part.kind === kind);
    // By the table, a file of this kind has such a value.
    return found.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a))) as unknown as HfParts[Of];
  }
}

function parseObject(content: Uint8Array): JsonObject | null {
  const value = parseLooseJsonBytes(content);
  return isObject(value) ? value : null;
}

/** mlx-lm writes other settings into a file of the same name. */
function parsePeftConfig(content: Uint8Array): JsonObject | null {
  const value = parseObject(content);
  return value && typeof value['peft_type'] === 'string' ? value : null;
}

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
