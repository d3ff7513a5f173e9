// A finished model of this studio for servers elsewhere: what its file says of its template, as a Modelfile and commands.
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  toDownloaded,
  toModelfile,
  toTakeAway,
  type RenderTurns,
  type TakeAway,
  type TakenFile,
  type TakenModel,
} from '#shared/training/nano/takeAway.ts';
import { openChatTemplate } from '#server/engine/chatTemplate.ts';
import type { ModelFile } from '#server/engine/engine.ts';
import { readHeader } from '#server/engine/gguf/ggufFile.ts';
import { listForms } from './modelFiles.ts';

/** Of a file that says nothing of its context. */
const USUAL_CONTEXT = 2048;

/** llama.cpp's number of a file's type: https://github.com/ggml-org/llama.cpp/blob/master/include/llama.h */
const TYPES: Readonly<Record<number, string>> = { 0: 'F32', 1: 'F16', 7: 'Q8_0', 32: 'BF16' };

async function listFiles(
  { path, adapter }: Pick<ModelFile, 'path' | 'adapter'>,
  type: unknown,
): Promise<readonly TakenFile[]> {
  const own = adapter ?? path;
  const format = adapter !== null ? 'adapter' : typeof type === 'number' ? (TYPES[type] ?? 'GGUF') : 'GGUF';
  const name = `${basename(own, '.gguf')}${adapter === null ? '' : '.adapter'}.gguf`;
  const forms = (await listForms(own)).map((form) => Object.assign(form, { name: basename(form.path) }));
  return [{ format, path: own, bytes: (await stat(own)).size, name }, ...forms];
}

type Model = Pick<ModelFile, 'id' | 'path' | 'adapter'>;

/** Reads the header of the model's file. Throws GgufError, or the error of a disk that fails. */
async function readModel({ id, path, adapter }: Model): Promise<{ model: TakenModel; render: RenderTurns }> {
  const { values } = await readHeader(path);
  const tokens = values.get('tokenizer.ggml.tokens');
  const textOf = (name: string): string => {
    const token = values.get(`tokenizer.ggml.${name}`);
    const text: unknown = Array.isArray(tokens) && typeof token === 'number' ? tokens[token] : null;
    return typeof text === 'string' ? text : '';
  };
  const bosText = textOf('bos_token_id');
  const endText = textOf('eos_token_id');
  const source = values.get('tokenizer.chat_template');
  const marks = { bosText, eosText: endText, markTexts: [] };
  const template = openChatTemplate(typeof source === 'string' ? source : null, marks);
  const said = values.get(`${String(values.get('general.architecture'))}.context_length`);
  const context = typeof said === 'number' ? said : USUAL_CONTEXT;
  const beginText = values.get('tokenizer.ggml.add_bos_token') === true ? bosText : '';
  const files = await listFiles({ path, adapter }, values.get('general.file_type'));
  return {
    model: { name: id, file: path, adapter, context, endText, beginText, files },
    render: (messages) => template.render([...messages], []).join(''),
  };
}

/** Throws as readModel does. */
export async function readTakeAway(file: Model): Promise<TakeAway> {
  const { model, render } = await readModel(file);
  return toTakeAway(model, render);
}

export type TakenContent =
  | { readonly kind: 'file'; readonly name: string; readonly path: string }
  | { readonly kind: 'text'; readonly name: string; readonly text: string };

/** A file of the model by its name in `files`, or the Modelfile for the downloaded files; null: there is none. */
export async function findTakenFile(file: Model, name: string): Promise<TakenContent | null> {
  const { model, render } = await readModel(file);
  const found = model.files.find((each) => each.name === name);
  if (found) return { kind: 'file', name, path: found.path };
  const text = name === 'Modelfile' ? toModelfile(toDownloaded(model), render) : null;
  return text === null ? null : { kind: 'text', name, text };
}
