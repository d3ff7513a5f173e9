// Stores the records of a project's file. The project is hidden until its last line: then one statement shows all of it.
import { randomUUID } from 'node:crypto';
import { setImmediate as rest } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import { inArray } from 'drizzle-orm';
import { NOTE_LIMITS } from '#features/notes/shared/notes.ts';
import type { ProjectImported } from '#features/project-files/shared/transfer.ts';
import { openEvaluationImport } from '#features/evaluation/server/evaluationTransfer.ts';
import { toContentHash } from '#features/datasets/shared/contentHash.ts';
import { LeaseLost } from '#service/database/leases/holdLease.ts';
import type { HeldLease, Leases } from '#service/database/leases/leases.ts';
import type { Orm } from '#service/database/database.ts';
import { checkFreeDisk } from '#service/database/disk/freeDisk.ts';
import { copyBlocks } from '#features/datasets/server/rows/rowStore.ts';
import { notes, snapshotRows, type projects } from '#service/database/tables.ts';
import type { AdmittedItem } from './sanitizeRecords.ts';
import { BATCH, openBatch } from './batch.ts';
import type { BlocksItem } from './fileRecords.ts';
import { idsTaken, isTaken } from './freeIds.ts';
import { openModelStore } from './modelStore.ts';
import { openReception, type ImportChoice, type ReceptionDeps, type RecordStore } from './importContext.ts';
import { KINDS, type RecordOf, type TableKind } from './records.ts';
import { toRows } from './recordRows.ts';
import { hideProject, type HiddenProject } from './projectImportLeases.ts';
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

/** The rows of a snapshot: the sides of all, then the texts of edited ones, held until the last of them. */
function openFrozenRows({ add }: ReturnType<typeof openBatch>, toId: (id: string) => string) {
  let frozen: RecordOf<'frozen'> | null = null;
  let texts: (readonly [number, string])[] = [];
  let length = 0;
  return {
    begin(record: RecordOf<'frozen'>): void {
      [frozen, texts, length] = [record, [], 0];
    },
    addTexts(record: RecordOf<'frozen-texts'>): void {
      if (!frozen) throw refuseFile('wrong_order', 'A snapshot has edited rows, but not the sides of its rows.');
      length += record.texts.reduce((sum, [, text]) => sum + text.length, 0);
      if (length > HELD_TEXT)
        throw refuseFile('too_many_texts', 'A snapshot of the file has more edited rows than this studio can hold.');
      texts.push(...record.texts);
    },
    /** Stores those that are held. */
    async end(): Promise<void> {
      if (!frozen) return;
      const row = { snapshot_id: toId(frozen.snapshot_id), sides: frozen.sides };
      const edited = texts.length === 0 ? null : toBase64(JSON.stringify(texts));
      [frozen, texts] = [null, []];
      await add(snapshotRows, { ...row, edited });
    },
  };
}

/** All notes, held until the project is shown: a project that is removed takes no notes with it. */
function openHeldNotes() {
  const held: Row[] = [];
  let length = 0;
  return {
    add({ text }: RecordOf<'note'>, rows: readonly Row[]): void {
      length += text.length + 100;
      if (length > HELD_TEXT) throw refuseFile('too_many_notes', 'The file has more notes than this studio can hold.');
      held.push(...rows);
    },
    async save(transaction: Orm): Promise<void> {
      if (held.length === 0) return;
      if ((await transaction.$count(notes)) + held.length > NOTE_LIMITS.notes)
        throw refuseFile('too_many_notes', `A studio keeps ${NOTE_LIMITS.notes.toLocaleString('en')} notes at most.`);
      for (let at = 0; at < held.length; at += BATCH) {
        const rows = held.slice(at, at + BATCH) as (typeof notes.$inferInsert)[];
        const ids = rows.map(({ node_id }) => node_id);
        // What was noted of a project that had these ids, and is gone.
        await transaction.delete(notes).where(inArray(notes.node_id, ids));
        await transaction.insert(notes).values(rows);
        await rest();
      }
    },
  };
}

/** What an import throws to whoever sends the file. */
function toProblem(error: unknown): unknown {
  if (isTaken(error)) return idsTaken();
  return error instanceof LeaseLost ? importLost() : error;
}

export function openRecordStore(
  deps: ImportDeps & { readonly leases: Leases },
  choice: ImportChoice,
): RecordStore<ProjectImported> {
  const { database, dataDir, now, store = copyBlocks } = deps;
  const { orm } = database;
  let project: HiddenProject | null = null;
  let name = '';
  /** Throws LeaseLost. */
  const write: HeldLease['write'] = async (work) => {
    if (project === null) throw new LeaseLost();
    return project.write(work);
  };
  const batch = openBatch(write);
  const { admit, modelImport, toId, toResult } = openReception(deps, choice, openModelStore({ orm, dataDir, write }));
  const frozen = openFrozenRows(batch, toId);
  const heldNotes = openHeldNotes();
  const heldEvaluations = openEvaluationImport({
    write,
    toId,
    refuse: (message) => refuseFile('wrong_evaluation', message),
  });

  async function begin(record: RecordOf<'project'>): Promise<void> {
    const [row] = toRows(record, toId);
    project = await hideProject(deps, { ...row, imported_at: now() } as typeof projects.$inferInsert);
    name = record.name;
  }

  async function storeBlocks({ dataset_id, first, blocks }: BlocksItem): Promise<void> {
    await batch.flush();
    database.checkRoom?.();
    const given = [toId(dataset_id), first, blocks] as const;
    // An embedded database stores them in no transaction, and nobody else has it.
    if (database.copy) await store(database, ...given);
    else await write((transaction) => store({ ...database, orm: transaction }, ...given));
  }

  const toWholeRows = (item: RecordOf<TableKind>): Row[] =>
    toRows(item, toId).map((row) => Object.assign(row, toOwnColumns(item, row, project?.id ?? null)));

  /** Throws DiskFull unless a model's file of so many bytes has room in the data folder. */
  const checkFile = (bytes: number): void => {
    if (choice.hasModels) checkFreeDisk(dataDir, bytes);
  };

  async function takeOne(item: AdmittedItem): Promise<void> {
    if (item.kind !== 'frozen-texts') await frozen.end();
    if (item.kind === 'note') await heldEvaluations.end();
    switch (item.kind) {
      case 'manifest':
        database.checkRoom?.(item.rows * LEAST_ROW);
        return checkFile(item.model_bytes);
      case 'project':
        return begin(item);
      case 'blocks':
        return storeBlocks(item);
      case 'frozen':
        return frozen.begin(item);
      case 'frozen-texts':
        return frozen.addTexts(item);
      case 'file':
      case 'part':
        checkFile(item.kind === 'file' ? item.bytes : 0);
        return modelImport.take(item);
      case 'model':
      case 'file-end':
        await batch.flush();
        return modelImport.take(item);
      case 'evaluation':
      case 'evaluation-rows':
      case 'evaluation-version':
        await batch.flush();
        return heldEvaluations.take(item);
      case 'note':
        return heldNotes.add(item, toWholeRows(item));
      default:
        for (const row of toWholeRows(item)) await batch.add(KINDS[item.kind].table, row);
    }
  }

  return {
    async take(items) {
      try {
        await project?.assertHeld(orm);
        for await (const item of admit(items)) await takeOne(item);
      } catch (error) {
        throw toProblem(error);
      }
    },
    async finish() {
      if (project === null) throw importLost();
      try {
        await frozen.end();
        await heldEvaluations.end();
        await batch.flush();
        const found = await modelImport.finish();
        await project.show(heldNotes.save);
        return toResult(project.id, name, found);
      } catch (error) {
        throw toProblem(error);
      }
    },
    async remove() {
      // If the rest fails, the lease will be over, and the next sweep removes what is left.
      project?.stop();
      await modelImport.close();
      await project?.remove();
    },
  };
}
