// Converts an adapter of PEFT in a folder of runs into a GGUF file of the studio. Reads only; writes only `target`.
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { AdapterRefused, toGgufAdapter } from '#server/engine/gguf/peftAdapter.ts';
import { GgufError, MAX_GGUF_HEADER, readGgufHeader, type GgufHeader } from '#server/engine/gguf/ggufHeader.ts';
import { SafetensorsError } from '#server/engine/gguf/safetensors.ts';
import { localCalls } from '#server/runs/disk/fileCalls.ts';
import { Gone, readWhole, withFile, type SafeRoot } from '#server/runs/disk/safeFile.ts';
import { Unreadable } from '#server/runs/reader.ts';
import { CannotServe } from './cannotServe.ts';

export interface ConvertOrder {
  /** Real path of the root of runs. */
  readonly root: string;
  /** The adapter's folder below the root. */
  readonly folder: string;
  /** The GGUF file of the base model. */
  readonly base: string;
  /** Where the adapter is written; it is there only when it is whole. */
  readonly target: string;
}

/** Adapters of rank 256 on models of 70 billion parameters are about this large. */
const MAX_ADAPTER_BYTES = 4 * 2 ** 30;

async function readBase(path: string): Promise<GgufHeader> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const bytes = new Uint8Array(Math.min(size, MAX_GGUF_HEADER));
    await file.read(bytes, 0, bytes.length, 0);
    return readGgufHeader(bytes);
  } finally {
    await file.close();
  }
}

function parseConfig(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AdapterRefused('adapter_config.json is not valid JSON. It may still be written: try again.');
  }
}

/** Throws CannotServe for what a person can mend: a damaged file, an adapter that can't be exact, a missing base. */
export async function convertAdapter({ root, folder, base, target }: ConvertOrder): Promise<void> {
  const safe: SafeRoot = { folder: root, calls: localCalls };
  const draft = `${target}.${process.pid}.part`;
  try {
    const header = await readBase(base);
    const inFolder = (name: string): string => (folder === '' ? name : `${folder}/${name}`);
    const read = (name: string, most: number): Promise<Uint8Array> =>
      withFile(safe, inFolder(name), (file) => readWhole(file, inFolder(name), most));
    const config = parseConfig(new TextDecoder().decode(await read('adapter_config.json', 2 ** 20)));
    const weights = await read('adapter_model.safetensors', MAX_ADAPTER_BYTES);
    await writeFile(draft, toGgufAdapter({ config, weights }, header), { mode: 0o600 });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    const isKnown =
      error instanceof AdapterRefused ||
      error instanceof SafetensorsError ||
      error instanceof GgufError ||
      error instanceof Unreadable;
    if (isKnown) throw new CannotServe(error.message);
    if (error instanceof Gone)
      throw new CannotServe(
        `${error.message} is not there. Adapters need adapter_config.json and adapter_model.safetensors.`,
      );
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CannotServe(`The adapter could not be converted (${code ?? message}).`);
  }
}
