// What a PostgreSQL server does beside its sessions and the embedded database never does by itself: checkpoints, which
// shorten its log, and vacuum, which gives the space of removed rows back.
import { setImmediate } from 'node:timers/promises';
import { MIB } from './freeDisk.ts';

/**
 * Bytes of log between two checkpoints. Rows that are vacuumed before their checkpoint cost a tenth of what they cost after
 * it: 16 MB take 5 ms, and their checkpoint 20 ms, in which nothing else goes on.
 */
export const STEP_BYTES = 16 * MIB;
/** So much that was written is worth a checkpoint once nothing more is written. */
const IDLE_BYTES = MIB;

/** The log holds what a step, and one large statement in it, write; a checkpoint takes the rest away. */
export const LOG_SETTINGS = ['-c', 'max_wal_size=64MB', '-c', 'min_wal_size=32MB'] as const;
/** What it may have when it is opened: that of an older version may have more. */
const LOG_BYTES = 80 * MIB;
/** Files of a log of 8 GiB. */
const MOST_FILES = 512;

/** A table is made anew at a start where more than half of it, and so much, is not used... */
const UNUSED_BYTES = 64 * MIB;
/** ...and no more than this is: that takes 3 s. */
const COPIED_BYTES = 256 * MIB;
/** A checkpoint writes some small files before it takes any away. */
const CHECKPOINT_BYTES = 4 * MIB;

interface UpkeepTimes {
  /** How long after a statement the log is looked at. */
  readonly lookMs: number;
  /** How long nothing is written before what is left is tidied up. */
  readonly idleMs: number;
}

const TIMES: UpkeepTimes = { lookMs: 100, idleMs: 5_000 };

export interface UpkeepDeps {
  /** One statement, outside of transactions. */
  readonly run: (statement: string) => Promise<readonly unknown[]>;
  /** Whether the disk has room for so many bytes. A log or a checkpoint that finds none ends the database. */
  readonly hasRoom: (bytes: number) => boolean;
  readonly onWarning: (text: string) => void;
  readonly times?: UpkeepTimes;
}

export interface Upkeep {
  /** A statement was run. */
  touch(): void;
  /** Vacuums what has changed and writes a checkpoint, however little that is. */
  tidy(): Promise<void>;
  /** Gives back what an older version has left. Call it before others use the database: it may take seconds. */
  tidyRows(): Promise<void>;
  /** The last checkpoint, if anything was written. */
  close(): Promise<void>;
}

/** Bytes of a table that no vacuum has seen. The next one may write as much into the log. */
const UNSEEN = 'pg_relation_size(relation.oid) - relation.relallvisible * 8192::bigint';

/** Tables, also those of long values, of which a mebibyte or more is new or dead since their last vacuum. */
const CHANGED = `select relation.oid::regclass::text as name, ${UNSEEN} as log
  from pg_class relation, pg_stat_get_dead_tuples(oid) dead, pg_stat_get_ins_since_vacuum(oid) new
  where relkind in ('r', 't') and dead + new > 0
    and pg_relation_size(oid) * (dead + new)::float8 / greatest(pg_stat_get_live_tuples(oid) + dead, 1) >= ${MIB}`;

/** The rows of datasets, which have most of the space, and how much of it is used. */
const ROWS = `select pg_relation_size(relation.oid) as bytes, ${UNSEEN} as log, used.bytes as used
  from pg_class main join pg_class relation on relation.oid = main.reltoastrelid,
    (select coalesce(sum(octet_length(body) + octet_length(grams)), 0) as bytes from studio.row_blocks) used
  where main.oid = 'studio.row_blocks'::regclass`;

const read = (rows: readonly unknown[], name: string): unknown =>
  (rows[0] as Record<string, unknown> | undefined)?.[name];

interface Tidying {
  /** Where the log ends, and how much of it was written since the last checkpoint. */
  readLog(): Promise<{ readonly end: number; readonly written: number }>;
  /** Vacuums what has changed and writes a checkpoint. */
  tidy(): Promise<void>;
  /**
   * The rest of a long log was prepared for more that would be written. It goes file by file: each is begun, and a
   * checkpoint then takes it away. A second for a gibibyte.
   */
  shorten(): Promise<void>;
  tidyRows(): Promise<void>;
}

/** The statements that give space back, where the disk has room for what they write. */
async function openTidying({ run, hasRoom }: Pick<UpkeepDeps, 'run' | 'hasRoom'>): Promise<Tidying> {
  const readEnd = async (): Promise<number> =>
    Number(read(await run("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as log_end"), 'log_end'));
  /** Where the log ended at the last checkpoint. */
  let tidied = await readEnd();

  async function vacuum(): Promise<void> {
    // Counts of rows are kept back for a second.
    await run('select pg_stat_force_next_flush()');
    for (const { name, log } of (await run(CHANGED)) as readonly { name: string; log: unknown }[]) {
      // Others have their turn.
      await setImmediate();
      if (hasRoom(Number(log))) await run(`vacuum (process_toast false) ${name}`);
    }
  }

  async function checkpoint(): Promise<void> {
    if (!hasRoom(CHECKPOINT_BYTES)) return;
    await run('checkpoint');
    tidied = await readEnd();
  }

  return {
    async readLog() {
      const end = await readEnd();
      return { end, written: end - tidied };
    },
    async tidy() {
      await vacuum();
      await checkpoint();
    },
    async shorten() {
      for (let files = 0; files < MOST_FILES && hasRoom(CHECKPOINT_BYTES); files += 1) {
        const log = await run('select coalesce(sum(size), 0) as bytes from pg_ls_waldir()');
        if (Number(read(log, 'bytes')) <= LOG_BYTES) return;
        await run('select pg_switch_wal()');
        await checkpoint();
      }
    },
    async tidyRows() {
      const rows = await run(ROWS);
      const [bytes, log, used] = ['bytes', 'log', 'used'].map((name) => Number(read(rows, name))) as [
        number,
        number,
        number,
      ];
      const isHollow = bytes - used >= UNUSED_BYTES && used < bytes / 2;
      // Only the rows that are left are copied, into a file and into the log.
      const isMadeAnew = isHollow && used <= COPIED_BYTES && hasRoom(2 * used);
      if (!isMadeAnew && (log < UNUSED_BYTES || !hasRoom(log))) return;
      if (isMadeAnew) await run('vacuum full studio.row_blocks');
      await run('vacuum studio.row_blocks');
      await checkpoint();
    },
  };
}

/** The log may be long already: an older version left it. Throws what the database throws. */
export async function openUpkeep({ onWarning, times = TIMES, ...deps }: UpkeepDeps): Promise<Upkeep> {
  const { readLog, tidy, shorten, tidyRows } = await openTidying(deps);
  /** Where the log ended when it was last looked at. */
  let seen = -1;
  /** Own statements don't count. */
  let isOwn = false;
  let isClosed = false;
  let isWarned = false;
  let look: NodeJS.Timeout | null = null;
  let idle: NodeJS.Timeout | null = null;
  let working: Promise<void> = Promise.resolve();

  async function workAfter(before: Promise<void>, piece: () => Promise<void>): Promise<void> {
    await before;
    isOwn = true;
    try {
      await piece();
    } finally {
      isOwn = false;
    }
  }

  /** One piece of work at a time. */
  function work(piece: () => Promise<void>): Promise<void> {
    const done = workAfter(working, piece);
    working = done.catch(() => undefined);
    return done;
  }

  const inBackground = (piece: () => Promise<void>): void => {
    work(piece).catch((error: unknown) => {
      if (isWarned || isClosed) return;
      isWarned = true;
      onWarning(`The embedded database could not be tidied up (${error instanceof Error ? error.message : 'failed'}).`);
    });
  };

  async function lookNow(): Promise<void> {
    const { end, written } = await readLog();
    if (end === seen) return;
    seen = end;
    if (idle) clearTimeout(idle);
    idle = null;
    if (written >= STEP_BYTES) await tidy();
    else if (written >= IDLE_BYTES && !isClosed) {
      idle = setTimeout(() => inBackground(tidy), times.idleMs);
      idle.unref();
    }
  }

  await work(shorten);
  return {
    touch() {
      if (isOwn || isClosed || look !== null) return;
      look = setTimeout(() => {
        look = null;
        inBackground(lookNow);
      }, times.lookMs);
      look.unref();
    },
    tidy: () => work(tidy),
    tidyRows: () => work(tidyRows),
    async close() {
      isClosed = true;
      for (const timer of [look, idle]) if (timer) clearTimeout(timer);
      await work(async () => {
        if ((await readLog()).written >= IDLE_BYTES) await tidy();
      });
    },
  };
}
