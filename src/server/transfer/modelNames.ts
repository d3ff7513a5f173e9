// Names of models and of their files in a project's file: what may be believed of them. Pure.
import { join } from 'node:path';
import { MODELS_FOLDER, toFileName } from '#server/training/deploy.ts';

/** `models/ft-base-1a2b3c4d.gguf`: a file that a training left in the data folder, and no path that leads out of it. */
export const isOwnFile = (name: string): boolean => /^models[/\\]ft-[\w.-]+\.gguf$/.test(name) && !name.includes('..');

/** A file of the sample, which comes with the product: its bare name. */
export const isSampleFile = (name: string): boolean => /^[\w-][\w.-]*\.gguf$/.test(name);

/** Where an imported model's file goes, in the data folder. `format` null: the model itself. */
export function toOwnFile(modelId: string, format: string | null): string {
  const name = toFileName(modelId);
  return join(MODELS_FOLDER, format === null ? name : name.replace(/\.gguf$/, `.${format.replaceAll(' ', '-')}.gguf`));
}

const toShort = (experimentId: string): string => experimentId.replaceAll('-', '').slice(0, 8);

/** The id of a model whose run has got another id: `ft-base-<8 digits of the run>` names the run. */
export const toModelId = (id: string, from: string, to: string): string => id.replace(toShort(from), toShort(to));
