// The embedded database: PGlite in a folder.
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { toReason, type Database } from './database.ts';
import { readEmptyDatabase } from '#service/database/disk/emptyDatabase.ts';
import { EmbeddedClient } from '#service/database/disk/embeddedClient.ts';
import { checkFreeDisk, isDiskFull, MIB, readFreeDiskNow, toFullDisk } from '#service/database/disk/freeDisk.ts';
import { openReserve } from '#service/database/disk/reserve.ts';
import { LOG_SETTINGS, openUpkeep } from '#service/database/disk/databaseMaintenance.ts';
import { migrate, readMigrations } from './migrate.ts';
import { StartError } from './startError.ts';

/** This file exists while the database is being made: until it is removed, the database holds no records. */
const MARKER = 'database.incomplete';

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

export const noDatabase = (folder: string): StartError =>
  new StartError(
    `The folder ${folder} holds no database (PG_VERSION is missing). Restore it from a backup, or move it away to start ` +
      'with a new one. Nothing was deleted.',
  );

/** Prepares the folder; true for a new database. Deletes one that an earlier first start left unfinished. */
async function prepareFolder(dataDir: string, folder: string): Promise<boolean> {
  const marker = join(dataDir, MARKER);
  if (await exists(marker)) await rm(folder, { recursive: true, force: true });
  const files = await readdir(folder).catch((): string[] => []);
  if (files.length > 0 && !files.includes('PG_VERSION')) {
    throw noDatabase(folder);
  }
  if (files.length > 0) return false;
  await writeFile(marker, '');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return true;
}

/**
 * V8 compiles functions of WebAssembly again, and better, once they have run for so many bytes: 33 times its own value. A
 * start calls much and little of it often, so that this took a quarter of its processor time.
 */
const TIERING_BUDGET = 60_000_000;

/**
 * Memory for pages, which a start fills with zeros: PostgreSQL's 128 MB are most of what an idle studio holds. Pages that
 * don't fit are in the system's cache, from which they are read nearly as quickly.
 */
const MEMORY_SETTINGS = ['-c', 'shared_buffers=8MB'] as const;

/** Lines of a start that are looked at. */
const MOST_SAID = 100;

async function openClient(
  folder: string,
  isNew: boolean,
  readFree: (folder: string) => number,
): Promise<EmbeddedClient> {
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`);
  const empty = isNew ? readEmptyDatabase() : null;
  /** What PostgreSQL says of its start; what PGlite throws does not hold the reason. */
  const said: string[] = [];
  try {
    const client = new EmbeddedClient(folder, {
      startParams: [...PGlite.defaultStartParams, ...LOG_SETTINGS, ...MEMORY_SETTINGS],
      ...(empty ? { loadDataDir: empty } : {}),
      onStderr: (text) => {
        if (said.length < MOST_SAID) said.push(text);
        return true;
      },
    });
    await client.waitReady;
    return client;
  } catch (error) {
    const words = said.join(' ');
    const full = toFullDisk(folder, isDiskFull(words) ? words : error, "can't be opened", readFree(folder));
    if (full) throw full;
    const reason = toReason(error);
    throw new StartError(
      isNew
        ? `A new database could not be made in ${folder} (${reason}). Check free space and permissions, or choose ` +
            'another folder with --data.'
        : `The database in ${folder} can't be opened (${reason}). It is damaged, or another version of PostgreSQL ` +
            'wrote it. Restore it from a backup, or move it away to start with a new one. Nothing was deleted.',
      { cause: error },
    );
  }
}

/** Stays free beside what a piece of work may write. */
const LEFT_FREE = 4 * MIB;

/** A file of the database's own file system that is no file: `copy` reads and writes memory through it. */
const COPY_DEVICE = '/dev/studio-copy';
/** No other device of PGlite has it. */
const COPY_DEVICE_NUMBER = 200;

/** Reads parts as if they were one file. */
function openParts(parts: readonly Uint8Array[]) {
  let part = 0;
  /** Where the part begins. */
  let start = 0;
  /** Fills `into` from a place on, which only grows. Returns how many bytes there were. */
  return (into: Uint8Array, from: number): number => {
    let filled = 0;
    for (let bytes = parts[part]; bytes && filled < into.length; bytes = parts[part]) {
      const at = from + filled - start;
      const piece = bytes.subarray(at, at + into.length - filled);
      into.set(piece, filled);
      filled += piece.length;
      if (at + piece.length < bytes.length) break;
      start += bytes.length;
      part += 1;
    }
    return filled;
  };
}

/** A part of the database's memory. */
const toBytes = (memory: ArrayBufferView, at: number, length: number): Uint8Array =>
  new Uint8Array(memory.buffer, memory.byteOffset + at, length);

/**
 * `copy` in binary form. PGlite's own device for it copies bytes one by one, and through a Blob twice more, so that V8 had
 * to collect garbage all the time.
 */
function openCopy(client: PGlite): NonNullable<Database['copy']> {
  let read = openParts([]);
  let written: Uint8Array[] = [];
  const { FS } = client.Module;
  const device = FS.makedev(COPY_DEVICE_NUMBER, 0);
  FS.registerDevice(device, {
    open: () => undefined,
    close: () => undefined,
    read: (_stream, memory: ArrayBufferView, at: number, length: number, from: number) =>
      read(toBytes(memory, at, length), from),
    write(_stream, memory: ArrayBufferView, at: number, length: number) {
      written.push(toBytes(memory, at, length).slice());
      return length;
    },
  });
  FS.mkdev(COPY_DEVICE, device);
  /** The device serves one statement at a time. */
  let last: Promise<unknown> = Promise.resolve();
  function next<Value>(run: () => Promise<Value>): Promise<Value> {
    const running = last.then(run);
    last = running.catch(() => undefined);
    return running;
  }
  return {
    in: (statement, parts) =>
      next(async () => {
        read = openParts(parts);
        await client.query(`copy ${statement} from '${COPY_DEVICE}' with (format binary)`).finally(() => {
          read = openParts([]);
        });
      }),
    out: (statement) =>
      next(async () => {
        written = [];
        await client.query(`copy (${statement}) to '${COPY_DEVICE}' with (format binary)`);
        const bytes = Buffer.concat(written);
        written = [];
        return bytes;
      }),
  };
}

export interface EmbeddedOptions {
  /** Receives trouble in the background; one line each. */
  readonly onWarning?: (text: string) => void;
  /** Called when the database has failed for good: the process is to end, and a start goes on. `reason`: for people. */
  readonly onEnd?: ((reason: string) => void) | undefined;
  /** Bytes that are free on the disk of a folder; tests put a disk of their own in its place. */
  readonly readFree?: (folder: string) => number;
}

/**
 * Opens `<dataDir>/database` and makes it when it is missing. The caller holds the folder's lock.
 * Throws StartError for a database that can't be opened, and leaves it unchanged.
 */
export async function openEmbedded(
  dataDir: string,
  { onWarning = () => undefined, onEnd = () => undefined, readFree = readFreeDiskNow }: EmbeddedOptions = {},
): Promise<Database> {
  const folder = join(dataDir, 'database');
  const isNew = await prepareFolder(dataDir, folder);
  const client = await openClient(folder, isNew, readFree);
  if (isNew) await rm(join(dataDir, MARKER), { force: true });
  const reserve = openReserve(dataDir, { onWarning, readFree });
  client.onEnd = (error) => {
    reserve.look();
    onEnd(
      toFullDisk(dataDir, error, 'has ended', readFree(dataDir))?.message ??
        `The embedded database has ended (${toReason(error)}). What it had stored is kept. Start the studio again.`,
    );
  };
  const upkeep = await openUpkeep({
    run: async (statement) => (await client.query(statement)).rows,
    hasRoom: (bytes) => reserve.look() >= bytes + LEFT_FREE,
    onWarning,
  });
  client.onStatement = upkeep.touch;
  return {
    orm: drizzle(client),
    isShared: false,
    async executeSql(text, values = []) {
      if (values.length > 0) return client.query(text, [...values]);
      const results = await client.exec(text);
      return { rows: results.at(-1)?.rows ?? [] };
    },
    copy: openCopy(client),
    async applyScript(script) {
      await client.transaction(async (transaction) => {
        await transaction.exec(script);
      });
    },
    guard: (run) => run(),
    exclusively: (run) => run(),
    limitSilence: () => undefined,
    tidy: upkeep.tidy,
    tidyRows: upkeep.tidyRows,
    checkRoom: (bytes = 0) => checkFreeDisk(dataDir, bytes, reserve.look()),
    async close() {
      reserve.close();
      if (client.hasEnded) return;
      await upkeep.close().catch(() => undefined);
      await client.close();
    },
  };
}

/** A packed database with this version's tables and nothing in them. */
export async function makeEmptyDatabase(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'model-studio-empty-'));
  try {
    const database = await openEmbedded(folder);
    await migrate(database, await readMigrations());
    await database.close();
    const client = await PGlite.create(join(folder, 'database'));
    const packed = await client.dumpDataDir('gzip');
    await client.close();
    return new Uint8Array(await packed.arrayBuffer());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
