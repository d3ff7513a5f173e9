// The models that are served from runs, with the files that they need: which of them answer, and why others don't any more.
import type { Files } from '#service/files/files.ts';
import { soon } from '#service/files/timeout.ts';
import type { ConvertedFiles } from './convertedFiles.ts';
import type { FoundCheckpoint } from './foundCheckpoint.ts';
import { readBaseMark, readWeightsMark } from './servedFileStamps.ts';
import { openServedList, type ServedModel } from './servedList.ts';

type Checkpoint = Pick<FoundCheckpoint, 'runId' | 'path'>;

export interface ServedModels {
  /** The model of a checkpoint, whether it answers or not. */
  find(checkpoint: Checkpoint): ServedModel | undefined;
  findById(id: string): ServedModel | undefined;
  /** The ids of all models, but for that of a checkpoint. */
  listIds(but?: Checkpoint): readonly string[];
  /** The id of the model that answers with a checkpoint now; null: none. */
  findAnswering(checkpoint: Checkpoint): Promise<string | null>;
  /** Those that answer now, as far as that is known soon. `way`: those of one way alone. */
  listAnswering(way?: ServedModel['way']): Promise<readonly ServedModel[]>;
  /** Why a model can't answer any more and what to do; null: it answers. */
  findLoss(model: ServedModel): Promise<string | null>;
  /** One change at a time. `put` takes a model in the place of the one that its checkpoint had. */
  change<Value>(work: (put: (model: ServedModel) => Promise<void>) => Promise<Value>): Promise<Value>;
  remove(id: string): Promise<void>;
}

export interface ServedModelsDeps {
  readonly dataDir: string;
  readonly converted: ConvertedFiles;
  readonly files: Files;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly report: (line: string) => void;
}

/**
 * How long a file is looked at; what takes longer is taken for there and the same. `list`: every list of models asks. `one`:
 * somebody asks about one model, and must not get the answers of weights that are others by now.
 */
const LOOK_MS = { list: 100, one: 3_000 };

/**
 * Why a model can't answer any more and what to do: a file that it needs is gone, or is another one than when it was served.
 * null: it answers with what is there, as far as that is known. Weights that were deleted answer on.
 */
async function findLoss(
  { way, base, file, folder, marks }: ServedModel,
  files: Files,
  asked: keyof typeof LOOK_MS,
): Promise<string | null> {
  /** null: it takes longer, or its disk or mount does not answer. */
  const look = <Value>(work: Promise<Value>): Promise<Value | null> =>
    soon(
      work.catch(() => null),
      LOOK_MS[asked],
    );
  const isGone = async (path: string): Promise<boolean> =>
    (await look(files.find(path).then((found) => found === null))) ?? false;
  const again = way === 'llama' ? 'convert it again' : 'load it again';
  if (file !== null && (await isGone(file)))
    return `It was served, but its converted file is gone: ${file}. Press Try to ${again}.`;
  const hasBaseFile = way === 'llama' && base !== null;
  if (hasBaseFile && (await isGone(base)))
    return `It was served, but its base model is gone: ${base}. Put the file back, or press Try and choose another base.`;
  if (marks === null)
    return way === 'llama' ? `It was served by an earlier version of the studio. Press Try to ${again}.` : null;
  const weights = await look(readWeightsMark(folder, files));
  if (weights !== null && weights !== marks.weights)
    return `Its weights or settings have changed since it was served: ${folder}. Press Try to ${again}.`;
  const baseMark = hasBaseFile ? await look(readBaseMark(base, files)) : null;
  if (baseMark !== null && baseMark !== marks.base)
    return `Its base model has changed since it was served: ${base}. Press Try to ${again}.`;
  return null;
}

/** Reads what was served before; loads nothing. Converted files that no model needs are removed. */
export async function openServedModels({
  dataDir,
  converted,
  files,
  now,
  report,
}: ServedModelsDeps): Promise<ServedModels> {
  const list = await openServedList(dataDir, report);
  const toFiles = (): ReadonlySet<string> => new Set(list.read().flatMap(({ file }) => file ?? []));
  await converted.removeLeft(toFiles(), now()).catch(() => undefined);

  const isOf = ({ run_id, checkpoint }: ServedModel, { runId, path }: Checkpoint): boolean =>
    run_id === runId && checkpoint === path;
  const find: ServedModels['find'] = (checkpoint) => list.read().find((model) => isOf(model, checkpoint));

  /** Removes the files that it leaves without a model. */
  const edit: typeof list.change = (work) =>
    list.change(async (keep) => {
      const before = toFiles();
      const value = await work(keep);
      const after = toFiles();
      for (const path of before) if (!after.has(path)) await converted.remove(path).catch(() => undefined);
      return value;
    });

  return {
    find,
    findById: (id) => list.read().find((model) => model.id === id),
    listIds: (but) => list.read().flatMap((model) => (but !== undefined && isOf(model, but) ? [] : [model.id])),
    async findAnswering(checkpoint) {
      const model = find(checkpoint);
      return model && (await findLoss(model, files, 'one')) === null ? model.id : null;
    },
    async listAnswering(way) {
      const asked = list.read().filter((model) => way === undefined || model.way === way);
      const losses = await Promise.all(asked.map((model) => findLoss(model, files, 'list')));
      return asked.filter((_, index) => losses[index] === null);
    },
    findLoss: (model) => findLoss(model, files, 'one'),
    change: (work) =>
      edit((keep) =>
        work((model) => {
          const place = { runId: model.run_id, path: model.checkpoint };
          return keep([...list.read().filter((other) => !isOf(other, place)), model]);
        }),
      ),
    remove: (id) => edit((keep) => keep(list.read().filter((model) => model.id !== id))),
  };
}
