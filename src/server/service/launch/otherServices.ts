// The other services on a shared database: which models each of them serves. A balancer may send a request to one that
// does not have its model; then the answer says which one does.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { and, arrayContains, desc, eq, gt, lt, ne } from 'drizzle-orm';
import { pgSchema, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { Database } from '#server/studio/database.ts';
import { SCHEMA } from '#server/studio/tables.ts';

const services = pgSchema(SCHEMA).table('services', {
  id: uuid().primaryKey(),
  /** Host and process, for people. */
  name: text().notNull(),
  /** Ids and aliases. */
  models: text().array().notNull(),
  seen_at: timestamp({ withTimezone: true, mode: 'date' }).notNull(),
});

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
  readonly now: () => Date;
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
export function openOtherServices({ database, now, listOwn }: OtherServicesOptions): OtherServices {
  if (!database.isShared) return NONE;
  const { orm, guard } = database;
  const id = randomUUID();
  const name = `${hostname()} (process ${process.pid})`;
  const since = (): Date => new Date(now().getTime() - GONE_MS);
  const isOther = () => and(ne(services.id, id), gt(services.seen_at, since()));

  async function beat(): Promise<void> {
    const said = { models: [...new Set(await listOwn())], seen_at: now() };
    await guard(async () => {
      await orm
        .insert(services)
        .values({ id, name, ...said })
        .onConflictDoUpdate({ target: services.id, set: said });
      await orm.delete(services).where(lt(services.seen_at, since()));
    });
  }

  let beating: Promise<void> = beat().catch(() => undefined);
  const timer = setInterval(() => {
    beating = beating.then(beat).catch(() => undefined);
  }, BEAT_MS);
  timer.unref();
  return {
    findServing: (model) =>
      guard(async () => {
        const [found] = await orm
          .select({ name: services.name })
          .from(services)
          .where(and(isOther(), arrayContains(services.models, [model])))
          .orderBy(desc(services.seen_at))
          .limit(1);
        return found?.name ?? null;
      }),
    listNames: () =>
      guard(async () =>
        (await orm.select({ models: services.models }).from(services).where(isOther())).flatMap(({ models }) => models),
      ),
    beat,
    async close() {
      clearInterval(timer);
      await beating;
      await guard(async () => orm.delete(services).where(eq(services.id, id))).catch(() => undefined);
    },
  };
}
