// The folder of a training on disk: its rows, its job file, what the trainer makes.
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isObject, parseJson } from '#core/contract/readJson.ts';
import { toAdapter } from '#core/contract/trainingSettings.ts';
import type { RowBucket } from '#core/contract/rowsFile.ts';
import { isUuid } from '#core/contract/uuid.ts';
import { toRungShare } from '#features/training/shared/halving.ts';
import { PART } from '#features/training/shared/worker.ts';
import type { TrainerJob } from '#trainer/protocol/trainerProtocol.ts';
import { toDiskNeed } from '#trainer/shared/trainingEstimate.ts';
import { readFreeDisk } from '#service/database/disk/freeDisk.ts';
import type { Hold } from '#service/database/leases/holdLease.ts';
import { findProcess, readIdentity } from '#service/database/processIdentity.ts';
import type { SnapshotRows } from '#features/datasets/server/rows/snapshotRows.ts';
import { nearFiles, type Files } from '#service/files/files.ts';
import { Silence } from '#service/files/mountCalls.ts';
import { readContextLength } from '#engine/gguf/ggufFile.ts';
import type { QueuedRun } from './queue.ts';
import type { TrainingBase } from './trainer.ts';
import { signalGroup } from './trainerProcess.ts';

/** What can't be prepared; the message is for people. */
export class CannotTrain extends Error {
  override readonly name = 'CannotTrain';
}

export interface RunFolder {
  readonly path: string;
  readonly output: string;
  readonly jobFile: string;
}

const FOLDER = 'training';
const OUTPUT = 'output';
const PROCESS = 'process.json';
/** Steps between two checkpoints: what a run that is broken off may lose. */
const CHECKPOINT_EVERY = 25;

/** Its place in the data folder. */
export const toRunPath = (experimentId: string): string => join(FOLDER, experimentId);

export function toRunFolder(dataDir: string, experimentId: string): RunFolder {
  const path = join(dataDir, toRunPath(experimentId));
  return { path, output: join(path, OUTPUT), jobFile: join(path, 'job.json') };
}

/** Ends a trainer that a killed studio left behind in it first: without the folder nobody would know of it. */
export async function removeRunFolder(dataDir: string, experimentId: string): Promise<void> {
  const folder = toRunFolder(dataDir, experimentId);
  await endLeftBehind(folder);
  // What such a trainer is just writing makes the first try fail.
  await rm(folder.path, { recursive: true, force: true, maxRetries: 5 });
}

/** Place in the data folder of what its trainer left. */
export const toOutputPath = (experimentId: string): string => join(toRunPath(experimentId), OUTPUT);

/** Removes the folder of a run but for what its trainer left. */
export async function keepOutput(dataDir: string, experimentId: string): Promise<void> {
  const folder = toRunFolder(dataDir, experimentId);
  await endLeftBehind(folder);
  for (const name of await readdir(folder.path))
    if (name !== OUTPUT) await rm(join(folder.path, name), { recursive: true, force: true });
}

/** Whether anything of a run is here: on a shared database another service may have trained it in its own folder. */
export async function hasOutput(dataDir: string, experimentId: string): Promise<boolean> {
  const names = await readdir(toRunFolder(dataDir, experimentId).output).catch(() => []);
  return names.length > 0;
}

/** The runs that have a folder here. */
export async function listRunFolders(dataDir: string): Promise<readonly string[]> {
  return (await readdir(join(dataDir, FOLDER)).catch(() => [])).filter(isUuid);
}

/** A program that a studio left behind when it was killed would write into the same folder. */
async function endLeftBehind(folder: RunFolder): Promise<void> {
  const text = await readFile(join(folder.path, PROCESS), 'utf8').catch(() => null);
  if (text === null) return;
  const value = parseJson(text);
  // Half a file: the studio ended while it wrote it, so the program had just begun.
  if (!isObject(value)) return;
  const { pid, started, space } = value;
  if (typeof pid !== 'number' || typeof space !== 'string' || (started !== null && typeof started !== 'string')) return;
  if (findProcess({ pid, started, space }) === 'running') signalGroup(pid, 'SIGKILL');
}

export async function noteProcess(folder: RunFolder, pid: number): Promise<void> {
  await writeFile(join(folder.path, PROCESS), JSON.stringify(readIdentity(pid)), { mode: 0o600 });
}

async function* toLines(pages: SnapshotRows['pages'], count: () => void): AsyncGenerator<string> {
  for await (const page of pages) {
    for (const row of page) {
      count();
      yield `${row}\n`;
    }
  }
}

/** Writes rows to a file. Resolves to their number. */
async function writeRows(path: string, rows: SnapshotRows | null, signal: AbortSignal): Promise<number> {
  let count = 0;
  const lines = rows === null ? Readable.from([]) : Readable.from(toLines(rows.pages, () => (count += 1)));
  await pipeline(lines, createWriteStream(path, { mode: 0o600 }), { signal });
  return count;
}

/** What workers were sending when the studio was killed. */
async function removeParts({ output }: RunFolder): Promise<void> {
  for (const name of await readdir(output)) if (name.includes(PART)) await rm(join(output, name), { force: true });
}

/** Throws CannotTrain for one whose disk or mount does not answer. */
async function readBytes(file: string, disk: Files): Promise<number> {
  try {
    return (await disk.find(file))?.bytes ?? 0;
  } catch (error) {
    if (!(error instanceof Silence)) return 0;
    throw new CannotTrain(
      `The base model ${file} can't be read: ${error.message}. Check the mount, then resume the run.`,
    );
  }
}

async function checkRoom({ dataDir, base, disk = nearFiles }: RunSource): Promise<void> {
  const needed = toDiskNeed(base.file === null ? 0 : await readBytes(base.file, disk)).value;
  const free = await readFreeDisk(dataDir);
  const toText = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MiB`;
  if (free < needed)
    throw new CannotTrain(
      `The disk of ${dataDir} has ${toText(free)} free, and this run needs up to ${toText(needed)}. Free some, and resume it ` +
        'or duplicate its job.',
    );
}

export interface RunSource {
  readonly dataDir: string;
  readonly base: TrainingBase;
  /** Asks about the files of base models. */
  readonly disk?: Files | undefined;
  readonly findRows: (snapshotId: string, bucket: RowBucket) => Promise<SnapshotRows | null>;
  /** Its trainer goes on: what it has sent stays. */
  readonly isAdopted?: boolean;
  /** Nothing is written into the folder once another process may have the run. */
  readonly held: Pick<Hold, 'check' | 'signal'>;
}

/** What a job file says of a run, which may be one that is not started yet. */
interface WantedRun {
  readonly run: Pick<QueuedRun['run'], 'id' | 'n_epochs' | 'batch_size' | 'learning_rate_multiplier'>;
  readonly training: Pick<QueuedRun['training'], 'training_type' | 'seed' | 'can_resume' | 'chosen' | 'halving'>;
}

/** As the job file has them: what nobody chose is missing, but for rank and alpha. */
export function toJobSettings({ training_type, chosen, seed }: Omit<WantedRun['training'], 'can_resume' | 'halving'>) {
  const { lora_dropout, target_modules, warmup_steps, weight_decay, scheduler, max_length } = chosen;
  const { objective, beta, desirable_weight, undesirable_weight, reward_function } = chosen;
  return {
    lora:
      training_type === 'full'
        ? null
        : {
            ...toAdapter(chosen),
            ...(lora_dropout !== undefined && { dropout: lora_dropout }),
            ...(target_modules !== undefined && { target_modules: [...target_modules] }),
          },
    seed,
    ...(warmup_steps !== undefined && { warmup_steps }),
    ...(weight_decay !== undefined && { weight_decay }),
    ...(scheduler !== undefined && { scheduler }),
    ...(max_length !== undefined && { max_length }),
    ...(objective !== undefined && { objective }),
    ...(beta !== undefined && { beta }),
    ...(desirable_weight !== undefined && { desirable_weight }),
    ...(undesirable_weight !== undefined && { undesirable_weight }),
    ...(reward_function !== undefined && { reward_function }),
  };
}

const toJob = (
  { run, training }: WantedRun,
  folder: RunFolder,
  base: TrainingBase,
  context: number | null,
): TrainerJob => ({
  protocol: 1,
  experiment_id: run.id,
  base: { ...base, context },
  data: { training: join(folder.path, 'training.jsonl'), validation: join(folder.path, 'validation.jsonl') },
  output: folder.output,
  resume: training.can_resume,
  training_type: training.training_type,
  n_epochs: run.n_epochs,
  batch_size: run.batch_size,
  learning_rate: run.learning_rate_multiplier,
  ...toJobSettings(training),
  checkpoint_every: CHECKPOINT_EVERY,
  ...(training.halving?.rung != null && { pause_at: toRungShare(training.halving, training.halving.rung) }),
});

/** The job file of a run, as it is or will be. */
export async function toTrainerJob(
  queued: WantedRun,
  { dataDir, base, disk }: Pick<RunSource, 'dataDir' | 'base' | 'disk'>,
): Promise<TrainerJob> {
  const context = base.file === null ? null : await readContextLength(base.file, disk);
  return toJob(queued, toRunFolder(dataDir, queued.run.id), base, context);
}

/** Makes the folder ready for a trainer. Throws CannotTrain, LeaseLost, or the error of a disk that fails. */
export async function prepareRunFolder(queued: QueuedRun, source: RunSource): Promise<RunFolder> {
  const { held } = source;
  const folder = toRunFolder(source.dataDir, queued.run.id);
  held.check();
  await endLeftBehind(folder);
  if (!queued.training.can_resume && !source.isAdopted) await rm(folder.path, { recursive: true, force: true });
  await checkRoom(source);
  await mkdir(folder.output, { recursive: true, mode: 0o700 });
  if (!source.isAdopted) await removeParts(folder);
  const job = await toTrainerJob(queued, source);
  const training = await source.findRows(queued.snapshot_id, 'training');
  if (training === null) throw new CannotTrain('Its snapshot was deleted.');
  held.check();
  const count = await writeRows(job.data.training, training, held.signal);
  if (count === 0) throw new CannotTrain('Its snapshot has no training rows any more.');
  const validation = await source.findRows(queued.snapshot_id, 'validation');
  held.check();
  await writeRows(job.data.validation, validation, held.signal);
  await writeFile(folder.jobFile, `${JSON.stringify(job, null, 2)}\n`, { mode: 0o600 });
  return folder;
}
