// The jobs of runs at their launchers, in the database.
import { randomBytes, randomUUID } from 'node:crypto';
import { and, asc, eq, inArray, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import { makeToken, toTokenHash } from '#features/access/server/tokens.ts';
import type { Database, Orm } from '#service/database/database.ts';
import { experiments } from '#service/database/tables.ts';
import { findTraining, type QueuedRun } from '#features/training/server/queue.ts';
import { launches, trainings } from '#features/training/server/trainingTables.ts';
import type { Launcher, Said } from './launcher.ts';

export type Launch = typeof launches.$inferSelect;

/** What a worker of a run proves itself with. The database has the hashes alone. */
export interface LaunchSecrets {
  readonly token: string;
  readonly claim: string;
}

const makeSecret = (): string => makeToken((bytes) => randomBytes(bytes).toString('base64url'));

const makeSecrets = (): LaunchSecrets => ({ token: makeSecret(), claim: makeSecret() });

/** Of a launcher without a secret place only the code is known before its worker asks. */
const toHashes = ({ token, claim }: LaunchSecrets, hasSecretPlace: boolean) => ({
  token_hash: hasSecretPlace ? toTokenHash(token) : null,
  claim_hash: hasSecretPlace ? null : toTokenHash(claim),
});

const isOpen = ne(launches.state, 'over');

const toFirstSaid = (at: Date): Said => ({
  status: null,
  since: at.getTime(),
  problem: null,
  problem_since: null,
  log_mark: null,
});

/** Those of a launcher of which something may be left. */
export const listOpen = (orm: Orm, launcher: string): Promise<Launch[]> =>
  orm
    .select()
    .from(launches)
    .where(and(eq(launches.launcher, launcher), isOpen))
    .orderBy(asc(launches.placed_at));

export async function findLaunches(orm: Orm, experimentIds: readonly string[]): Promise<ReadonlyMap<string, Launch>> {
  if (experimentIds.length === 0) return new Map();
  const rows = await orm
    .select()
    .from(launches)
    .where(inArray(launches.experiment_id, [...experimentIds]));
  return new Map(rows.map((row) => [row.experiment_id, row]));
}

/** Whether a launcher has anything to do. Asked all day. */
export async function hasWork(orm: Orm, launcher: string): Promise<boolean> {
  const found = await orm
    .select({ id: trainings.experiment_id })
    .from(trainings)
    .innerJoin(experiments, eq(trainings.experiment_id, experiments.id))
    .leftJoin(launches, eq(launches.experiment_id, trainings.experiment_id))
    .where(
      or(
        and(eq(launches.launcher, launcher), isOpen),
        and(eq(trainings.launcher, launcher), eq(experiments.status, 'queued')),
      ),
    )
    .limit(1);
  return found.length > 0;
}

/** The runs that wait for a launcher and have no job there, in the order of the queue. */
export async function listUnplaced(orm: Orm, launcher: string, most: number): Promise<string[]> {
  if (most <= 0) return [];
  const rows = await orm
    .select({ id: trainings.experiment_id })
    .from(trainings)
    .innerJoin(experiments, eq(trainings.experiment_id, experiments.id))
    .leftJoin(launches, eq(launches.experiment_id, trainings.experiment_id))
    .where(
      and(
        eq(trainings.launcher, launcher),
        eq(experiments.status, 'queued'),
        isNotNull(trainings.position),
        or(isNull(launches.id), eq(launches.state, 'over')),
      ),
    )
    .orderBy(asc(trainings.position), asc(experiments.experiment_number))
    .limit(most);
  return rows.map(({ id }) => id);
}

/** Notes a job before it is submitted, with new secrets. null: the run does not wait any more. */
export async function noteLaunch(
  { orm: outer }: Database,
  experimentId: string,
  { name: launcher, hasSecretPlace }: Pick<Launcher, 'name' | 'hasSecretPlace'>,
  now: Date,
): Promise<{ launch: Launch; queued: QueuedRun; secrets: LaunchSecrets } | null> {
  return outer.transaction(async (orm) => {
    const queued = await findTraining(orm, experimentId);
    if (queued?.run.status !== 'queued') return null;
    const secrets = makeSecrets();
    const values = {
      // Ours alone, also where another studio submits to the same account, or has a copy of this database.
      id: `ms-${experimentId.slice(0, 8)}-${randomUUID().slice(0, 13)}`,
      launcher,
      state: 'placing' as const,
      ...toHashes(secrets, hasSecretPlace),
      job: null,
      said: toFirstSaid(now),
      log_at: 0,
      placed_at: now,
      ends_at: null,
    };
    const [launch] = await orm
      .insert(launches)
      .values({ experiment_id: experimentId, ...values })
      .onConflictDoUpdate({ target: launches.experiment_id, set: values, setWhere: eq(launches.state, 'over') })
      .returning();
    return launch ? { launch, queued, secrets } : null;
  });
}

/** New secrets for a job that is submitted once more: those of before are worth nothing. */
export async function renewSecrets({ orm }: Database, id: string, hasSecretPlace: boolean): Promise<LaunchSecrets> {
  const secrets = makeSecrets();
  await orm.update(launches).set(toHashes(secrets, hasSecretPlace)).where(eq(launches.id, id));
  return secrets;
}

export async function changeLaunch(orm: Orm, id: string, change: Partial<Omit<Launch, 'id'>>): Promise<void> {
  await orm.update(launches).set(change).where(eq(launches.id, id));
}

/** Whether another job that is open has the launcher's number. */
export async function isNumberTaken(orm: Orm, { id, launcher }: Launch, job: string): Promise<boolean> {
  const found = await orm
    .select({ id: launches.id })
    .from(launches)
    .where(and(eq(launches.launcher, launcher), eq(launches.job, job), isOpen, ne(launches.id, id)))
    .limit(1);
  return found.length > 0;
}

const isActive = sql`exists (select 1 from ${experiments} where ${experiments.id} = ${launches.experiment_id}
  and ${experiments.status} in ('queued', 'running', 'deploying') and ${experiments.deleted_at} is null)`;

/** The experiment that a worker's token is for; null: there is no such token, or its run has ended. */
export async function findRunOfToken({ orm, guard }: Database, hash: string): Promise<string | null> {
  const [found] = await guard(() =>
    orm
      .select({ id: launches.experiment_id })
      .from(launches)
      .where(and(eq(launches.token_hash, hash), isOpen, isActive)),
  );
  return found?.id ?? null;
}

/** Makes `token` the token of the run whose code this is. false: it was used for another one, or its run has ended. */
export async function claimRun(database: Database, code: string, token: string): Promise<boolean> {
  const [claim, hash] = [toTokenHash(code), toTokenHash(token)];
  if (claim === null || hash === null) return false;
  const [taken] = await database.guard(() =>
    database.orm
      .update(launches)
      .set({ token_hash: hash, claim_hash: null })
      .where(and(eq(launches.claim_hash, claim), isOpen, isActive))
      .returning({ id: launches.id }),
  );
  // The answer to the first of two equal requests may have been lost.
  return taken !== undefined || (await findRunOfToken(database, hash)) !== null;
}
