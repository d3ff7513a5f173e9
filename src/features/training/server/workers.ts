// Machines that train for this studio: each lease is a run whose trainer is elsewhere. What the run is, and what comes of it,
// is decided here, as for a trainer of this machine.
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { trainerJobSchema, type TrainerJob } from '#trainer/protocol/trainerProtocol.ts';
import type { InputName, Lease, LinesReply, WantedLease } from '#features/training/shared/worker.ts';
import { nearFiles, type Files } from '#service/files/files.ts';
import { toReason } from '#service/database/database.ts';
import { LeaseLost } from '#service/database/leases/holdLease.ts';
import type { HeldLease } from '#service/database/leases/leases.ts';
import { canPass, DatabaseUnavailable } from '#service/database/unavailable.ts';
import { removeRemains } from './deploy.ts';
import { trainOne, type OneTrainingDeps, type OpenTrainer } from './oneTraining.ts';
import { claimRun } from './launchers/launches.ts';
import { promotePending } from './pendingRuns.ts';
import { adoptRun, claimNext, type ClaimedRun, type QueuedRun, type WorkerLease } from './queue.ts';
import { RemoteTrainer } from './remoteTrainer.ts';
import { listOutput, openOutputFiles, toPathIn, type FileLimits, type OutputFiles } from './outputFiles.ts';
import { findRefusal, type Trainer } from './trainer.ts';
import type { TrainerEnd } from './trainerProcess.ts';

/** Another service looks after the lease, or it is not known yet that none does. The worker asks again. */
export class LeaseElsewhere extends Error {
  override readonly name = 'LeaseElsewhere';
}

/** A lease as somebody names it, whose token may be for one experiment alone. */
export interface LeaseKey {
  readonly id: string;
  /** null: any. */
  readonly run: string | null;
}

interface ReceivedFile {
  readonly name: string;
  readonly kind: 'checkpoint' | 'result';
  /** As the sender says; null: unknown. */
  readonly bytes: number | null;
  readonly body: Readable;
}

export type WorkersDeps = Omit<OneTrainingDeps, 'closing' | 'trainer' | 'openProcess' | 'isAdopted'> & {
  /** That of a worker which has none of its own. */
  readonly builtIn: Trainer;
  readonly fileLimits?: FileLimits | undefined;
};

interface Session {
  readonly trainer: RemoteTrainer;
  readonly held: Pick<HeldLease, 'assertHeld'>;
  /** Its machine asks for other runs, too. */
  readonly takesAny: boolean;
  /** Takes lines of a trainer that another service has heard before. */
  readonly isAdopted: boolean;
  /** Stores what has come. */
  readonly flush: () => Promise<unknown>;
  /** A part of a file has come. */
  readonly noteLife: () => void;
  readonly job: TrainerJob;
  readonly files: OutputFiles;
  /** Resolves when the run's end is recorded. */
  readonly done: Promise<void>;
}

/** A machine that has asked within this time will ask again. */
const ASKED_MS = 30_000;

async function toTag(path: string, disk: Files): Promise<string> {
  const found = await disk.find(path);
  if (found === null) throw new Error(`The base model ${path} is gone.`);
  return `${found.bytes}-${Math.round(found.modifiedAt)}`;
}

/** The run of a lease as the machine gets it. */
async function toLease(
  leaseId: string,
  { id }: QueuedRun['run'],
  job: TrainerJob,
  { times, disk = nearFiles }: WorkersDeps,
): Promise<Lease> {
  const files = [
    ['base.gguf', job.base.file],
    ['adapter.gguf', job.base.adapter],
  ] as const;
  const weights = await Promise.all(
    files.flatMap(([name, path]) => (path === null ? [] : [toTag(path, disk).then((tag) => ({ name, tag }))])),
  );
  const saved = job.resume ? await listOutput(job.output) : [];
  return { lease_id: leaseId, experiment_id: id, seconds: times.leaseMs / 1000, job, weights, saved };
}

/** What is asked of a lease gives null when it has ended, and throws LeaseElsewhere. */
export class Workers {
  readonly #deps: WorkersDeps;
  readonly #closing = new AbortController();
  readonly #sessions = new Map<string, Session>();
  readonly #adopting = new Map<string, Promise<Session | null>>();
  readonly #going = new Set<Promise<void>>();
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: WorkersDeps) {
    this.#deps = deps;
  }

  /** Asks about the files of base models. */
  get disk(): Files {
    return this.#deps.disk ?? nearFiles;
  }

  /** Whether a machine has asked for any run lately. */
  get isAsked(): boolean {
    return (
      [...this.#sessions.values()].some(({ takesAny }) => takesAny) || performance.now() - this.#askedAt < ASKED_MS
    );
  }

  /** The next run that this machine can train, or the only one that it wants; null: it does not wait. */
  async lease({ name, is_built_in: isBuiltIn, objectives = ['sft'], run }: WantedLease): Promise<Lease | null> {
    if (this.#closing.signal.aborted) return null;
    const only = run ?? null;
    if (only === null) this.#askedAt = performance.now();
    const { database, leases, now, builtIn, findBase } = this.#deps;
    await promotePending(database.orm, now());
    const worker: WorkerLease = { lease_id: randomUUID(), machine: name };
    const { lease_id: leaseId } = worker;
    const claimed = await claimNext(database.orm, {
      leases,
      worker,
      only,
      now: now(),
      // Of another trainer nothing is known, but that it does not pause, and what it announces.
      canTrain: async (run) =>
        isBuiltIn
          ? (await findRefusal(builtIn, run.training, () => findBase(run))) === null
          : run.training.halving === null && objectives.includes(run.training.chosen.objective ?? 'sft'),
      removeFiles: (id) => removeRemains(this.#deps, id),
    });
    const begun = { leaseId, name, takesAny: only === null, isAdopted: false };
    const session = claimed && (await this.#begin(claimed, begun));
    return claimed && session && toLease(leaseId, claimed.run, session.job, this.#deps);
  }

  /** Makes a token that of the run whose launcher gave this code. false: the code is good for none. */
  claim(code: string, token: string): Promise<boolean> {
    return claimRun(this.#deps.database, code, token);
  }

  /** What it has answered is stored. */
  async tell(lease: LeaseKey, from: number, lines: readonly string[]): Promise<LinesReply | null> {
    const session = await this.#findOwn(lease);
    if (session === null) return null;
    const next = session.trainer.take(from, lines);
    // What is answered for is stored: if this service ends, the next one goes on from there.
    if (lines.length > 0)
      await session.flush().catch((error: unknown) => {
        throw canPass(error)
          ? new DatabaseUnavailable(`The lines could not be stored (${toReason(error)}). Send them again.`)
          : error;
      });
    return { wish: session.trainer.isStopped ? 'stop' : null, next };
  }

  /** `last`: what the trainer said of its result, for a service that has not heard it. */
  async end(lease: LeaseKey, end: TrainerEnd, last: readonly string[] = []): Promise<true | null> {
    const session = await this.#findOwn(lease);
    if (session === null) return null;
    if (session.isAdopted) session.trainer.takeUnnumbered(last);
    session.trainer.finish(end);
    await session.done;
    return true;
  }

  /** The path of a file of the lease; `missing`: it has none of this name. */
  async findInput(lease: LeaseKey, name: InputName): Promise<string | 'missing' | null> {
    const session = await this.#findOwn(lease);
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
  }

  async findOutput(lease: LeaseKey, name: string): Promise<string | 'missing' | null> {
    const session = await this.#findOwn(lease);
    if (session === null) return null;
    session.trainer.touch();
    const { output } = session.job;
    return (await listOutput(output)).includes(name) ? toPathIn(output, name) : 'missing';
  }

  /** Keeps a file whole or not at all. Throws FileRefused. */
  async receive(lease: LeaseKey, { name, kind, bytes, body }: ReceivedFile): Promise<true | null> {
    const session = await this.#findOwn(lease);
    if (session === null) return null;
    const { job, trainer, files, held, noteLife } = session;
    const before = kind === 'checkpoint' ? await listOutput(job.output) : [];
    const onBytes = (): void => {
      trainer.touch();
      noteLife();
      // Another machine may have the run by now.
      if (trainer.hasEnded) throw new Error('The lease has ended.');
    };
    // Another service may have it.
    const onWhole = (): Promise<void> => held.assertHeld(this.#deps.database.orm);
    try {
      await files.receive({ name, bytes, body, onBytes, onWhole });
    } catch (error) {
      if (trainer.hasEnded) return null;
      if (error instanceof LeaseLost) throw new LeaseElsewhere('Another service looks after this lease.');
      throw error;
    }
    for (const old of before) if (old !== name) await rm(toPathIn(job.output, old), { force: true });
    return true;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#going);
  }

  /** null: the lease has ended, or is of another run than its token. */
  async #findOwn({ id, run }: LeaseKey): Promise<Session | null> {
    const session = await this.#findSession(id);
    return run === null || session?.job.experiment_id === run ? session : null;
  }

  /** null: the lease has ended. */
  async #findSession(leaseId: string): Promise<Session | null> {
    const session = this.#sessions.get(leaseId);
    if (session !== undefined && !session.trainer.hasEnded) return session;
    // Its run is handed over.
    if (this.#closing.signal.aborted) throw new LeaseElsewhere('This service ends.');
    if (session !== undefined) return null;
    const begun = this.#adopting.get(leaseId) ?? this.#adopt(leaseId).finally(() => this.#adopting.delete(leaseId));
    this.#adopting.set(leaseId, begun);
    return begun;
  }

  /** Goes on with the run of a worker whose service has ended, if it has. */
  async #adopt(leaseId: string): Promise<Session | null> {
    const { database, leases, times } = this.#deps;
    const adopted = await adoptRun(database.orm, { leases, leaseMs: times.leaseMs }, leaseId);
    if (adopted === 'elsewhere') throw new LeaseElsewhere('Another service looks after this lease.');
    const takesAny = adopted?.training.launcher === null;
    return adopted && this.#begin(adopted, { leaseId, name: adopted.machine ?? '', takesAny, isAdopted: true });
  }

  /** Trains a claimed run on the machine; null: it ended before there was anything to train. */
  async #begin(
    claimed: ClaimedRun,
    { leaseId, name, takesAny, isAdopted }: { leaseId: string; name: string; takesAny: boolean; isAdopted: boolean },
  ): Promise<Session | null> {
    const { times, report, fileLimits } = this.#deps;
    type Opened = Pick<Session, 'trainer' | 'held' | 'flush' | 'noteLife'> & { readonly jobFile: string };
    let open: (opened: Opened) => void = () => undefined;
    const opened = new Promise<Opened>((resolve) => {
      open = resolve;
    });
    const openProcess: OpenTrainer = (options) => {
      const { jobFile, flush, noteLife, held } = options;
      const trainer = new RemoteTrainer(options, name, times.leaseMs);
      open({ trainer, jobFile, flush, noteLife, held });
      return trainer;
    };
    const trainer = { name, command: [`the worker ${name}`] };
    const closing = this.#closing.signal;
    const done = trainOne({ ...this.#deps, isAdopted, closing, trainer, openProcess }, claimed)
      .catch((error: unknown) => report(`A training of the worker ${name} did not end cleanly: ${toReason(error)}`))
      .finally(() => {
        this.#sessions.delete(leaseId);
        this.#going.delete(done);
      });
    this.#going.add(done);
    const begun = await Promise.race([opened, done]);
    if (begun === undefined) return null;
    const { jobFile, ...rest } = begun;
    const job = trainerJobSchema.parse(JSON.parse(await readFile(jobFile, 'utf8')));
    const session = { ...rest, job, files: openOutputFiles(job.output, fileLimits), done, takesAny, isAdopted };
    this.#sessions.set(leaseId, session);
    return session;
  }
}
