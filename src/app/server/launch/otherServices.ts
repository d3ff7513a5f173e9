// The other services on a shared database: which models each of them serves. A balancer may send a request to one that
// does not have its model; then the answer says which one does.
import { randomUUID } from 'node:crypto';
import { and, desc, eq, ne, sql, type SQL } from 'drizzle-orm';
import type { Database } from '#service/database/database.ts';
import { leases, openLeases, type Lease } from '#service/database/leases/leases.ts';

/** How often a service says what it serves. */
const BEAT_MS = 20_000;
/** One that has said nothing for so long has ended. */
const GONE_MS = 60_000;

export interface OtherServices {
  /** The other service that has a model, such as `host-b (process 12)`; null: none is known to. */
  findServing(model: string): Promise<string | null>;
  /** The names of all their models. */
  listNames(): Promise<readonly string[]>;
  /** Says now what this service has. */
  beat(): Promise<void>;
  close(): Promise<void>;
}

interface OtherServicesOptions {
  readonly database: Database;
  /** Ids and aliases of the models that this service has. */
  readonly listOwn: () => Promise<readonly string[]>;
}

const NONE: OtherServices = {
  findServing: async () => null,
  listNames: async () => [],
  beat: async () => undefined,
  close: async () => undefined,
};

/** Begins to say what this service has, where its database is shared. Failures are silent: the database reports its own. */
export function openOtherServices({ database, listOwn }: OtherServicesOptions): OtherServices {
  if (!database.isShared) return NONE;
  const { orm, guard } = database;
  const own = openLeases(database, 'service', GONE_MS);
  const id = randomUUID();
  let lease: Lease | null = null;
  const isOther = (): SQL | undefined =>
    and(eq(leases.kind, 'service'), ne(leases.id, id), sql`${leases.until} > clock_timestamp()`);

  async function say(): Promise<void> {
    const said = { models: [...new Set(await listOwn())] };
    await guard(async () => {
      const isKept = lease !== null && (await own.renew(orm, lease, said));
      if (!isKept) lease = await own.take(orm, id, said);
      await own.removeOver();
    });
  }

  let saying: Promise<void> = Promise.resolve();
  const beat = (): Promise<void> => {
    const said = saying.then(say);
    saying = said.catch(() => undefined);
    return said;
  };
  void beat().catch(() => undefined);
  const timer = setInterval(() => void beat().catch(() => undefined), BEAT_MS);
  timer.unref();
  return {
    findServing: (model) =>
      guard(async () => {
        const [found] = await orm
          .select({ name: leases.owner })
          .from(leases)
          .where(and(isOther(), sql`${leases.detail} -> 'models' ? ${model}`))
          .orderBy(desc(leases.until))
          .limit(1);
        return found?.name ?? null;
      }),
    listNames: () =>
      guard(async () => {
        const name = sql<string>`jsonb_array_elements_text(${leases.detail} -> 'models')`;
        return (await orm.select({ name }).from(leases).where(isOther())).map((each) => each.name);
      }),
    beat,
    async close() {
      clearInterval(timer);
      await saying;
      await guard(async () => lease && own.release(orm, lease)).catch(() => undefined);
    },
  };
}
