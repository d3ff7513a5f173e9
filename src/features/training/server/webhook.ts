// Tells a program of the operator when a run has ended: one POST each, tried again when nobody takes it. What is still to be
// told is in the database, so that a start goes on with it, and one of several services does so at a time.
// SOURCE: headers and signature are those of standardwebhooks.com.
import { createHmac } from 'node:crypto';
import { and, asc, eq, isNotNull, sql } from 'drizzle-orm';
import { isActiveStatus } from '#core/contract/statuses.ts';
import { cutText } from '#core/contract/schemas.ts';
import { toReason, type Database, type Orm } from '#service/database/database.ts';
import { openLeases } from '#service/database/leases/leases.ts';
import { openWorkLoop } from '#service/database/leases/workLoop.ts';
import { datasets, experiments, jobs, projects, snapshots } from '#service/database/tables.ts';
import { toOwnCause } from '#features/projects/server/statusCause.ts';
import { addLog } from './progressStore.ts';
import { trainings } from './trainingTables.ts';

export interface WebhookOptions {
  /** Whoever knows it can send, so it is shown nowhere. */
  readonly url: string;
  /** Signs what is sent; null: nothing does. */
  readonly key: Buffer | null;
  /** Where people open the studio. */
  readonly studio: () => string;
  readonly pollMs?: number;
  /** Before the second try; four times as much before each further one. */
  readonly retryMs?: number;
  readonly answerMs?: number;
}

const TRIES = 5;
const POLL_MS = 5_000;
const RETRY_MS = 10_000;
const ANSWER_MS = 10_000;
const CLOSE_MS = 1_000;
const LEASE_ID = '3d1f1f4e-7c0a-4e0b-9d6e-6d0f6c1b0a51';
const MAX_REASON = 200;

const isUntold = isNotNull(trainings.untold);
/** Older ends are no news to a webhook that was not there before. */
const isDue = and(
  isUntold,
  sql`${trainings.ended_at} > clock_timestamp() - interval '1 day'`,
  sql`(${trainings.tell_at} is null or ${trainings.tell_at} <= clock_timestamp())`,
);

const listDue = (orm: Orm) =>
  orm
    .select({ run: experiments, training: trainings, project: { id: projects.id, name: projects.name } })
    .from(trainings)
    .innerJoin(experiments, eq(trainings.experiment_id, experiments.id))
    .innerJoin(jobs, eq(experiments.job_id, jobs.id))
    .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .innerJoin(projects, eq(datasets.project_id, projects.id))
    .where(isDue)
    .orderBy(asc(trainings.ended_at))
    .limit(50);

type Untold = Awaited<ReturnType<typeof listDue>>[number];

function toMessage({ run, training, project }: Untold, studio: string) {
  const { id, label, status, base_model_id, model_id, job_id, steps, seconds, first_loss, last_loss, held_out } = run;
  const link = new URLSearchParams({ project: project.id, node: id });
  return {
    event: `run.${toOwnCause(status, run.failure) ?? status}`,
    project,
    run: { id, label, job_id, base_model_id, model_id },
    state: status,
    reason: training.reason ?? run.failure,
    measures: { ...held_out, steps, seconds, first_loss, last_loss },
    url: `${studio}/?${link.toString()}`,
  };
}

function toHeaders(id: string, seconds: number, body: string, key: Buffer | null): Record<string, string> {
  const signed = `${id}.${seconds}.${body}`;
  return {
    'Content-Type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    ...(key !== null && { 'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}` }),
  };
}

interface WebhookDeps {
  readonly database: Database;
  readonly leaseMs: number;
  readonly now: () => Date;
  readonly report: (line: string) => void;
}

type OpenDeps = WebhookDeps & { readonly closing: AbortSignal };

class Webhook {
  readonly #options: WebhookOptions;
  readonly #deps: OpenDeps;
  isEnding = false;

  constructor(options: WebhookOptions, deps: OpenDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  async hasDue(): Promise<boolean> {
    const { orm } = this.#deps.database;
    const rows = await orm.select({ id: trainings.experiment_id }).from(trainings).where(isDue).limit(1);
    return rows.length > 0;
  }

  async tellAll(check: () => void): Promise<void> {
    for (const untold of await listDue(this.#deps.database.orm)) {
      if (this.isEnding) return;
      check();
      await this.#tell(untold);
    }
  }

  async #tell(untold: Untold): Promise<void> {
    const { run, training } = untold;
    const { report } = this.#deps;
    // Somebody let it go on meanwhile.
    if (isActiveStatus(run.status)) return this.#note(untold, null);
    const problem = await this.#send(untold);
    if (problem !== null && this.#deps.closing.aborted) return;
    if (problem === null) return this.#note(untold, null);
    const tries = (training.untold ?? 0) + 1;
    if (tries < TRIES) return this.#note(untold, tries);
    const text = `The webhook was not told that this run has ended, in ${TRIES} tries: ${problem}.`;
    report(`${run.label} (${run.id}): ${text}`);
    await this.#note(untold, null);
    await this.#deps.database.orm.transaction((orm) => addLog(orm, run.id, `${text}\n`));
  }

  /** What is wrong; null: it was taken. */
  async #send(untold: Untold): Promise<string | null> {
    const { url, key, studio, answerMs = ANSWER_MS } = this.#options;
    const at = this.#deps.now().getTime();
    const body = JSON.stringify(toMessage(untold, studio()));
    // The same for each try, so that a receiver can leave out what it has.
    const id = `${untold.run.id}-${untold.training.ended_at?.getTime() ?? 0}`;
    try {
      const answer = await fetch(url, {
        method: 'POST',
        body,
        headers: toHeaders(id, Math.floor(at / 1000), body, key),
        // What is told goes to the address that the operator gave, and nowhere else.
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(answerMs), this.#deps.closing]),
      });
      await answer.body?.cancel();
      if (answer.ok) return null;
      return answer.status >= 300 && answer.status < 400
        ? `it answers ${answer.status}, and redirects are not followed`
        : `it answers ${answer.status}`;
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      return cutText(`it does not answer (${toReason(cause)})`, MAX_REASON);
    }
  }

  /** Unless it has ended anew meanwhile. */
  async #note({ run, training }: Untold, untold: number | null): Promise<void> {
    const { retryMs = RETRY_MS } = this.#options;
    const wait = untold === null ? null : retryMs * 4 ** (untold - 1);
    const isSameEnd = training.ended_at === null ? undefined : eq(trainings.ended_at, training.ended_at);
    await this.#deps.database.orm
      .update(trainings)
      .set({ untold, tell_at: sql`clock_timestamp() + ${wait}::float8 * interval '1 millisecond'` })
      .where(and(eq(trainings.experiment_id, run.id), isUntold, isSameEnd));
  }
}

export interface OpenWebhook {
  close(): Promise<void>;
}

/** Without options nothing is told, and nothing is kept for a start that tells, unless other services may tell. */
export async function openWebhook(options: WebhookOptions | null | undefined, deps: WebhookDeps): Promise<OpenWebhook> {
  const { database, leaseMs, report } = deps;
  const { orm } = database;
  if (!options) {
    const forget = async (): Promise<void> => {
      if (!database.isShared) await orm.update(trainings).set({ untold: null }).where(isUntold);
    };
    await forget();
    return { close: () => forget().catch(() => undefined) };
  }
  const { pollMs = POLL_MS } = options;
  const leases = openLeases(database, 'webhook', leaseMs);
  await leases.endFormer();
  const closing = new AbortController();
  const webhook = new Webhook(options, { ...deps, closing: closing.signal });
  const loop = openWorkLoop({
    async work() {
      if (!(await webhook.hasDue())) return pollMs;
      const lease = await leases.take(orm, LEASE_ID);
      if (lease === null) return pollMs;
      const held = leases.hold(lease);
      try {
        await webhook.tellAll(() => held.check());
      } finally {
        held.stop();
        await held.release(orm).catch(() => undefined);
      }
      return pollMs;
    },
    onFailure: (reason) => report(`The webhook could not be worked on: ${reason}`),
  });
  return {
    async close() {
      webhook.isEnding = true;
      // What is cut off may have been taken, and is told again.
      const late = setTimeout(() => closing.abort(), CLOSE_MS);
      await loop.close();
      clearTimeout(late);
    },
  };
}
