// Reads a project as the records of its file, page by page: memory holds one block of rows, or one page of runs.
import { inflateRawSync } from 'node:zlib';
import { and, asc, eq, gt, inArray, isNull } from 'drizzle-orm';
import { readEvaluationItems } from '#features/evaluation/server/evaluationTransfer.ts';
import type { BadLine } from '#features/datasets/shared/contract/datasets.ts';
import { TRANSFER_FORMAT, TRANSFER_VERSION } from '#features/project-files/shared/transferFile.ts';
import type { Database } from '#service/database/database.ts';
import { found } from '#service/http/httpProblem.ts';
import type { PlacedRow } from '#features/datasets/server/rows/rowBlocks.ts';
import { readRowPage } from '#features/datasets/server/rows/rowStore.ts';
import { projects } from '#service/database/tables.ts';
import { readModelFiles, readModelRecords, type ModelFiles } from './exportModels.ts';
import { toEnded, toEndedReason } from './endedRuns.ts';
import { columnsOf, KINDS, placeOf, type RowOf, type TableKind, type TransferRecord } from './records.ts';
import { toRecord } from './recordRows.ts';

export interface ExportDeps {
  readonly database: Pick<Database, 'orm' | 'guard'>;
  readonly dataDir: string;
  readonly now: () => Date;
}

export interface ExportChoice {
  readonly hasModels: boolean;
}

type Records = AsyncGenerator<TransferRecord, void>;

/** Rows of a page of a table, rows in one record where it has many, and characters of texts in one record. */
const PAGE = 200;
const LIST_PAGE = 1000;
const RECORD_TEXT = 4 * 1024 * 1024;

/** Pages of the rows of a kind that belong to one of `parents` and were not deleted, in their order. */
async function* readPages<Kind extends TableKind>(
  { orm, guard }: ExportDeps['database'],
  kind: Kind,
  parents: readonly string[],
  field = placeOf(kind).parent?.field ?? 'id',
): AsyncGenerator<readonly RowOf<Kind>[], void> {
  const { order = 'id', list } = placeOf(kind);
  const { [field]: parent, [order]: key = parent, deleted_at } = columnsOf(kind);
  if (!parent || !key) return;
  const size = list === undefined ? PAGE : LIST_PAGE;
  for (let at = 0; at < parents.length; at += PAGE) {
    const isOurs = and(inArray(parent, parents.slice(at, at + PAGE)), deleted_at && isNull(deleted_at));
    for (let after: unknown = null; ;) {
      const isNext = after === null ? isOurs : and(isOurs, gt(key, after));
      const page = (await guard(async () =>
        orm.select().from(KINDS[kind].table).where(isNext).orderBy(asc(key)).limit(size),
      )) as RowOf<Kind>[];
      if (page.length > 0) yield page;
      if (page.length < size) break;
      after = (page.at(-1) as Readonly<Record<string, unknown>>)[key.name];
    }
  }
}

async function* readRows<Kind extends TableKind>(...given: Parameters<typeof readPages<Kind>>) {
  for await (const page of readPages<Kind>(...given)) yield* page;
}

/** Lists of what is not too long for one line. */
function* toParts<Item>(items: readonly Item[], lengthOf: (item: Item) => number): Generator<Item[], void> {
  let part: Item[] = [];
  let length = 0;
  for (const item of items) {
    part.push(item);
    length += lengthOf(item);
    if (length < RECORD_TEXT) continue;
    yield part;
    part = [];
    length = 0;
  }
  if (part.length > 0) yield part;
}

const toRow = ({ text, original, bucket }: PlacedRow) => ({
  text,
  ...(original !== null && { original }),
  ...(bucket !== null && { bucket }),
});

async function* readDataset(database: ExportDeps['database'], dataset: RowOf<'dataset'>): Records {
  const { id: dataset_id, bad_lines, datapoints_count: end } = dataset;
  const lines = bad_lines === null ? [] : inflate(bad_lines).split('\n');
  yield toRecord('dataset', [dataset], { bad_lines: lines.map((line) => JSON.parse(line) as BadLine) });
  for (let from = 0; from < end;) {
    const start = from;
    const { rows, next } = await database.guard(() => readRowPage(database.orm, dataset_id, { from: start, end }));
    from = next;
    for (const part of toParts(rows, ({ text, original }) => text.length + (original?.length ?? 0)))
      yield { kind: 'rows', dataset_id, first: part[0]?.position ?? start, rows: part.map(toRow) };
  }
  for await (const page of readPages(database, 'marks', [dataset_id])) {
    const marks = page.filter(({ position }) => position < end);
    if (marks.length > 0) yield toRecord('marks', marks);
  }
}

const inflate = (base64: string): string => inflateRawSync(Buffer.from(base64, 'base64')).toString();

async function* readSnapshot(database: ExportDeps['database'], snapshot: RowOf<'snapshot'>): Records {
  const { id: snapshot_id } = snapshot;
  yield toRecord('snapshot', [snapshot]);
  // One at a time: of a large dataset, each takes megabytes.
  for await (const frozen of readRows(database, 'frozen', [snapshot_id])) {
    yield toRecord('frozen', [frozen]);
    const pairs = frozen.edited === null ? [] : (JSON.parse(inflate(frozen.edited)) as [number, string][]);
    for (const texts of toParts(pairs, ([, text]) => text.length)) yield { kind: 'frozen-texts', snapshot_id, texts };
  }
  for await (const found of readRows(database, 'recommendation', [snapshot_id]))
    if (found.status !== 'processing') yield toRecord('recommendation', [found]);
}

async function* readTraining(database: ExportDeps['database'], id: string, known: ReadonlySet<string>): Records {
  for await (const training of readRows(database, 'training', [id])) {
    const { refinetune_from: source } = training;
    yield toRecord('training', [training], { refinetune_from: source !== null && known.has(source) ? source : null });
    for await (const points of readPages(database, 'points', [id])) yield toRecord('points', points);
    for (const kind of ['validation', 'checkpoint', 'log'] as const)
      for await (const row of readRows(database, kind, [id])) yield toRecord(kind, [row]);
  }
}

/** The project and its datasets: those that are being imported are left out. Throws HttpProblem 404. */
async function readTop({ orm, guard }: ExportDeps['database'], projectId: string) {
  const [project] = await guard(async () =>
    orm
      .select()
      .from(projects)
      .where(and(eq(projects.id, projectId), isNull(projects.deleted_at))),
  );
  const own: RowOf<'dataset'>[] = [];
  for await (const row of readRows({ orm, guard }, 'dataset', [projectId], 'project_id'))
    if (row.status !== 'processing') own.push(row);
  return { project: found(project ?? null, 'project', projectId), own };
}

export interface ProjectRecords {
  readonly name: string;
  readonly records: Records;
}

/** Each node only if that above it is in the file. */
async function* readAll(
  { database, now }: ExportDeps,
  { project, own }: Awaited<ReturnType<typeof readTop>>,
  files: ModelFiles,
): Records {
  const { id, name } = project;
  const ends = new Map(own.map((dataset) => [dataset.id, dataset.datapoints_count]));
  const [snapshotIds, jobIds, runIds]: [string[], string[], string[]] = [[], [], []];
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
  yield toRecord('project', [project]);
  for (const dataset of own) yield* readDataset(database, dataset);
  for await (const snapshot of readRows(database, 'snapshot', [...ends.keys()])) {
    // Made since, with more rows.
    if (snapshot.rows_end > (ends.get(snapshot.dataset_id) ?? -1)) continue;
    snapshotIds.push(snapshot.id);
    yield* readSnapshot(database, snapshot);
  }
  for await (const job of readRows(database, 'job', snapshotIds)) {
    jobIds.push(job.id);
    yield toRecord('job', [job], { status: toEnded(job.status) });
  }
  for await (const run of readRows(database, 'experiment', jobIds)) {
    runIds.push(run.id);
    const { status, failure } = run;
    yield toRecord('experiment', [run], { status: toEnded(status), failure: failure ?? toEndedReason(status) });
  }
  // After all runs, because one may go on from any other.
  const known = new Set(runIds);
  for (const runId of runIds) yield* readTraining(database, runId, known);
  yield* readModelRecords(files, known);
  yield* readEvaluationItems(database, id, ends);
  for await (const note of readRows(database, 'note', [id, ...ends.keys(), ...snapshotIds, ...jobIds, ...runIds]))
    yield toRecord('note', [note], { text: note.body });
}

/** The records of a project's file, but its last line. Throws HttpProblem 404. */
export async function readProject(
  deps: ExportDeps,
  projectId: string,
  { hasModels }: ExportChoice,
): Promise<ProjectRecords> {
  const top = await readTop(deps.database, projectId);
  const files = await readModelFiles(deps, projectId, hasModels);
  return { name: top.project.name, records: readAll(deps, top, files) };
}
