// A finished model of this studio for servers elsewhere: what its file says of its template, as a Modelfile and commands.
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import {
  toDownloaded,
  toModelfile,
  toTakeAway,
  TURN_CHATS,
  type RenderedTurns,
  type TakeAway,
  type TakenFile,
  type TakenModel,
} from '#features/training/shared/serveElsewhereFiles.ts';
import type { ModelFile } from '#engine/engine.ts';
import { listForms } from './modelFiles.ts';

/** Of a file that says nothing of its context. */
const USUAL_CONTEXT = 2048;

/** llama.cpp's number of a file's type: https://github.com/ggml-org/llama.cpp/blob/master/include/llama.h */
const TYPES: Readonly<Record<number, string>> = { 0: 'F32', 1: 'F16', 7: 'Q8_0', 32: 'BF16' };

/** What a model's file says of it. */
interface ModelDescription {
  /** Tokens; null: it does not say. */
  readonly context: number | null;
  /** llama.cpp's number; null: it does not say. */
  readonly type: number | null;
  /** Put before each text by whoever serves the model; empty: nothing. */
  readonly beginText: string;
  /** Ends an answer. */
  readonly endText: string;
  readonly rendered: RenderedTurns;
}

/**
 * Reads a model's file, and renders conversations by its chat template, where that can be ended. Resolves also for a file
 * that can't be read.
 */
export type DescribeModel = (
  file: Pick<ModelFile, 'id' | 'path'>,
  chats: typeof TURN_CHATS,
) => Promise<ModelDescription>;

async function listFiles(
  { path, adapter }: Pick<ModelFile, 'path' | 'adapter'>,
  type: number | null,
): Promise<readonly TakenFile[]> {
  const own = adapter ?? path;
  const format = adapter !== null ? 'adapter' : (type !== null && TYPES[type]) || 'GGUF';
  const name = `${basename(own, '.gguf')}${adapter === null ? '' : '.adapter'}.gguf`;
  const forms = (await listForms(own)).map((form) => Object.assign(form, { name: basename(form.path) }));
  return [{ format, path: own, bytes: (await stat(own)).size, name }, ...forms];
}

type Model = Pick<ModelFile, 'id' | 'path' | 'adapter'>;

/** Throws the error of a disk that fails. */
async function readModel(
  { id, path, adapter }: Model,
  describe: DescribeModel,
): Promise<{ model: TakenModel; rendered: RenderedTurns }> {
  const { context, type, beginText, endText, rendered } = await describe({ id, path }, TURN_CHATS);
  const files = await listFiles({ path, adapter }, type);
  const model = { name: id, file: path, adapter, context: context ?? USUAL_CONTEXT, endText, beginText, files };
  return { model, rendered };
}

/** What a run left here. */
export interface Taken {
  /** null: no model of this studio answers with it, because of `problem`. */
  readonly model: Model | null;
  /** The files of its trainer. */
  readonly saved: readonly TakenFile[];
  readonly problem: string | null;
}

/** Of checkpoints that are too many the last names are left out. */
const MOST_SAVED = 500;

/** The files that a trainer left in its output folder, named by their paths below it. Links are none of them. */
export async function listSaved(output: string): Promise<readonly TakenFile[]> {
  const entries = await readdir(output, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const depth = (path: string): number => path.split(sep).length;
  const first = paths.toSorted((one, other) => depth(one) - depth(other) || one.localeCompare(other));
  return Promise.all(
    first.slice(0, MOST_SAVED).map(async (path) => ({
      format: 'as trained',
      path,
      bytes: (await stat(path)).size,
      name: relative(output, path).split(sep).join('/'),
    })),
  );
}

/** Throws as readModel does. */
export async function readTakeAway({ model: file, saved, problem }: Taken, describe: DescribeModel): Promise<TakeAway> {
  if (file === null) return { modelfile: null, problem, files: saved, commands: [] };
  const { model, rendered } = await readModel(file, describe);
  const taken = toTakeAway(model, rendered);
  return { ...taken, files: [...taken.files, ...saved] };
}

export type TakenContent =
  | { readonly kind: 'file'; readonly name: string; readonly path: string }
  | { readonly kind: 'text'; readonly name: string; readonly text: string };

/** A file of the model by its name in `files`, or the Modelfile for the downloaded files; null: there is none. */
export async function findTakenFile(
  { model: file, saved }: Taken,
  name: string,
  describe: DescribeModel,
): Promise<TakenContent | null> {
  if (name !== 'Modelfile') {
    const own = file === null ? [] : await listFiles(file, null);
    const found = [...own, ...saved].find((each) => each.name === name);
    return found ? { kind: 'file', name: basename(name), path: found.path } : null;
  }
  if (file === null) return null;
  const { model, rendered } = await readModel(file, describe);
  const text = toModelfile(toDownloaded(model), rendered);
  return text === null ? null : { kind: 'text', name, text };
}
