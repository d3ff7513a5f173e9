// Reads a project as the records of its file, page by page: memory holds one block of rows, or one page of runs.
import { inflateRawSync } from 'node:zlib';
import { and, asc, eq, gt, isNull, ne, sql } from 'drizzle-orm';
import type { BadLine } from '#features/datasets/shared/contract/datasets.ts';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { TRANSFER_FORMAT, TRANSFER_VERSION } from '#features/project-files/shared/transferFile.ts';
import type { Database } from '#service/database/database.ts';
import type { PlacedRow } from '#features/datasets/server/rows/rowBlocks.ts';
import { readRowPage } from '#features/datasets/server/rows/rowStore.ts';
import {
  datasets,
  experiments,
  jobs,
  models,
  notes,
  notDeleted,
  projects,
  recommendations,
  rowMarks,
  snapshotRows,
  snapshots,
} from '#service/database/tables.ts';
import { readModelRecords, toModelFiles, type ModelFiles } from './exportModels.ts';
import { toEnded } from './endedRuns.ts';
import { readTraining, toExperimentRecord } from './exportRuns.ts';
import type { RecordOf, TransferRecord } from './records.ts';
import { TransferProblem } from './transferProblem.ts';

export interface ExportDeps {
  readonly database: Pick<Database, 'orm' | 'guard'>;
  readonly dataDir: string;
  readonly now: () => Date;
}

export interface ExportChoice {
  readonly hasModels: boolean;
}

type Records = AsyncGenerator<TransferRecord, void>;

/** Rows of a page of a table, and characters of rows in one record. */
const PAGE = 200;
const ROW_TEXT = 4 * 1024 * 1024;

const toMoment = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Nodes that were not deleted, nor anything above them, of one project. */
const isThere = (projectId: string) => {
  const tables = [experiments, jobs, snapshots, datasets];
  const own = eq(datasets.project_id, projectId);
  const above = (count: number) => and(own, notDeleted(...tables.slice(-count)));
  return { datasets: above(1), snapshots: above(2), jobs: above(3), experiments: above(4) };
};

/** Pages of what `read` gives, each of which begins after the last id of the one before. */
async function* readPages<Row>(
  { guard }: ExportDeps['database'],
  read: (after: string | null) => Promise<readonly Row[]>,
  idOf: (row: Row) => string,
): AsyncGenerator<readonly Row[], void> {
  for (let after: string | null = null; ;) {
    const from: string | null = after;
    const page = await guard(() => read(from));
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    if (page.length < PAGE) return;
    after = idOf(last);
  }
}

const isAfter = (column: PgColumn, after: string | null) => (after === null ? undefined : gt(column, after));

/** Rows in records whose lines are not too long. */
function* toRowRecords(dataset_id: string, rows: readonly PlacedRow[]): Generator<RecordOf<'rows'>, void> {
  let record: RecordOf<'rows'> | null = null;
  let length = 0;
  for (const { position, text, original, bucket } of rows) {
    record ??= { kind: 'rows', dataset_id, first: position, rows: [] };
    record.rows.push({ text, ...(original !== null && { original }), ...(bucket !== null && { bucket }) });
    length += text.length + (original?.length ?? 0);
    if (length < ROW_TEXT) continue;
    yield record;
    record = null;
    length = 0;
  }
  if (record) yield record;
}

async function* readDatasetRows({ orm, guard }: ExportDeps['database'], id: string, end: number): Records {
  for (let from = 0; from < end;) {
    const start = from;
    const { rows, next } = await guard(() => readRowPage(orm, id, { from: start, end }));
    from = next;
    yield* toRowRecords(id, rows);
  }
  for (let after = -1; ;) {
    const from = after;
    const page = await guard(async () =>
      orm
        .select()
        .from(rowMarks)
        .where(and(eq(rowMarks.dataset_id, id), gt(rowMarks.position, from), sql`${rowMarks.position} < ${end}`))
        .orderBy(asc(rowMarks.position))
        .limit(PAGE),
    );
    const marks = page.map(({ position, is_set_aside, tags, edited }) => ({ position, is_set_aside, tags, edited }));
    if (marks.length > 0) yield { kind: 'marks', dataset_id: id, marks };
    if (page.length < PAGE) return;
    after = page.at(-1)?.position ?? end;
  }
}

const toBadLines = (text: string | null): BadLine[] =>
  text === null
    ? []
    : inflateRawSync(Buffer.from(text, 'base64'))
        .toString('utf8')
        .split('\n')
        .map((line) => JSON.parse(line) as BadLine);

type DatasetRow = typeof datasets.$inferSelect;

const toDatasetRecord = (row: DatasetRow): RecordOf<'dataset'> => ({
  kind: 'dataset',
  id: row.id,
  position: row.position,
  label: row.label,
  datapoints_count: row.datapoints_count,
  main_measure: row.main_measure,
  form: row.form,
  digest: row.digest,
  bad_line_count: row.bad_line_count,
  bad_lines: toBadLines(row.bad_lines),
  created_at: row.created_at.toISOString(),
});

function* toFrozenRecords({ snapshot_id, sides, edited }: typeof snapshotRows.$inferSelect) {
  yield { kind: 'frozen', snapshot_id, sides } as const;
  if (edited === null) return;
  const pairs = JSON.parse(inflateRawSync(Buffer.from(edited, 'base64')).toString()) as [number, string][];
  let texts: [number, string][] = [];
  let length = 0;
  for (const [at, pair] of pairs.entries()) {
    texts.push(pair);
    length += pair[1].length;
    if (length < ROW_TEXT && at < pairs.length - 1) continue;
    yield { kind: 'frozen-texts', snapshot_id, texts } as const;
    texts = [];
    length = 0;
  }
}

type Tell = ReturnType<typeof isThere>;

/** `ends`: how many rows each dataset of the file has. Snapshots that were made since are left out. */
async function* readSnapshots(
  { orm, ...database }: ExportDeps['database'],
  there: Tell,
  ends: ReadonlyMap<string, number>,
  known: Set<string>,
): Records {
  const read = async (after: string | null) =>
    orm
      .select({ row: snapshots, found: recommendations })
      .from(snapshots)
      .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
      .leftJoin(recommendations, eq(recommendations.snapshot_id, snapshots.id))
      .where(and(there.snapshots, isAfter(snapshots.id, after)))
      .orderBy(asc(snapshots.id))
      .limit(PAGE);
  for await (const page of readPages({ orm, ...database }, read, ({ row }) => row.id)) {
    for (const { row, found } of page) {
      const { deleted_at: _gone, created_at, ...fields } = row;
      if (row.rows_end > (ends.get(row.dataset_id) ?? -1)) continue;
      known.add(row.id);
      yield { kind: 'snapshot', ...fields, created_at: created_at.toISOString() };
      // One at a time: of a large dataset, each takes megabytes.
      const [frozen] = await database.guard(async () =>
        orm.select().from(snapshotRows).where(eq(snapshotRows.snapshot_id, row.id)),
      );
      if (frozen) yield* toFrozenRecords(frozen);
      if (!found || found.status === 'processing') continue;
      const { snapshot_id, status, attempts, error, body, started_at, finished_at } = found;
      yield {
        kind: 'recommendation',
        snapshot_id,
        status,
        attempts,
        error,
        body,
        started_at: started_at.toISOString(),
        finished_at: toMoment(finished_at),
      };
    }
  }
}

async function* readJobs(
  { orm, ...database }: ExportDeps['database'],
  there: Tell,
  snapshotIds: ReadonlySet<string>,
  known: Set<string>,
): Records {
  const read = async (after: string | null) =>
    orm
      .select({ row: jobs })
      .from(jobs)
      .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
      .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
      .where(and(there.jobs, isAfter(jobs.id, after)))
      .orderBy(asc(jobs.id))
      .limit(PAGE);
  for await (const page of readPages({ orm, ...database }, read, ({ row }) => row.id)) {
    for (const { row } of page) {
      const { deleted_at: _gone, created_at, status, ...fields } = row;
      if (!snapshotIds.has(row.snapshot_id)) continue;
      known.add(row.id);
      yield { kind: 'job', ...fields, status: toEnded(status), created_at: created_at.toISOString() };
    }
  }
}

async function* readExperiments(
  { orm, ...database }: ExportDeps['database'],
  there: Tell,
  jobIds: ReadonlySet<string>,
  known: Set<string>,
): Records {
  const read = async (after: string | null) =>
    orm
      .select({ row: experiments })
      .from(experiments)
      .innerJoin(jobs, eq(experiments.job_id, jobs.id))
      .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
      .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
      .where(and(there.experiments, isAfter(experiments.id, after)))
      .orderBy(asc(experiments.id))
      .limit(PAGE);
  for await (const page of readPages({ orm, ...database }, read, ({ row }) => row.id)) {
    for (const { row } of page) {
      if (!jobIds.has(row.job_id)) continue;
      known.add(row.id);
      yield toExperimentRecord(row);
    }
  }
}

async function* readNotes({ orm, guard }: ExportDeps['database'], known: ReadonlySet<string>): Records {
  const read = async (after: string | null) =>
    orm.select().from(notes).where(isAfter(notes.node_id, after)).orderBy(asc(notes.node_id)).limit(PAGE);
  for await (const page of readPages({ orm, guard }, read, ({ node_id }) => node_id)) {
    for (const { node_id, name, tags, is_starred, is_archived, body, updated_at } of page) {
      if (!known.has(node_id)) continue;
      const fields = { node_id, name, tags, is_starred, is_archived, text: body };
      yield { kind: 'note', ...fields, updated_at: updated_at.toISOString() };
    }
  }
}

/** The project and its datasets: those that are being imported are left out. */
async function readTop({ orm, guard }: ExportDeps['database'], projectId: string) {
  const [project] = await guard(async () =>
    orm
      .select()
      .from(projects)
      .where(and(eq(projects.id, projectId), isNull(projects.deleted_at))),
  );
  if (!project)
    throw new TransferProblem(
      404,
      'project_not_found',
      `There is no project ${projectId} in this studio. Check the id.`,
      { param: 'projectId' },
    );
  const own = await guard(async () =>
    orm
      .select()
      .from(datasets)
      .where(and(isThere(projectId).datasets, ne(datasets.status, 'processing')))
      .orderBy(asc(datasets.id)),
  );
  return { project, own };
}

export interface ProjectRecords {
  readonly name: string;
  readonly records: Records;
}

async function* readAll(
  { database, now }: ExportDeps,
  { project, own }: Awaited<ReturnType<typeof readTop>>,
  files: ModelFiles,
): Records {
  const there = isThere(project.id);
  const ends = new Map(own.map(({ id, datapoints_count }) => [id, datapoints_count]));
  const ids = { snapshots: new Set<string>(), jobs: new Set<string>(), experiments: new Set<string>() };
  const { id, name, goal, created_at } = project;
  yield {
    kind: 'manifest',
    format: TRANSFER_FORMAT,
    version: TRANSFER_VERSION,
    exported_at: now().toISOString(),
    project_id: id,
    name,
    rows: own.reduce((sum, { datapoints_count }) => sum + datapoints_count, 0),
    model_bytes: files.bytes,
  };
  yield { kind: 'project', id, name, goal, created_at: created_at.toISOString() };
  for (const dataset of own) {
    yield toDatasetRecord(dataset);
    yield* readDatasetRows(database, dataset.id, dataset.datapoints_count);
  }
  yield* readSnapshots(database, there, ends, ids.snapshots);
  yield* readJobs(database, there, ids.snapshots, ids.jobs);
  yield* readExperiments(database, there, ids.jobs, ids.experiments);
  // After all runs, because one may go on from any other.
  for (const experimentId of ids.experiments) yield* readTraining(database, experimentId, ids.experiments);
  yield* readModelRecords(files, ids.experiments);
  const known = new Set([id, ...ends.keys(), ...ids.snapshots, ...ids.jobs, ...ids.experiments]);
  yield* readNotes(database, known);
}

/** The records of a project's file, but its last line. Throws TransferProblem 404. */
export async function readProject(
  deps: ExportDeps,
  projectId: string,
  { hasModels }: ExportChoice,
): Promise<ProjectRecords> {
  const { orm, guard } = deps.database;
  const top = await readTop(deps.database, projectId);
  const rows = await guard(async () =>
    orm
      .select({ model: models, base: experiments.base_model_id })
      .from(models)
      .innerJoin(experiments, eq(models.experiment_id, experiments.id))
      .innerJoin(jobs, eq(experiments.job_id, jobs.id))
      .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
      .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
      .where(isThere(projectId).experiments)
      .orderBy(asc(models.position), asc(models.id)),
  );
  const files = await toModelFiles(rows, { dataDir: deps.dataDir, hasModels });
  return { name: top.project.name, records: readAll(deps, top, files) };
}
