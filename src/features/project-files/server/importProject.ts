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
import {
  datasets,
  experiments,
  INCOMPLETE,
  jobs,
  notes,
  projects,
  recommendations,
  rowMarks,
  snapshotRows,
  snapshots,
} from '#service/database/tables.ts';
import {
  trainingCheckpoints,
  trainingLogs,
  trainingPoints,
  trainings,
  trainingValidations,
} from '#features/training/server/trainingTables.ts';
import type { AdmittedItem } from './admission.ts';
import { BATCH, openBatch } from './batch.ts';
import { idsTaken, isTaken } from './freeIds.ts';
import { openModelStore } from './modelStore.ts';
import { openReception, type ImportChoice, type ReceptionDeps, type RecordStore } from './reception.ts';
import type { RecordOf } from './records.ts';
import { endTransfer, removeEnded } from './transferTable.ts';
import { importLost, refuseFile } from './transferProblem.ts';

export interface ImportDeps extends ReceptionDeps {
  /** Stores blocks; tests put a full disk in its place. */
  readonly store?: typeof copyBlocks;
}

/** Bytes that the shortest rows take in the database, with what a search skips them by. */
const LEAST_ROW = 40;
/** Characters of edited rows of a snapshot, and of all notes: both are held until they are whole. */
const HELD_TEXT = 256 * 1024 * 1024;

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text));
const toNumber = (value: number | string | null): number | null => (value === null ? null : Number(value));

const toBase64 = (text: string): string => deflateRawSync(text).toString('base64');

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
  const heldNotes: RecordOf<'note'>[] = [];
  let heldText = 0;
  let projectId: string | null = null;
  let name = '';
  let frozen: { readonly snapshot_id: string; readonly sides: string; texts: (readonly [number, string])[] } | null =
    null;
  let frozenText = 0;
  async function begin({ id, name: given, goal, created_at }: RecordOf<'project'>): Promise<void> {
    const own = toId(id);
    name = given;
    const taken = await orm.transaction(async (transaction) => {
      await transaction
        .insert(projects)
        .values({ id: own, name, goal, created_at: new Date(created_at), imported_at: now(), deleted_at: INCOMPLETE });
      return leases.take(transaction, own);
    });
    if (taken === null) throw idsTaken();
    lease = leases.hold(taken);
    projectId = own;
  }

  async function addDataset(record: RecordOf<'dataset'>): Promise<void> {
    const { kind: _kind, bad_lines, created_at, ...fields } = record;
    await batch.add(datasets, {
      ...fields,
      id: toId(record.id),
      project_id: projectId,
      status: 'completed',
      bad_lines: bad_lines.length === 0 ? null : toBase64(bad_lines.map((line) => JSON.stringify(line)).join('\n')),
      created_at: new Date(created_at),
    });
  }

  async function storeBlocks(...given: [datasetId: string, first: number, blocks: readonly RowBlock[]]): Promise<void> {
    // An embedded database stores them in no transaction, and nobody else has it.
    if (database.copy) await store(database, ...given);
    else await write((transaction) => store({ ...database, orm: transaction }, ...given));
  }

  async function addMarks({ dataset_id, marks }: RecordOf<'marks'>): Promise<void> {
    for (const { edited, ...mark } of marks) {
      const edited_hash = edited === null ? null : toContentHash(edited);
      const row = { ...mark, dataset_id: toId(dataset_id), edited, edited_hash };
      await batch.add(rowMarks, row, edited?.length);
    }
  }

  async function endFrozen(): Promise<void> {
    if (!frozen) return;
    const { snapshot_id, sides, texts } = frozen;
    frozen = null;
    const edited = texts.length === 0 ? null : toBase64(JSON.stringify(texts));
    await batch.add(
      snapshotRows,
      { snapshot_id: toId(snapshot_id), sides, edited },
      sides.length + (edited?.length ?? 0),
    );
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
    heldNotes.push(note);
  }

  async function addPoints({ experiment_id, points }: RecordOf<'points'>): Promise<void> {
    for (const { step, at, ...figures } of points) {
      const values = Object.fromEntries(Object.entries(figures).map(([key, value]) => [key, toNumber(value)]));
      await batch.add(trainingPoints, { experiment_id: toId(experiment_id), step, at: new Date(at), ...values });
    }
  }

  async function addTraining({ kind: _kind, started_at, ended_at, ...record }: RecordOf<'training'>): Promise<void> {
    await batch.add(trainings, {
      ...record,
      experiment_id: toId(record.experiment_id),
      refinetune_from: record.refinetune_from && toId(record.refinetune_from),
      tokens_per_step: toNumber(record.tokens_per_step),
      started_at: toDate(started_at),
      ended_at: toDate(ended_at),
    });
  }

  async function addExperiment({ kind: _kind, created_at, ...record }: RecordOf<'experiment'>): Promise<void> {
    const row = {
      ...record,
      id: toId(record.id),
      job_id: toId(record.job_id),
      first_loss: toNumber(record.first_loss),
      last_loss: toNumber(record.last_loss),
      created_at: new Date(created_at),
    };
    await batch.add(experiments, row, (record.losses?.length ?? 0) * 20 + (record.failure?.length ?? 0));
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
      case 'dataset':
        return addDataset(item);
      case 'blocks':
        await batch.flush();
        database.checkRoom?.();
        return storeBlocks(toId(item.dataset_id), item.first, item.blocks);
      case 'marks':
        return addMarks(item);
      case 'snapshot': {
        const { kind: _kind, created_at, ...row } = item;
        const dataset_id = toId(row.dataset_id);
        return batch.add(snapshots, { ...row, id: toId(row.id), dataset_id, created_at: new Date(created_at) });
      }
      case 'frozen':
        frozen = { snapshot_id: item.snapshot_id, sides: item.sides, texts: [] };
        frozenText = 0;
        return;
      case 'frozen-texts':
        return addFrozenTexts(item);
      case 'recommendation': {
        const { kind: _kind, started_at, finished_at, ...row } = item;
        const dates = { started_at: new Date(started_at), finished_at: toDate(finished_at) };
        const job_id = randomUUID();
        return batch.add(recommendations, { ...row, snapshot_id: toId(row.snapshot_id), job_id, ...dates });
      }
      case 'job': {
        const { kind: _kind, created_at, ...row } = item;
        const snapshot_id = toId(row.snapshot_id);
        return batch.add(jobs, { ...row, id: toId(row.id), snapshot_id, created_at: new Date(created_at) });
      }
      case 'experiment':
        return addExperiment(item);
      case 'training':
        return addTraining(item);
      case 'points':
        return addPoints(item);
      case 'validation': {
        const { kind: _kind, experiment_id, at, loss, exact_match, ...row } = item;
        const figures = { loss: toNumber(loss), exact_match: toNumber(exact_match) };
        const length = row.answers.length * 200;
        const own = { ...row, ...figures, experiment_id: toId(experiment_id), at: new Date(at) };
        return batch.add(trainingValidations, own, length);
      }
      case 'checkpoint': {
        const { kind: _kind, experiment_id, at, ...row } = item;
        return batch.add(trainingCheckpoints, { ...row, experiment_id: toId(experiment_id), at: new Date(at) });
      }
      case 'log': {
        const { kind: _kind, experiment_id, starts_at, body } = item;
        return batch.add(trainingLogs, { experiment_id: toId(experiment_id), starts_at, body }, body.length);
      }
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
        return item satisfies never;
    }
  }

  async function saveNotes(transaction: Orm): Promise<void> {
    if (heldNotes.length === 0) return;
    if ((await transaction.$count(notes)) + heldNotes.length > NOTE_LIMITS.notes)
      throw refuseFile('too_many_notes', `A studio keeps ${NOTE_LIMITS.notes.toLocaleString('en')} notes at most.`);
    const rows = heldNotes.map(({ node_id, name: given, tags, is_starred, is_archived, text, updated_at }) => ({
      node_id: toId(node_id),
      name: given,
      tags,
      is_starred,
      is_archived,
      body: text,
      revision: 1,
      updated_at: new Date(updated_at),
    }));
    for (let at = 0; at < rows.length; at += BATCH) {
      const part = rows.slice(at, at + BATCH);
      // What was noted of a project that had these ids, and is gone.
      await transaction.delete(notes).where(
        inArray(
          notes.node_id,
          part.map(({ node_id }) => node_id),
        ),
      );
      await transaction.insert(notes).values(part);
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
