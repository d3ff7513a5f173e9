// Reads what a folder of runs says of its weights: configurations, tokenizer, names and shapes of tensors. Only reads.
import { isAbsolute, relative } from 'node:path';
import { isObject, ownField, parseJson, type JsonObject } from '#core/contract/readJson.ts';
import type { FolderFacts } from '#engine/gguf/baseFit.ts';
import { GgufError } from '#engine/gguf/ggufHeader.ts';
import { readSafetensorsHeader, SafetensorsError, toHeaderLength, type SafeEntry } from '#engine/gguf/safetensors.ts';
import { localCalls } from '#features/runs/server/disk/fileCalls.ts';
import { Gone, readAt, readWhole, withFile, type SafeRoot } from '#features/runs/server/disk/safeFile.ts';
import { Unreadable } from '#features/runs/server/reader.ts';
import { CannotServe } from './cannotServe.ts';

/** Saved weights of a run. */
export interface WeightsPlace {
  /** Real path of the root of runs. */
  readonly root: string;
  /** The folder of the weights below the root; `''` is the root. */
  readonly folder: string;
  /** What the run recorded of the configuration of its model, with dotted names. */
  readonly recorded: JsonObject;
}

export const ADAPTER_CONFIG = 'adapter_config.json';
export const ADAPTER_WEIGHTS = 'adapter_model.safetensors';
const INDEX = 'model.safetensors.index.json';
const ONE_FILE = 'model.safetensors';

const MAX_CONFIG_BYTES = 2 ** 20;
/** That of Gemma 3 has 33 MB. */
const MAX_TOKENIZER_BYTES = 128 * 2 ** 20;
const HEAD_BYTES = 64 * 1024;

/** A tensor and the file that holds it. */
export interface StoredTensor extends SafeEntry {
  readonly file: string;
}

/** The type of the base by the module of transformers that PEFT notes. */
function toBaseType(adapter: JsonObject): JsonObject {
  const mapping = ownField(adapter, 'auto_mapping');
  const library = isObject(mapping) ? ownField(mapping, 'parent_library') : null;
  const type = typeof library === 'string' ? /^transformers\.models\.(\w+)\./.exec(library)?.[1] : undefined;
  return type === undefined ? {} : { model_type: type };
}

export class RunWeights {
  readonly #safe: SafeRoot;
  readonly #place: WeightsPlace;

  constructor(place: WeightsPlace) {
    this.#place = place;
    this.#safe = { folder: place.root, calls: localCalls };
  }

  #inFolder(name: string): string {
    return this.#place.folder === '' ? name : `${this.#place.folder}/${name}`;
  }

  /** The bytes of a file of the folder. Throws Gone and Unreadable. */
  read(name: string, most: number): Promise<Uint8Array> {
    const path = this.#inFolder(name);
    return withFile(this.#safe, path, (file) => readWhole(file, path, most));
  }

  async #readText(name: string, most: number): Promise<string | null> {
    try {
      return new TextDecoder().decode(await this.read(name, most));
    } catch (error) {
      if (error instanceof Gone) return null;
      throw error;
    }
  }

  /** null: there is no such file. Throws CannotServe for one that is no JSON object. */
  async #readJson(name: string, most = MAX_CONFIG_BYTES): Promise<JsonObject | null> {
    const text = await this.#readText(name, most);
    if (text === null) return null;
    const value = parseJson(text);
    if (isObject(value)) return value;
    throw new CannotServe(`${name} is not valid JSON. It may still be written: try again.`);
  }

  async readAdapterConfig(): Promise<JsonObject> {
    const config = await this.#readJson(ADAPTER_CONFIG);
    if (config === null) throw new Gone(this.#inFolder(ADAPTER_CONFIG));
    return config;
  }

  /** The configuration of the base that an adapter names, if that is a folder below the root; null: it is elsewhere. */
  async #readBaseConfig(base: unknown): Promise<JsonObject | null> {
    if (typeof base !== 'string' || !isAbsolute(base)) return null;
    const path = relative(this.#place.root, base).split('\\').join('/');
    if (path.startsWith('..') || isAbsolute(path)) return null;
    return new RunWeights({ ...this.#place, folder: path }).#readJson('config.json').catch(() => null);
  }

  /** What the folder says of its model. `adapter`: its configuration; null: the weights are a whole model. */
  async readFacts(adapter: JsonObject | null): Promise<FolderFacts> {
    const { recorded } = this.#place;
    const config = await this.#readJson('config.json');
    const named = adapter && (await this.#readBaseConfig(ownField(adapter, 'base_model_name_or_path')));
    const found = config ?? named ?? { ...(adapter ? toBaseType(adapter) : {}), ...recorded };
    return {
      config: Object.keys(found).length === 0 ? null : found,
      tokenizer: await this.#readJson('tokenizer.json', MAX_TOKENIZER_BYTES),
      tokenizerConfig: await this.#readJson('tokenizer_config.json', 16 * MAX_CONFIG_BYTES),
      chatTemplate: await this.#readText('chat_template.jinja', MAX_CONFIG_BYTES),
    };
  }

  /** Names, types and shapes of the tensors of one file. Throws SafetensorsError, Gone, Unreadable. */
  readTensors(name: string): Promise<readonly SafeEntry[]> {
    return withFile(this.#safe, this.#inFolder(name), async (file) => {
      const head = await readAt(file, 0, HEAD_BYTES);
      const length = toHeaderLength(head);
      const whole = length <= head.byteLength ? head : await readAt(file, 0, length);
      return readSafetensorsHeader(whole, file.stats.size);
    });
  }

  /** The tensors of a whole model, in one file or in several. Throws as `readTensors` does. */
  async readModelTensors(): Promise<readonly StoredTensor[]> {
    const index = await this.#readJson(INDEX, 16 * MAX_CONFIG_BYTES);
    const map = index && ownField(index, 'weight_map');
    const files = isObject(map)
      ? [...new Set(Object.values(map).filter((file) => typeof file === 'string' && !/[/\\]/.test(file)))]
      : [ONE_FILE];
    const all: StoredTensor[] = [];
    for (const file of files as readonly string[])
      for (const tensor of await this.readTensors(file)) all.push({ ...tensor, file });
    return all;
  }

  /** Gives the bytes of a tensor, in pieces of at most `most` bytes. */
  async *readData({ file, from, to }: StoredTensor, most: number): AsyncGenerator<Uint8Array, void> {
    for (let at = from; at < to; at += most) {
      const length = Math.min(most, to - at);
      const bytes = await withFile(this.#safe, this.#inFolder(file), (open) => readAt(open, at, length));
      if (bytes.byteLength < length) throw new SafetensorsError(`${file} is cut off.`);
      yield bytes;
    }
  }
}

/** An error that a person can do something about as CannotServe; others stay as they are. */
export function toCannotServe(error: unknown, wanted: string): unknown {
  if (error instanceof CannotServe) return error;
  if (error instanceof SafetensorsError || error instanceof GgufError || error instanceof Unreadable)
    return new CannotServe(error.message);
  if (error instanceof Gone) return new CannotServe(`${error.message} is not there. ${wanted}`);
  return error;
}
