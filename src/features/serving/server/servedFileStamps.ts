// Sizes and times of the files that a served model was made of. Other ones: somebody trained into the folder again, or
// replaced the base.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Files } from '#service/files/files.ts';

export interface Marks {
  /** Of the checkpoint's folder; null: it has no weights. */
  readonly weights: string | null;
  /** Of the base's file; '' for weights that need none. */
  readonly base: string;
}

/** Weights, and what else goes into the converted file. The index is written with each part of a large model. */
const MARKED = (
  'adapter_model.safetensors model.safetensors model.safetensors.index.json adapter_config.json config.json ' +
  'tokenizer.json tokenizer_config.json chat_template.jinja'
).split(' ');

/** Rejects with Silence for a disk or mount that does not answer. */
export async function readBaseMark(path: string, files: Files): Promise<string> {
  const found = await files.find(path);
  return `${path}\n${found?.bytes ?? 0}\n${found?.modifiedAt ?? 0}`;
}

/** null: the folder has no weights any more. Rejects with Silence for a disk or mount that does not answer. */
export async function readWeightsMark(folder: string, files: Files): Promise<string | null> {
  const marks = await Promise.all(
    MARKED.map(async (name) => {
      const found = await files.find(join(folder, name));
      return found === null ? [] : [`${name}\n${found.bytes}\n${found.modifiedAt}`];
    }),
  );
  const all = marks.flat();
  if (!all.some((mark) => mark.includes('.safetensors'))) return null;
  return createHash('sha256').update(all.join('\n')).digest('hex').slice(0, 32);
}
