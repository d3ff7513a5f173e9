// Reads projects as the API shows them (SPEC 2.1, 4.1): one query per level for the changed snapshots, joined in
// memory.
import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { isSucceeded, type ExperimentStatus } from '#core/contract/statuses.ts';
import {
  MAX_NODE_TEXT,
  type DatasetNode,
  type ExperimentNode,
  type JobNode,
  type ProjectNode,
  type ProjectSummary,
  type SnapshotNode,
} from '#core/contract/tree.ts';
import { shareReads } from '#engine/sharedRead.ts';
import type { Orm } from '#service/database/database.ts';
import { toOwnCause } from './statusCause.ts';
import {
  datasets,
  experiments,
  jobs,
  projects,
  snapshotMarks,
  snapshots,
  treeRevision,
} from '#service/database/tables.ts';

export async function listProjects(orm: Orm): Promise<ProjectSummary[]> {
  const rows = await orm
    .select()
    .from(projects)
    .where(isNull(projects.deleted_at))
    .orderBy(asc(projects.created_at), asc(projects.id));
  return rows.map(({ id, name, created_at }) => ({ id, name, created_at: created_at.toISOString() }));
}

type ExperimentTuple = readonly [
  id: string,
  label: string,
  status: ExperimentStatus,
  experiment_number: number,
  base_model_id: string,
  model_id: string | null,
  failure: string | null,
];

/**
 * A job's experiments in one JSON value: the embedded database returns few large values 3x quicker than many rows.
 */
const experimentTuples = sql<readonly ExperimentTuple[]>`json_agg(
  json_build_array(${experiments.id}, ${experiments.label}, ${experiments.status}, ${experiments.experiment_number},
    ${experiments.base_model_id}, ${experiments.model_id},
    case when ${experiments.status} = 'failed' then left(${experiments.failure}, ${sql.raw(String(MAX_NODE_TEXT))}) end) order by ${experiments.experiment_number})`;

type SnapshotRow = typeof snapshots.$inferSelect;

/** Datasets, and snapshots with the revision of the last change beneath them. */
async function readTop(orm: Orm, projectId: string) {
  const isOfProject = and(eq(datasets.project_id, projectId), isNull(datasets.deleted_at));
  const datasetRows = await orm.select().from(datasets).where(isOfProject).orderBy(asc(datasets.position));
  const snapshotRows = await orm
    .select({ row: snapshots, mark: snapshotMarks.revision })
    .from(snapshots)
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .leftJoin(snapshotMarks, eq(snapshotMarks.snapshot_id, snapshots.id))
    .where(and(isOfProject, isNull(snapshots.deleted_at)))
    .orderBy(asc(snapshots.position));
  return { datasetRows, snapshotRows };
}

/** A query for more snapshots than this reads the whole project instead of listing their ids. */
const MAX_LISTED_IDS = 200;

/** The jobs of some snapshots of a project, with their experiments, in the order of display. */
async function readJobs(
  orm: Orm,
  projectId: string,
  snapshotIds: readonly string[],
): Promise<(snapshotId: string) => JobNode[]> {
  if (snapshotIds.length === 0) return () => [];
  const isWanted =
    snapshotIds.length > MAX_LISTED_IDS ? eq(datasets.project_id, projectId) : inArray(snapshots.id, [...snapshotIds]);
  const jobRows = await orm
    .select({ node: jobs })
    .from(jobs)
    .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .where(and(isWanted, isNull(jobs.deleted_at)))
    .orderBy(asc(jobs.position));
  const experimentRows = await orm
    .select({ job_id: experiments.job_id, tuples: experimentTuples })
    .from(experiments)
    .innerJoin(jobs, eq(experiments.job_id, jobs.id))
    .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .where(and(isWanted, isNull(experiments.deleted_at)))
    .groupBy(experiments.job_id);
  const experimentsOf = new Map(experimentRows.map((row) => [row.job_id, row.tuples.map(toExperimentNode)]));
  return groupNodes(
    jobRows,
    ({ node }) => node.snapshot_id,
    ({ node: { id, label, status, reasoning } }): JobNode => {
      return {
        id,
        type: 'finetuning-job',
        label,
        status,
        children: experimentsOf.get(id) ?? [],
        metadata: { id, reasoning },
      };
    },
  );
}

/** Nodes by their parent's id, in the order of the rows. */
function groupNodes<Row, Node>(
  rows: readonly Row[],
  parentOf: (row: Row) => string,
  toNode: (row: Row) => Node,
): (parent: string) => Node[] {
  const groups = new Map<string, Node[]>();
  for (const row of rows) {
    const parent = parentOf(row);
    const group = groups.get(parent);
    if (group) group.push(toNode(row));
    else groups.set(parent, [toNode(row)]);
  }
  return (parent) => groups.get(parent) ?? [];
}

function toExperimentNode(tuple: ExperimentTuple): ExperimentNode {
  const [id, label, status, experiment_number, base_model_id, model_id, failure] = tuple;
  const cause = toOwnCause(status, failure);
  const metadata = {
    id,
    experiment_number,
    base_model_id,
    ...(cause && { status_cause: cause }),
    ...(failure === null ? {} : { failure }),
  };
  // ASSUMED: model_id is absent until the experiment has succeeded (SPEC 2.1 shows no rule).
  const withModel = isSucceeded(status) && model_id !== null ? { ...metadata, model_id } : metadata;
  return { id, type: 'experiment', label, status, children: [], metadata: withModel };
}

function toSnapshotNode(
  { id, label, training_count, validation_count, created_at }: SnapshotRow,
  children: JobNode[],
): SnapshotNode {
  const metadata = { id, training_count, validation_count, created_at: created_at.toISOString() };
  return { id, type: 'snapshot', label, children, metadata };
}

/** A snapshot that was read, with the mark and the row that show whether it has changed. */
interface KnownSnapshot {
  readonly mark: number | null;
  readonly row: SnapshotRow;
  readonly node: SnapshotNode;
}

interface KnownProject {
  readonly revision: number;
  readonly project: ProjectNode;
  readonly snapshots: ReadonlyMap<string, KnownSnapshot>;
}

const isSameRow = (a: SnapshotRow, b: SnapshotRow): boolean =>
  a.label === b.label &&
  a.training_count === b.training_count &&
  a.validation_count === b.validation_count &&
  a.created_at.getTime() === b.created_at.getTime();

/** Reads what has changed since `known`; an unchanged snapshot stays the same object. */
async function readProject(
  orm: Orm,
  projectId: string,
  revision: number,
  known?: KnownProject,
): Promise<KnownProject | null> {
  const [project] = await orm
    .select()
    .from(projects)
    .where(and(eq(projects.id, projectId), isNull(projects.deleted_at)));
  if (!project) return null;
  const { datasetRows, snapshotRows } = await readTop(orm, projectId);
  // Marks are read before the jobs that they stand for: a change in between is read now and again at the next call.
  const isKnown = (id: string, mark: number | null): boolean => known?.snapshots.get(id)?.mark === mark;
  const changed = snapshotRows.filter(({ row, mark }) => !isKnown(row.id, mark)).map(({ row }) => row.id);
  const jobsOf = await readJobs(orm, projectId, changed);
  const found = new Map<string, KnownSnapshot>();
  for (const { row, mark } of snapshotRows) {
    const last = isKnown(row.id, mark) ? known?.snapshots.get(row.id) : undefined;
    const isSame = last !== undefined && isSameRow(last.row, row);
    found.set(row.id, {
      mark,
      row,
      node: isSame ? last.node : toSnapshotNode(row, last?.node.children ?? jobsOf(row.id)),
    });
  }
  const snapshotsOf = groupNodes(
    [...found.values()],
    ({ row }) => row.dataset_id,
    ({ node }) => node,
  );
  const children = datasetRows.map(({ id, label, status, datapoints_count }): DatasetNode => {
    return { id, type: 'dataset', label, status, children: snapshotsOf(id), metadata: { id, datapoints_count } };
  });
  return { revision, project: { id: project.id, type: 'project', name: project.name, children }, snapshots: found };
}

/** How many trees are cached; a person looks at one or two. */
const MAX_CACHED = 4;

interface Reading {
  /** Readings are numbered from 1. */
  readonly number: number;
  readonly revision: number;
  readonly result: Promise<KnownProject | null>;
}

/**
 * A reader of whole trees; null when there is no such project. It returns the same object until some tree changes, in
 * this process or another, so polling costs one point read at any size. After a change it reads the changed snapshots,
 * once for all callers. Callers must not change the result.
 */
export function openProjectReader(orm: Orm): (projectId: string) => Promise<ProjectNode | null> {
  const cached = new Map<string, KnownProject>();
  const readings = new Map<string, Reading>();
  let started = 0;
  const readRevision = shareReads(async () => {
    const [row] = await orm.select().from(treeRevision);
    return row?.number ?? -1;
  });

  const begin = (projectId: string, revision: number): Reading => {
    started += 1;
    const result = readProject(orm, projectId, revision, cached.get(projectId)).then((read) => {
      cached.delete(projectId);
      if (read) cached.set(projectId, read);
      const [oldest] = cached.keys();
      if (cached.size > MAX_CACHED && oldest !== undefined) cached.delete(oldest);
      return read;
    });
    const reading = { number: started, revision, result };
    readings.set(projectId, reading);
    const end = (): void => void readings.delete(projectId);
    result.then(end, end);
    return reading;
  };

  return async (projectId) => {
    const before = started;
    for (;;) {
      // Read before the tree: after a change in between the next call reads again, so no stale tree stays.
      const revision = await readRevision();
      const known = cached.get(projectId);
      if (known?.revision === revision) return known.project;
      const running = readings.get(projectId) ?? begin(projectId, revision);
      // A reading that began after this call includes every change from before the call.
      const isFresh = running.revision === revision || running.number > before;
      const read = await running.result.catch((error: unknown) => {
        if (isFresh) throw error;
        return null;
      });
      if (isFresh) return read?.project ?? null;
    }
  };
}
