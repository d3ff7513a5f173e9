// Opens the room: removes what killed imports left, and sweeps what was deleted a day ago, now and every minute.
import { randomUUID } from 'node:crypto';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import type { NewDatapoint, NewSnapshot } from '#features/datasets/shared/contract/datasets.ts';
import type { FilteredForm } from '#features/datasets/shared/contract/filteredFile.ts';
import type { MarksRequest, RowsOf, WholeRow } from '#features/datasets/shared/contract/rows.ts';
import { toReason, type Database } from '#service/database/database.ts';
import { findTakenIds } from '#features/datasets/server/importing/nodeIds.ts';
import { readBlockPlaces, readGrams, readRows } from '#features/datasets/server/rows/rowStore.ts';
import type { RowViews } from '#features/datasets/server/modelView/modelViews.ts';
import { openAnalyses, type Analyses } from '#features/datasets/server/analysis/analyses.ts';
import { openComparisons } from '#features/datasets/server/snapshotCompare/compareSnapshots.ts';
import { openBlockIndexes } from './blockIndexes.ts';
import { DataProblem } from './dataProblem.ts';
import { addDatapoint, createProject, findDataset, findDatasetRecord, readBadLines } from './datasets.ts';
import { deleteNode, listDeleted, restoreNode, sweepDeleted } from './deletion.ts';
import { cancelImport, openImportLeases, removeImport } from '#features/datasets/server/importing/importLeases.ts';
import type { ImportDeps, ImportPlace } from '#features/datasets/server/importing/heldImport.ts';
import { openImport, type Import, type ImportSettings } from '#features/datasets/server/importing/openImport.ts';
import { changeMarks, readMarks } from './rowEdits.ts';
import { findFilteredRows, readFits, type RowFilterQuestion } from './rowDownload.ts';
import { readRowPage, type TableQuestion } from './rowTable.ts';
import { openGenerations, type Teacher } from '#features/datasets/server/synthetic/generations.ts';
import { openRowHashes } from './rowHashes.ts';
import { openRowsView } from './datasetRowSet.ts';
import { findNothingTrained, viewText } from './modelViewAnswers.ts';
import { findRowKinds, type RowKinds } from './rowKinds.ts';
import { createSnapshot, previewSplit } from './snapshots.ts';

export interface DataOptions extends ImportDeps {
  readonly views: RowViews;
  readonly onWarning: (text: string) => void;
  /** What writes rows; missing: nothing does. */
  readonly teacher?: Teacher;
}

const NO_TEACHER: Teacher = { find: async () => null, ask: () => Promise.reject(new Error('There is no teacher.')) };

const idTaken = (id: string): DataProblem =>
  new DataProblem(409, `The id ${id} is taken already. Choose another one.`, {
    param: 'dataset_id',
    code: 'dataset_exists',
  });

const SWEEP_MS = 60_000;

/** Throws DataProblem 404. */
async function readRow({ orm }: Database, analyses: Analyses, owner: RowsOf, position: number): Promise<WholeRow> {
  const view = await openRowsView(orm, owner);
  const range = { from: position, end: position + 1 };
  const [row] = position < view.end ? await readRows(orm, view.datasetId, range) : [];
  const side = row && view.sideOf(row);
  if (!row || side === undefined)
    throw new DataProblem(404, `There is no row at position ${position}.`, {
      param: 'position',
      code: 'row_not_found',
    });
  const mark = (await readMarks(orm, view.datasetId, range)).get(position);
  const text = view.textOf(row, mark);
  return {
    position,
    hash: text === row.text ? row.hash : (mark?.edited_hash ?? row.hash),
    side,
    row: JSON.parse(text) as Record<string, unknown>,
    original: row.original,
    before: text === row.text ? null : (JSON.parse(row.text) as Record<string, unknown>),
    is_set_aside: mark?.is_set_aside ?? false,
    tags: [...(mark?.tags ?? [])],
    findings: [...analyses.findingsOf(owner, position)],
  };
}

/** Throws DataProblem 429. A named token leaves room for others, however slowly its files come. */
function checkImporters(importers: readonly (string | null)[], who: string | null): void {
  const { imports } = DATA_LIMITS;
  const own = importers.filter((each) => each === who).length;
  const isFull = importers.length >= imports;
  if (!isFull && (who === null || own < imports - 1)) return;
  const count = isFull
    ? `The studio imports ${imports} files`
    : `This token imports ${own} files, and leaves room for others,`;
  throw new DataProblem(429, `${count} now. Send this one when one has ended.`, { code: 'too_many_imports' });
}

interface ImportStart {
  /** null: a new id. */
  readonly datasetId: string | null;
  /** null: not known before the file is sent. */
  readonly place: ImportPlace | null;
  readonly settings: ImportSettings;
  /** null: not known. */
  readonly fileName: string | null;
  /** Bytes of the upload. */
  readonly total: number | null;
  /** The name of the token; null: the owner's. */
  readonly who: string | null;
}

/** Datasets, their rows and snapshots for the service. */
export type Data = Awaited<ReturnType<typeof openData>>;

/** What it gives throws DataProblem for what can't be done, and DatabaseUnavailable. */
export async function openData(options: DataOptions) {
  const { database, views, now, onWarning } = options;
  const { orm, guard } = database;
  const running = new Map<string, Import>();
  /** Who imports now, once for each file, from before anything is waited for. */
  const importers: (string | null)[] = [];
  const analyses = openAnalyses(database, views);
  const comparisons = openComparisons(database);
  const indexOf = openBlockIndexes({
    readPlaces: (id) => readBlockPlaces(database, id),
    readGrams: (id, places) => readGrams(database, id, places),
  });
  const hashesOf = openRowHashes(database);

  const leases = openImportLeases(database);
  const generations = openGenerations({ ...options, leases }, options.teacher ?? NO_TEACHER);
  await leases.endFormer();
  async function tidy(): Promise<void> {
    await leases.endOver((id) => removeImport(database, id));
    await sweepDeleted(database, now());
  }
  await tidy();
  const timer = setInterval(() => {
    tidy().catch((error: unknown) => onWarning(`Deleted data could not be removed (${toReason(error)}).`));
  }, SWEEP_MS);
  timer.unref();

  const table = {
    database,
    indexOf,
    findingRows: analyses.rowsOf,
    otherOf: analyses.otherOf,
    tokensOf: analyses.tokensOf,
  };
  return {
    async createProject(name: string, goal: string | null): Promise<string> {
      const id = randomUUID();
      await guard(() => createProject(orm, { id, name, goal, created_at: now() }));
      return id;
    },
    findDataset: (id: string) => guard(() => findDataset(database, id, now())),
    listBadLines: (id: string) => guard(async () => readBadLines(await findDatasetRecord(orm, id))),
    async startImport({ datasetId, place, settings, fileName, total, who }: ImportStart): Promise<Import> {
      checkImporters(importers, who);
      importers.push(who);
      const leave = (): void => void importers.splice(importers.indexOf(who), 1);
      const id = datasetId ?? randomUUID();
      const open = async (): Promise<Import> => {
        if (datasetId !== null && (await guard(() => findTakenIds(orm, [id]))).length > 0) throw idTaken(id);
        return openImport({ ...options, leases }, id, { place, settings, fileName, total });
      };
      const started = await open().catch((error: unknown) => {
        leave();
        throw /duplicate key|unique/i.test(toReason(error)) ? idTaken(id) : error;
      });
      running.set(id, started);
      const forget = async <Value>(work: Promise<Value>): Promise<Value> =>
        work.finally(() => {
          if (running.delete(id)) leave();
        });
      return {
        ...started,
        finish: (...given) => forget(started.finish(...given)),
        cancel: () => forget(started.cancel()),
      };
    },
    generate: generations.start,
    async cancelImport(id: string): Promise<void> {
      const generation = generations.get(id);
      if (generation) return generation.cancel();
      if (await guard(() => cancelImport(orm, id))) return;
      await guard(() => findDatasetRecord(orm, id));
      throw new DataProblem(409, 'The import has ended already.', { param: 'datasetId', code: 'import_ended' });
    },
    /** Returns the row's position. */
    addDatapoint: (id: string, datapoint: NewDatapoint) => guard(() => addDatapoint(orm, id, datapoint, now())),
    previewSplit: (id: string, percentage: number) => previewSplit(orm, hashesOf, id, percentage),
    async createSnapshot(snapshot: NewSnapshot): Promise<string> {
      const id = randomUUID();
      await createSnapshot(orm, hashesOf, id, snapshot, now());
      return id;
    },
    compareSnapshots: comparisons.compare,
    readRows: (owner: RowsOf, question: TableQuestion, signal?: AbortSignal) =>
      guard(() => readRowPage(table, owner, question, signal)),
    findFilteredRows: (owner: RowsOf, question: RowFilterQuestion, form: FilteredForm) =>
      findFilteredRows(table, owner, question, form),
    readFits: (owner: RowsOf, question: RowFilterQuestion) => readFits(table, owner, question),
    readRow: (owner: RowsOf, position: number) => guard(() => readRow(database, analyses, owner, position)),
    /** The row as a base model sees it; `context` null: the model's own. */
    async viewRow(owner: RowsOf, position: number, model: string, context: number | null) {
      const { row } = await guard(() => readRow(database, analyses, owner, position));
      return viewText(views, model, JSON.stringify(row), context);
    },
    findNothingTrained: (id: string, model: string) => findNothingTrained(database, views, id, model),
    findRowKinds: (id: string, isEnough: (kinds: RowKinds) => boolean, most?: number) =>
      findRowKinds(database, id, isEnough, most),
    changeMarks: (id: string, request: MarksRequest) => guard(() => changeMarks(orm, id, request, now())),
    statistics: (owner: RowsOf, model: string | null, context: number | null, caller: string) =>
      guard(() => analyses.statistics(owner, model, context, caller)),
    findings: (owner: RowsOf, model: string | null, caller: string) =>
      guard(() => analyses.findings(owner, model, caller)),
    async deleteNode(id: string): Promise<void> {
      // A dataset that is being imported is not there yet: its import ends, and nothing of it can be restored.
      const own = running.get(id) ?? generations.get(id);
      await own?.cancel();
      const isEnding = await guard(() => cancelImport(orm, id));
      if (own === undefined && !isEnding) await guard(() => deleteNode(orm, id, now()));
    },
    restoreNode: (id: string) => guard(() => restoreNode(orm, id)),
    listDeleted: () => guard(() => listDeleted(orm)),
    async close(): Promise<void> {
      clearInterval(timer);
      await Promise.allSettled([generations.close(), ...[...running.values()].map((each) => each.cancel())]);
      await Promise.all([analyses.close(), comparisons.close(), views.close()]);
    },
  };
}
