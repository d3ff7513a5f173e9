// Machines that train for this studio: each lease is a run whose trainer is elsewhere. What the run is, and what comes of it,
// is decided here, as for a trainer of this machine.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { trainerJobSchema, type TrainerJob } from '#shared/contract/training/trainerProtocol.ts';
import {
  OUTPUT_NAME,
  type InputName,
  type Lease,
  type Told,
  type WantedLease,
} from '#shared/contract/training/worker.ts';
import { toReason } from '#server/studio/database.ts';
import { trainOne, type OneTrainingDeps } from './oneTraining.ts';
import { claimNext, promotePending, toOwner, type QueuedRun } from './queue.ts';
import { openRemoteTrainer, type RemoteTrainer } from './remoteTrainer.ts';
import { readFreeDisk } from './runFolder.ts';
import type { TrainingBase } from './trainer.ts';
import type { TrainerEnd } from './trainerProcess.ts';

/** null: the lease has ended, and nothing is taken or given any more. */
export interface Workers {
  /** The next run that this machine can train; null: none waits. */
  lease(wanted: WantedLease): Promise<Lease | null>;
  tell(leaseId: string, from: number, lines: readonly string[]): Told | null;
  end(leaseId: string, end: TrainerEnd): Promise<true | null>;
  /** The path of a file of the lease; `missing`: it has none of this name. */
  findInput(leaseId: string, name: InputName): Promise<string | 'missing' | null>;
  findOutput(leaseId: string, name: string): Promise<string | 'missing' | null>;
  /** Keeps a file whole or not at all. `no-room`: the disk has less than `bytes` free. */
  receive(leaseId: string, file: ReceivedFile): Promise<'kept' | 'no-room' | null>;
  /** Whether a machine has asked for runs lately. */
  isAsked(): boolean;
  close(): Promise<void>;
}

interface ReceivedFile {
  readonly name: string;
  readonly kind: 'checkpoint' | 'result';
  /** As the sender says; null: unknown. */
  readonly bytes: number | null;
  readonly body: Readable;
}

export type WorkersDeps = Omit<OneTrainingDeps, 'closing' | 'owner' | 'trainer' | 'openProcess'> & {
  /** Why the built-in trainer can't train a base; null: it can. */
  readonly refuseBuiltIn: (base: TrainingBase) => Promise<string | null>;
};

interface Session {
  readonly trainer: RemoteTrainer;
  readonly job: TrainerJob;
  /** Resolves when the run's end is recorded. */
  readonly done: Promise<void>;
}

/** A machine that has asked within this time will ask again. */
const ASKED_MS = 30_000;
const PART = '.part-';

async function toTag(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  return `${size}-${Math.round(mtimeMs)}`;
}

const listOutput = async (job: TrainerJob): Promise<string[]> =>
  (await readdir(job.output, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && OUTPUT_NAME.test(entry.name) && !entry.name.includes(PART))
    .map(({ name }) => name);

export function openWorkers(deps: WorkersDeps): Workers {
  const { database, now, times, report } = deps;
  const closing = new AbortController();
  const sessions = new Map<string, Session>();
  const going = new Set<Promise<void>>();
  let askedAt = Number.NEGATIVE_INFINITY;

  const findSession = (leaseId: string): Session | null => {
    const session = sessions.get(leaseId);
    return session === undefined || session.trainer.hasEnded ? null : session;
  };

  async function canTrain(candidate: QueuedRun, isBuiltIn: boolean): Promise<boolean> {
    if (!isBuiltIn) return true;
    return deps.findBase(candidate).then(
      async (base) => (await deps.refuseBuiltIn(base)) === null,
      () => true,
    );
  }

  /** Trains a claimed run on the machine; null: it ended before there was anything to train. */
  async function begin(queued: QueuedRun, owner: string, name: string): Promise<Lease | null> {
    const leaseId = randomUUID();
    let open: (opened: { trainer: RemoteTrainer; jobFile: string }) => void = () => undefined;
    const opened = new Promise<{ trainer: RemoteTrainer; jobFile: string }>((resolve) => {
      open = resolve;
    });
    const done = trainOne(
      {
        ...deps,
        owner,
        closing: closing.signal,
        trainer: { name, command: [`the worker ${name}`] },
        openProcess(options) {
          const trainer = openRemoteTrainer(options, name, times.leaseMs);
          open({ trainer, jobFile: options.jobFile });
          return trainer;
        },
      },
      queued,
    )
      .catch((error: unknown) => report(`A training of the worker ${name} did not end cleanly: ${toReason(error)}`))
      .finally(() => {
        sessions.delete(leaseId);
        going.delete(done);
      });
    going.add(done);
    const begun = await Promise.race([opened, done]);
    if (begun === undefined) return null;
    const job = trainerJobSchema.parse(JSON.parse(await readFile(begun.jobFile, 'utf8')));
    sessions.set(leaseId, { trainer: begun.trainer, job, done });
    const files = [
      ['base.gguf', job.base.file],
      ['adapter.gguf', job.base.adapter],
    ] as const;
    const weights = await Promise.all(
      files.flatMap(([file, path]) => (path === null ? [] : [toTag(path).then((tag) => ({ name: file, tag }))])),
    );
    const saved = job.resume ? await listOutput(job) : [];
    return { lease_id: leaseId, experiment_id: queued.run.id, seconds: times.leaseMs / 1000, job, weights, saved };
  }

  return {
    async lease({ name, is_built_in: isBuiltIn }) {
      if (closing.signal.aborted) return null;
      askedAt = performance.now();
      await promotePending(database.orm);
      const owner = toOwner(name);
      const until = new Date(now().getTime() + times.leaseMs);
      const queued = await claimNext(database.orm, { owner, until }, now(), (run) => canTrain(run, isBuiltIn));
      return queued && begin(queued, owner, name);
    },
    tell(leaseId, from, lines) {
      const session = findSession(leaseId);
      if (session === null) return null;
      const next = session.trainer.take(from, lines);
      return { wish: session.trainer.isStopped ? 'stop' : null, next };
    },
    async end(leaseId, end) {
      const session = findSession(leaseId);
      if (session === null) return null;
      session.trainer.finish(end);
      await session.done;
      return true;
    },
    async findInput(leaseId, name) {
      const session = findSession(leaseId);
      if (session === null) return null;
      session.trainer.touch();
      const { data, base } = session.job;
      const paths: Readonly<Record<InputName, string | null>> = {
        'training.jsonl': data.training,
        'validation.jsonl': data.validation,
        'base.gguf': base.file,
        'adapter.gguf': base.adapter,
      };
      return paths[name] ?? 'missing';
    },
    async findOutput(leaseId, name) {
      const session = findSession(leaseId);
      if (session === null) return null;
      session.trainer.touch();
      return (await listOutput(session.job)).includes(name) ? join(session.job.output, name) : 'missing';
    },
    async receive(leaseId, { name, kind, bytes, body }) {
      const session = findSession(leaseId);
      if (session === null) return null;
      const { job, trainer } = session;
      if (bytes !== null && (await readFreeDisk(job.output)) < bytes) return 'no-room';
      const before = kind === 'checkpoint' ? await listOutput(job) : [];
      const part = join(job.output, `${name}${PART}${randomUUID()}`);
      const heard = new Transform({
        transform(chunk, _encoding, next) {
          trainer.touch();
          next(trainer.hasEnded ? new Error('The lease has ended.') : null, chunk);
        },
      });
      try {
        await pipeline(body, heard, createWriteStream(part, { mode: 0o600 }));
        // Another machine may have the run by now.
        if (trainer.hasEnded) return null;
        await rename(part, join(job.output, name));
      } catch (error) {
        if (trainer.hasEnded) return null;
        throw error;
      } finally {
        await rm(part, { force: true });
      }
      for (const old of before) if (old !== name) await rm(join(job.output, old), { force: true });
      return 'kept';
    },
    isAsked: () => sessions.size > 0 || performance.now() - askedAt < ASKED_MS,
    async close() {
      closing.abort();
      await Promise.allSettled(going);
    },
  };
}
