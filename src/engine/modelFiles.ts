// Model files that the operator names: `--model ID=FILE` and models.json in the data folder. Paths never come from
// a request. Mistakes are reported in one line at start.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { isObject } from '#core/contract/readJson.ts';
import { nearFiles, type Files } from '#service/files/files.ts';
import { Silence } from '#service/files/mountCalls.ts';
import type { ModelFile } from './engine.ts';

/** A mistake in the operator's list of models. The message says what to do. */
export class ModelFileError extends Error {
  override readonly name = 'ModelFileError';
}

const MODELS_FILE = 'models.json';

const FIELDS: readonly string[] = ['id', 'file', 'adapter', 'aliases'];

/** 0: its disk or mount does not answer, so it may be there. */
async function readCreated(path: string, where: string, files: Files): Promise<number> {
  try {
    const found = await files.find(path);
    if (found?.kind === 'file') return Math.floor(found.modifiedAt / 1000);
  } catch (error) {
    if (error instanceof Silence) return 0;
    // Reported below.
  }
  throw new ModelFileError(`${where}: there is no file ${path}. Correct the path or put the file there.`);
}

function assertId(id: unknown, where: string): string {
  const isGood =
    typeof id === 'string' &&
    id.trim() === id &&
    id !== '' &&
    id.length <= REQUEST_LIMITS.modelCharacters &&
    !/\p{Cc}/u.test(id);
  if (!isGood)
    throw new ModelFileError(
      `${where}: a model id must be a text of 1 to ${REQUEST_LIMITS.modelCharacters} characters without spaces ` +
        'around it.',
    );
  return id;
}

/** `ID=FILE.gguf`, the file relative to `directory`. Throws ModelFileError. */
export async function parseModelFlag(value: string, directory: string, files: Files = nearFiles): Promise<ModelFile> {
  const at = value.indexOf('=');
  const where = `--model ${value}`;
  if (at < 1 || at === value.length - 1) throw new ModelFileError(`${where}: write it as --model ID=FILE.gguf.`);
  const path = resolve(directory, value.slice(at + 1));
  return {
    id: assertId(value.slice(0, at), where),
    aliases: [],
    path,
    adapter: null,
    created: await readCreated(path, where, files),
    owned_by: 'local',
  };
}

async function parseEntry(
  entry: unknown,
  where: string,
  { directory, files }: { readonly directory: string; readonly files: Files },
): Promise<ModelFile> {
  if (!isObject(entry))
    throw new ModelFileError(
      `${where}: each entry must be an object such as {"id": "my-model", "file": "my-model.gguf"}.`,
    );
  const unknown = Object.keys(entry).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined)
    throw new ModelFileError(`${where}: "${unknown}" is not known. Known are ${FIELDS.join(', ')}.`);
  const id = assertId(entry['id'], where);
  const { file, adapter, aliases } = entry;
  if (typeof file !== 'string' || file === '')
    throw new ModelFileError(`${where} ("${id}"): "file" must be the path of a GGUF file.`);
  if (adapter !== undefined && (typeof adapter !== 'string' || adapter === '')) {
    throw new ModelFileError(`${where} ("${id}"): "adapter" must be the path of a LoRA adapter in GGUF form.`);
  }
  const list: readonly unknown[] = aliases === undefined ? [] : Array.isArray(aliases) ? aliases : [aliases];
  if (!Array.isArray(aliases ?? [])) throw new ModelFileError(`${where} ("${id}"): "aliases" must be a list of texts.`);
  const path = resolve(directory, file);
  const created = await readCreated(path, `${where} ("${id}")`, files);
  const adapterPath = adapter === undefined ? null : resolve(directory, adapter);
  if (adapterPath !== null) await readCreated(adapterPath, `${where} ("${id}")`, files);
  return {
    id,
    aliases: list.map((alias) => assertId(alias, `${where} ("${id}"), aliases`)),
    path,
    adapter: adapterPath,
    created,
    owned_by: 'local',
  };
}

/**
 * Reads models.json of the data folder: a list of `{id, file, adapter?, aliases?}`, paths relative to the folder.
 * Without the file, the list is empty. Throws ModelFileError.
 */
export async function readModelsFile(directory: string, files: Files = nearFiles): Promise<readonly ModelFile[]> {
  const path = join(directory, MODELS_FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new ModelFileError(`${path} can't be read (${error.code ?? error.message}). Check its permissions.`);
  });
  if (text === null) return [];
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (error) {
    throw new ModelFileError(
      `${path} is not valid JSON: ${error instanceof Error ? error.message : String(error)}. Correct it or remove it.`,
    );
  }
  if (!Array.isArray(list))
    throw new ModelFileError(
      `${path}: the file must hold a list such as [{"id": "my-model", "file": "my-model.gguf"}].`,
    );
  return await Promise.all(
    list.map((entry: unknown, index) => parseEntry(entry, `${path}, entry ${index + 1}`, { directory, files })),
  );
}

/** One list of all model files. Throws ModelFileError if two models have the same name. */
export function joinModelFiles(...lists: readonly (readonly ModelFile[])[]): readonly ModelFile[] {
  const files = lists.flat();
  const names = new Map<string, ModelFile>();
  for (const file of files) {
    for (const name of new Set([file.id, ...file.aliases])) {
      const other = names.get(name);
      if (other !== undefined)
        throw new ModelFileError(
          `The model name "${name}" is used twice: for ${other.path} and for ${file.path}. Rename one of them.`,
        );
      names.set(name, file);
    }
  }
  return files;
}
