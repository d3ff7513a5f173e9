// Gives runs to one launcher, and follows their jobs until nothing of them is left. Of several services on one database one
// does so at a time.
import { createHash } from 'node:crypto';
import { isActiveStatus } from '#core/contract/statuses.ts';
import { cutText } from '#core/contract/schemas.ts';
import { toReason, type Database } from '#service/database/database.ts';
import type { HeldLease, Leases } from '#service/database/leases/leases.ts';
import { openWorkLoop, type WorkLoop } from '#service/database/leases/workLoop.ts';
import { changeStatus } from '#features/training/server/jobStates.ts';
import { addLog, readLog } from '#features/training/server/progressStore.ts';
import { findTraining, type QueuedRun } from '#features/training/server/queue.ts';
import { toSentence } from '#features/training/server/runEnding.ts';
import { LaunchDelayed, LaunchRefused, type Launcher, type LaunchStatus, type Said } from './launcher.ts';
import { toJobName, toLaunchStep, type LaunchStep, type LaunchTimes } from './launchPlan.ts';
import {
  changeLaunch,
  hasWork,
  isNumberTaken,
  listOpen,
  listUnplaced,
  noteLaunch,
  renewSecrets,
  type Launch,
  type LaunchSecrets,
} from './launches.ts';

export interface LaunchLoopOptions {
  readonly database: Database;
  /** Of the kind `launcher`. */
  readonly leases: Leases;
  readonly launcher: Launcher;
  /** Where nodes reach the studio. */
  readonly studio: () => string;
  /** Why no run can be placed now; null: it can. Runs wait meanwhile. */
  readonly refuse: () => string | null;
  readonly times: LaunchTimes;
  readonly pollMs: number;
  readonly now: () => Date;
  readonly report: (line: string) => void;
}

/** Of the log of one job that comes into the log of its run. */
const MAX_LOG = 1024 * 1024;
/** Characters of the end of a log in which the last line is looked for. */
const TAIL = 4_000;
/** Of a problem or a line that people read. */
const MAX_TEXT = 300;

/** Its worker may do nothing any more. */
const OVER = { state: 'over', token_hash: null, claim_hash: null } as const;

/** What `since` counts for: a job that may not stay as it is does not count the time for which it waited in a queue. */
const toStateKey = (status: LaunchStatus | null): string | null =>
  status?.kind === 'waiting' && status.mostMs !== undefined ? 'stuck' : (status?.kind ?? null);

/** A lease has a UUID: that of the launcher's name. */
function toLeaseId(name: string): string {
  const hex = createHash('sha256').update(`launcher ${name}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

class LaunchPass {
  readonly #options: LaunchLoopOptions;
  readonly #held: HeldLease;

  constructor(options: LaunchLoopOptions, held: HeldLease) {
    this.#options = options;
    this.#held = held;
  }

  async run(): Promise<void> {
    const { database, launcher } = this.#options;
    const open = await listOpen(database.orm, launcher.name);
    await Promise.all(open.map((launch) => this.#follow(launch)));
    if (this.#options.refuse() !== null) return;
    const left = (await listOpen(database.orm, launcher.name)).length;
    for (const id of await listUnplaced(database.orm, launcher.name, launcher.mostAtOnce - left)) await this.#place(id);
  }

  async #place(experimentId: string): Promise<void> {
    const { database, launcher, now } = this.#options;
    this.#held.check();
    const noted = await noteLaunch(database, experimentId, launcher, now());
    if (noted) await this.#submit(noted.launch, noted.queued, noted.secrets);
  }

  async #submit(launch: Launch, { run }: Pick<QueuedRun, 'run'>, secrets: LaunchSecrets): Promise<void> {
    const { database, launcher, studio } = this.#options;
    const { orm } = database;
    this.#held.check();
    try {
      const label = `model-studio ${run.label ?? run.id}`;
      const order = { id: launch.id, job: launch.job, experimentId: run.id, label, studio: studio(), ...secrets };
      const job = await launcher.submit(order);
      if (job !== null && (await isNumberTaken(orm, launch, job)))
        throw new LaunchRefused(`it gave the number ${job} to two jobs, so neither can be told from the other`);
      await changeLaunch(orm, launch.id, { state: 'placed', job });
    } catch (error) {
      const reason = cutText(toReason(error), MAX_TEXT);
      if (error instanceof LaunchDelayed) return this.#delayed(launch, reason);
      await (error instanceof LaunchRefused ? this.#refused(launch, reason) : this.#away(launch, reason));
    }
  }

  /** Its time to answer counts from here: it has answered. */
  async #delayed({ id, said }: Launch, reason: string): Promise<void> {
    const { database, now } = this.#options;
    const at = now();
    const status = { kind: 'waiting', reason } as const;
    const since = said.status?.kind === 'waiting' ? said.since : at.getTime();
    await changeLaunch(database.orm, id, {
      placed_at: at,
      said: { ...said, status, since, problem: null, problem_since: null },
    });
  }

  /** What the launcher may have begun all the same has a token that is worth nothing. */
  #refused(launch: Launch, reason: string): Promise<void> {
    const { name } = this.#options.launcher;
    const said = `${name} did not take the run: ${toSentence(reason)}`;
    return this.#fail(launch, `${said} Check launchers.json, and start it again.`);
  }

  /** Says that the launcher does not answer. A run that it has never taken has failed in time. */
  async #away(launch: Launch, problem: string): Promise<void> {
    const { database, now, times } = this.#options;
    const { id, said, state, placed_at: placedAt, ends_at: endsAt } = launch;
    const isLate = now().getTime() - placedAt.getTime() > times.placeMs;
    if (state === 'placing' && endsAt === null && isLate) return this.#refused(launch, problem);
    const since = said.problem_since ?? now().getTime();
    await changeLaunch(database.orm, id, { said: { ...said, problem, problem_since: since } });
  }

  async #readStatus({ id, job, said }: Launch): Promise<LaunchStatus> {
    // A cluster forgets what has ended.
    if (said.status?.kind === 'ended') return said.status;
    return this.#options.launcher.status({ id, job });
  }

  async #follow(launch: Launch): Promise<void> {
    const { database, now } = this.#options;
    const { orm } = database;
    let status: LaunchStatus;
    try {
      status = await this.#readStatus(launch);
    } catch (error) {
      const problem = cutText(toReason(error), MAX_TEXT);
      return this.#isWanted(await findTraining(orm, launch.experiment_id))
        ? this.#away(launch, problem)
        : this.#endUnheard(launch, problem);
    }
    const at = now().getTime();
    // While its worker has the run, no time counts: the run may be left later.
    const isFree = (await findTraining(orm, launch.experiment_id))?.run.status === 'queued';
    const since = isFree && toStateKey(launch.said.status) === toStateKey(status) ? launch.said.since : at;
    // What was told to wait is not there yet, and says why until it is sent again.
    const isDelayed = launch.state === 'placing' && launch.said.status?.kind === 'waiting' && status.kind === 'lost';
    const said: Said = isDelayed ? launch.said : { ...launch.said, status, since, problem: null, problem_since: null };
    if (JSON.stringify(said) !== JSON.stringify(launch.said)) await changeLaunch(orm, launch.id, { said });
    const isHere = status.kind === 'waiting' || status.kind === 'running';
    const job = launch.job ?? ('job' in status ? (status.job ?? null) : null);
    const state = isHere ? 'placed' : launch.state;
    if (state !== launch.state || job !== launch.job) await changeLaunch(orm, launch.id, { state, job });
    const known = { ...launch, said, state, job };
    await this.#act(status.kind === 'waiting' ? known : await this.#takeLog(known).catch(() => known), status);
  }

  #isWanted(queued: QueuedRun | null): boolean {
    return queued !== null && isActiveStatus(queued.run.status);
  }

  /** A job that is to end, at a launcher that does not answer. */
  async #endUnheard(launch: Launch, problem: string): Promise<void> {
    const { database, now, times, launcher } = this.#options;
    const at = now();
    if (launch.ends_at !== null && at.getTime() - launch.ends_at.getTime() > times.stopMs) {
      const name = toJobName(launcher.name, launch.job);
      return this.#close(launch, `${launcher.name} does not answer (${problem}). End ${name} there, if it still runs.`);
    }
    await this.#away(launch, problem);
    await changeLaunch(database.orm, launch.id, { ends_at: launch.ends_at ?? at });
  }

  async #act(launch: Launch, status: LaunchStatus): Promise<void> {
    const { database, launcher, times, now } = this.#options;
    const { orm } = database;
    const queued = await findTraining(orm, launch.experiment_id);
    const at = now();
    const step = toLaunchStep(
      {
        launcher: launcher.name,
        job: launch.job,
        run: queued?.run.status ?? null,
        canResume: queued?.training.can_resume ?? false,
        resumes: launch.resumes,
        status,
        isPlaced: launch.state === 'placed',
        sinceMs: at.getTime() - launch.said.since,
        endingMs: launch.ends_at && at.getTime() - launch.ends_at.getTime(),
        lastLine: await this.#readLastLine(launch.experiment_id),
      },
      times,
    );
    if (!this.#isWanted(queued) && launch.ends_at === null) await changeLaunch(orm, launch.id, { ends_at: at });
    await this.#take(step, launch, queued);
  }

  async #take(step: LaunchStep, launch: Launch, queued: QueuedRun | null): Promise<void> {
    const { database, launcher } = this.#options;
    switch (step.kind) {
      case 'wait':
        return;
      case 'submit':
        if (queued && this.#options.refuse() === null)
          await this.#submit(launch, queued, await renewSecrets(database, launch.id, launcher.hasSecretPlace));
        return;
      case 'stop':
        // Asked again with the next look.
        return launcher.stop(launch).catch((error: unknown) => this.#away(launch, cutText(toReason(error), MAX_TEXT)));
      case 'over':
        // The studio may have been away since the run ended, and asks for the first time.
        if (step.note !== null) await launcher.stop(launch).catch(() => undefined);
        return this.#close(launch, step.note);
      case 'failed':
        return this.#fail(launch, step.reason);
      case 'again':
        await database.orm.transaction(async (orm) => {
          await addLog(orm, launch.experiment_id, `${step.reason}\n`);
          await changeStatus(
            orm,
            launch.experiment_id,
            { status: 'queued', reason: step.reason },
            this.#options.now(),
            ['queued'],
          );
          await changeLaunch(orm, launch.id, { ...OVER, resumes: launch.resumes + 1 });
        });
        return this.#tidy(launch);
    }
  }

  async #fail(launch: Launch, reason: string): Promise<void> {
    const { database, now } = this.#options;
    const isEnded = await database.orm.transaction((orm) =>
      changeStatus(orm, launch.experiment_id, { status: 'failed', reason }, now(), ['queued']),
    );
    // Its job may go on: it is asked to end with the next look. Without an answer to that it is forgotten in time.
    if (!isEnded || launch.said.status?.kind === 'running' || launch.said.status?.kind === 'waiting') return;
    await this.#close(launch, null);
  }

  async #close(launch: Launch, note: string | null): Promise<void> {
    const { orm } = this.#options.database;
    await orm.transaction(async (inner) => {
      if (note !== null) await addLog(inner, launch.experiment_id, `${note}\n`);
      await changeLaunch(inner, launch.id, { ...OVER, resumes: 0 });
    });
    await this.#tidy(launch);
  }

  async #tidy(launch: Launch): Promise<void> {
    await this.#options.launcher.tidy(launch).catch(() => undefined);
  }

  /** The launch, with where its log is read up to. */
  async #takeLog(launch: Launch): Promise<Launch> {
    const { database, launcher } = this.#options;
    const { id, job, experiment_id, log_at: from, said } = launch;
    if (from >= MAX_LOG) return launch;
    const last = said.log_mark ?? null;
    const { text, next, mark: log_mark = last } = await launcher.log({ id, job }, from, last);
    if (next <= from && log_mark === last) return launch;
    const change = { log_at: Math.max(from, next), said: { ...said, log_mark } };
    await database.orm.transaction(async (orm) => {
      if (next > from) await addLog(orm, experiment_id, text.replaceAll('\0', ''));
      await changeLaunch(orm, id, change);
    });
    return { ...launch, ...change };
  }

  async #readLastLine(experimentId: string): Promise<string | null> {
    const { orm } = this.#options.database;
    const size = (await readLog(orm, experimentId, Number.MAX_SAFE_INTEGER))?.size ?? 0;
    const text = (await readLog(orm, experimentId, Math.max(0, size - TAIL)))?.text ?? '';
    const last = text
      .split('\n')
      .map((line) => line.trim())
      .findLast((line) => line !== '');
    return last === undefined ? null : cutText(last, MAX_TEXT);
  }
}

/** Begins to work. Jobs go on when it is closed. */
export function openLaunchLoop(options: LaunchLoopOptions): WorkLoop {
  const { database, leases, launcher, pollMs, report } = options;
  const id = toLeaseId(launcher.name);
  return openWorkLoop({
    async work() {
      if (!(await hasWork(database.orm, launcher.name))) return pollMs;
      const lease = await leases.take(database.orm, id);
      if (lease === null) return pollMs;
      const held = leases.hold(lease);
      try {
        await new LaunchPass(options, held).run();
      } finally {
        held.stop();
        await held.release(database.orm).catch(() => undefined);
      }
      return pollMs;
    },
    onFailure: (reason) => report(`The launcher ${launcher.name} could not be worked on: ${reason}`),
  });
}
