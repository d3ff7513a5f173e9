// A finished model of this studio for servers elsewhere: what its file says of its template, as a Modelfile and commands.
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  toDownloaded,
  toModelfile,
  toTakeAway,
  TURN_CHATS,
  type RenderedTurns,
  type TakeAway,
  type TakenFile,
  type TakenModel,
} from '#shared/training/nano/takeAway.ts';
import type { ModelFile } from '#server/engine/engine.ts';
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

/** Throws as readModel does. */
export async function readTakeAway(file: Model, describe: DescribeModel): Promise<TakeAway> {
  const { model, rendered } = await readModel(file, describe);
  return toTakeAway(model, rendered);
}

export type TakenContent =
  | { readonly kind: 'file'; readonly name: string; readonly path: string }
  | { readonly kind: 'text'; readonly name: string; readonly text: string };

/** A file of the model by its name in `files`, or the Modelfile for the downloaded files; null: there is none. */
export async function findTakenFile(file: Model, name: string, describe: DescribeModel): Promise<TakenContent | null> {
  if (name !== 'Modelfile') {
    const found = (await listFiles(file, null)).find((each) => each.name === name);
    return found ? { kind: 'file', name, path: found.path } : null;
  }
  const { model, rendered } = await readModel(file, describe);
  const text = toModelfile(toDownloaded(model), rendered);
  return text === null ? null : { kind: 'text', name, text };
}
