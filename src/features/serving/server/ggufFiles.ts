// Saved weights of runs as GGUF files to download: which there are, and their bytes, which are made while they are taken.
import { basename, join } from 'node:path';
import type { RunCheckpoint } from '#features/runs/shared/runs.ts';
import type { GgufQuery, ServingOffer } from '#features/serving/shared/serving.ts';
import { isIn, streamFile, type Files } from '#service/files/files.ts';
import { CannotServe } from './cannotServe.ts';
import type { ConvertedFiles, OpenGguf } from './convertedFiles.ts';
import type { ModelVerdict } from './convertWeights.ts';
import type { WeightsPlace } from './runWeights.ts';

type OfferedFile = ServingOffer['files'][number];

/** A file on its way, whose reader has to close it. */
export interface TakenGguf extends OpenGguf {
  readonly name: string;
}

/** What is known of the weights. `stem`: a name for their files. */
interface Weights {
  readonly place: WeightsPlace;
  readonly stem: string;
}

/** Letters, digits and `._-` alone: a name for every file system, and for a header. */
const toName = (stem: string, type: string): string => `${stem.replaceAll(/[^\w.-]+/g, '-')}.${type}.gguf`;

const ADAPTER = { form: 'saved', type: 'adapter', bytes: null } as const;

export const toAdapterFile = (stem: string): OfferedFile => ({ ...ADAPTER, name: toName(stem, 'lora') });

const toModelFiles = ({ files }: ModelVerdict, stem: string): readonly OfferedFile[] =>
  files.map((file) => ({ ...file, name: toName(stem, file.type) }));

/** A GGUF file in the folder of a run; null: there is none, or it lies outside. Rejects as Files do. */
async function findGguf({ root, folder }: WeightsPlace, files: Files): Promise<OfferedFile | null> {
  const found = await files.find(join(root, folder));
  if (found?.kind !== 'file' || !isIn(root, found.path)) return null;
  return { form: 'saved', type: 'GGUF', name: basename(folder).replaceAll(/[^\w.-]+/g, '-'), bytes: found.bytes };
}

/** The files that a whole model becomes, or why it becomes none; a GGUF file as it is. */
export async function listGguf(
  { place, stem }: Weights,
  kind: RunCheckpoint['kind'],
  converted: ConvertedFiles,
  files: Files,
): Promise<{ readonly found: readonly OfferedFile[]; readonly reason: string | null }> {
  if (kind === 'gguf') {
    const file = await findGguf(place, files).catch(() => null);
    return { found: file ? [file] : [], reason: null };
  }
  if (kind !== 'full') return { found: [], reason: null };
  const verdict = await converted.judgeModel(place, stem);
  return { found: toModelFiles(verdict, stem), reason: verdict.reason };
}

/** Throws CannotServe. */
export async function takeGguf({ root, folder }: WeightsPlace, files: Files): Promise<TakenGguf> {
  const found = await findGguf({ root, folder, recorded: {} }, files);
  if (found === null) throw new CannotServe(`${folder} is not there, or lies outside the folder of the runs.`);
  const { name } = found;
  const bytes = found.bytes ?? 0;
  return { name, bytes, pieces: streamFile(files, join(root, folder), bytes), close: async () => undefined };
}

/** `base`: path of the file of the adapter's base. Throws CannotServe. */
export const takeAdapter = async (
  { place, stem }: Weights,
  base: string,
  converted: ConvertedFiles,
): Promise<TakenGguf> => ({
  ...(await converted.open({ place, kind: 'adapter', base })),
  name: toName(stem, 'lora'),
});

/** Throws CannotServe. */
export async function takeModel(
  { place, stem }: Weights,
  form: GgufQuery['form'],
  converted: ConvertedFiles,
): Promise<TakenGguf> {
  const verdict = await converted.judgeModel(place, stem);
  const file = toModelFiles(verdict, stem).find((each) => each.form === form);
  if (!file) throw new CannotServe(verdict.reason ?? 'There is no such form of it.');
  return { ...(await converted.open({ place, kind: 'full', name: stem, form })), name: file.name };
}
