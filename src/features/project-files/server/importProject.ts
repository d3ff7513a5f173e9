// Stores the records of a project's file. The project is hidden until its last line: then one statement shows all of it.
import { randomUUID } from 'node:crypto';
import { setImmediate as rest } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import { and, eq, inArray } from 'drizzle-orm';
import { NOTE_LIMITS } from '#core/contract/limits.ts';
import type { ProjectImported } from '#features/project-files/shared/transfer.ts';
import { toContentHash } from '#features/datasets/shared/contentHash.ts';
import { LeaseLost } from '#service/database/leases/holdLease.ts';
import type { HeldLease, Leases } from '#service/database/leases/leases.ts';
import type { Orm } from '#service/database/database.ts';
import { checkFreeDisk } from '#service/database/disk/freeDisk.ts';
import type { RowBlock } from '#features/datasets/server/rows/rowBlocks.ts';
import { copyBlocks } from '#features/datasets/server/rows/rowStore.ts';
import { INCOMPLETE, notes, projects, snapshotRows } from '#service/database/tables.ts';
import type { AdmittedItem } from './sanitizeRecords.ts';
import { BATCH, openBatch } from './batch.ts';
import { idsTaken, isTaken } from './freeIds.ts';
import { openModelStore } from './modelStore.ts';
import { openReception, type ImportChoice, type ReceptionDeps, type RecordStore } from './importContext.ts';
import { KINDS, toRows, type RecordOf, type TableKind } from './records.ts';
import { endTransfer, removeEnded } from './projectImportLeases.ts';
import { importLost, refuseFile } from './transferProblem.ts';

export interface ImportDeps extends ReceptionDeps {
  /** Stores blocks; tests put a full disk in its place. */
  readonly store?: typeof copyBlocks;
}

/** Bytes that the shortest rows take in the database, with what a search skips them by. */
const LEAST_ROW = 40;
/** Characters of edited rows of a snapshot, and of all notes: both are held until they are whole. */
const HELD_TEXT = 256 * 1024 * 1024;

const toBase64 = (text: string): string => deflateRawSync(text).toString('base64');

type Row = Readonly<Record<string, unknown>>;

/** Columns that are no fields of the file, or say something else there. */
function toOwnColumns(item: RecordOf<TableKind>, row: Row, project_id: string | null): Row {
  if (item.kind === 'recommendation') return { job_id: randomUUID() };
  if (item.kind === 'note') return { body: item.text, revision: 1 };
  if (item.kind === 'marks')
    return { edited_hash: row['edited'] === null ? null : toContentHash(String(row['edited'])) };
  if (item.kind !== 'dataset') return {};
  const lines = item.bad_lines.map((line) => JSON.stringify(line));
  return { project_id, status: 'completed', bad_lines: lines.length === 0 ? null : toBase64(lines.join('\n')) };
}

export function openRecordStore(
  deps: ImportDeps & { readonly leases: Leases },
  choice: ImportChoice,
): RecordStore<ProjectImported> {
  const { database, dataDir, leases, now, store = copyBlocks } = deps;
  const { orm } = database;
  let lease: HeldLease | null = null;
  /** Throws LeaseLost. */
  const write: HeldLease['write'] = async (work) => {
    if (lease === null) throw new LeaseLost();
    return lease.write(work);
  };
  const batch = openBatch(write);
  const { admit, modelImport, toId, toResult } = openReception(deps, choice, openModelStore({ orm, dataDir, write }));
  const heldNotes: Row[] = [];
  let heldText = 0;
  let projectId: string | null = null;
  let name = '';
  let frozen: { readonly snapshot_id: string; readonly sides: string; texts: (readonly [number, string])[] } | null =
    null;
  let frozenText = 0;

  async function begin(record: RecordOf<'project'>): Promise<void> {
    const own = toId(record.id);
    name = record.name;
    const taken = await orm.transaction(async (transaction) => {
      const [row] = toRows(record, toId);
      await transaction.insert(projects).values({ ...row, imported_at: now(), deleted_at: INCOMPLETE } as never);
      return leases.take(transaction, own);
    });
    if (taken === null) throw idsTaken();
    lease = leases.hold(taken);
    projectId = own;
  }

  async function storeBlocks(...given: [datasetId: string, first: number, blocks: readonly RowBlock[]]): Promise<void> {
    // An embedded database stores them in no transaction, and nobody else has it.
    if (database.copy) await store(database, ...given);
    else await write((transaction) => store({ ...database, orm: transaction }, ...given));
  }

  const toWholeRows = (item: RecordOf<TableKind>): Row[] =>
    toRows(item, toId).map((row) => Object.assign(row, toOwnColumns(item, row, projectId)));

  async function endFrozen(): Promise<void> {
    if (!frozen) return;
    const { snapshot_id, sides, texts } = frozen;
    frozen = null;
    const edited = texts.length === 0 ? null : toBase64(JSON.stringify(texts));
    await batch.add(snapshotRows, { snapshot_id: toId(snapshot_id), sides, edited });
  }

  function addFrozenTexts({ texts }: RecordOf<'frozen-texts'>): void {
    if (!frozen) throw refuseFile('wrong_order', 'A snapshot has edited rows, but not the sides of its rows.');
    frozenText += texts.reduce((sum, [, text]) => sum + text.length, 0);
    if (frozenText > HELD_TEXT)
      throw refuseFile('too_many_texts', 'A snapshot of the file has more edited rows than this studio can hold.');
    frozen.texts.push(...texts);
  }

  function addNote(note: RecordOf<'note'>): void {
    heldText += note.text.length + 100;
    if (heldText > HELD_TEXT) throw refuseFile('too_many_notes', 'The file has more notes than this studio can hold.');
    heldNotes.push(...toWholeRows(note));
  }

  /** Throws DiskFull unless a model's file of so many bytes has room in the data folder. */
  const checkFile = (bytes: number): void => {
    if (choice.hasModels) checkFreeDisk(dataDir, bytes);
  };

  async function takeOne(item: AdmittedItem): Promise<void> {
    if (item.kind !== 'frozen-texts') await endFrozen();
    switch (item.kind) {
      case 'manifest':
        database.checkRoom?.(item.rows * LEAST_ROW);
        return checkFile(item.model_bytes);
      case 'project':
        return begin(item);
      case 'blocks':
        await batch.flush();
        database.checkRoom?.();
        return storeBlocks(toId(item.dataset_id), item.first, item.blocks);
      case 'frozen':
        frozen = { snapshot_id: item.snapshot_id, sides: item.sides, texts: [] };
        frozenText = 0;
        return;
      case 'frozen-texts':
        return addFrozenTexts(item);
      case 'file':
      case 'part':
        checkFile(item.kind === 'file' ? item.bytes : 0);
        return modelImport.take(item);
      case 'model':
      case 'file-end':
        await batch.flush();
        return modelImport.take(item);
      case 'note':
        return addNote(item);
      default:
        for (const row of toWholeRows(item)) await batch.add(KINDS[item.kind].table, row);
    }
  }

  async function saveNotes(transaction: Orm): Promise<void> {
    if (heldNotes.length === 0) return;
    if ((await transaction.$count(notes)) + heldNotes.length > NOTE_LIMITS.notes)
      throw refuseFile('too_many_notes', `A studio keeps ${NOTE_LIMITS.notes.toLocaleString('en')} notes at most.`);
    for (let at = 0; at < heldNotes.length; at += BATCH) {
      const rows = heldNotes.slice(at, at + BATCH) as (typeof notes.$inferInsert)[];
      const ids = rows.map(({ node_id }) => node_id);
      // What was noted of a project that had these ids, and is gone.
      await transaction.delete(notes).where(inArray(notes.node_id, ids));
      await transaction.insert(notes).values(rows);
      await rest();
    }
  }

  const toProblem = (error: unknown): unknown =>
    isTaken(error) ? idsTaken() : error instanceof LeaseLost ? importLost() : error;

  return {
    async take(items) {
      try {
        await lease?.assertHeld(orm);
        for await (const item of admit(items)) await takeOne(item);
      } catch (error) {
        throw toProblem(error);
      }
    },
    async finish() {
      const [own, held] = [projectId, lease];
      if (own === null || held === null) throw importLost();
      try {
        await endFrozen();
        await batch.flush();
        const found = await modelImport.finish();
        await held.write(async (transaction) => {
          await saveNotes(transaction);
          const isOurs = and(eq(projects.id, own), eq(projects.deleted_at, INCOMPLETE));
          const shown = await transaction.update(projects).set({ deleted_at: null }).where(isOurs).returning();
          // It was cancelled meanwhile.
          if (shown.length === 0) throw new LeaseLost();
          await held.release(transaction);
        });
        projectId = null;
        return toResult(own, name, found);
      } catch (error) {
        throw toProblem(error);
      }
    },
    async remove() {
      const [own, held] = [projectId, lease];
      projectId = null;
      // If the rest fails, the lease will be over, and the next sweep removes what is left.
      held?.stop();
      await modelImport.close();
      if (own === null || held === null) return;
      const files = await held
        .write(async (transaction) => {
          const found = await endTransfer(transaction, own);
          await held.release(transaction);
          return found;
        })
        .catch((error: unknown) => {
          // It is removed already.
          if (!(error instanceof LeaseLost)) throw error;
          return null;
        });
      if (files) await removeEnded(database, dataDir, files);
    },
  };
}
