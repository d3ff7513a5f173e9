// Reads projects as the API shows them (SPEC 2.1, 4.1): one query per level, put together in memory.
// It must not know what else is recorded about them.
import { asc, eq, sql } from 'drizzle-orm';
import type { ExperimentStatus } from '../contract/statuses';
import type { DatasetNode, ExperimentNode, JobNode, ProjectNode, ProjectSummary, SnapshotNode } from '../contract/tree';
import type { Orm } from './database';
import { datasets, experiments, jobs, projects, snapshots, treeRevision } from './tables';

export async function listProjects(orm: Orm): Promise<ProjectSummary[]> {
  const rows = await orm.select().from(projects).orderBy(asc(projects.created_at), asc(projects.id));
  return rows.map(({ id, name, created_at }) => ({ id, name, created_at: created_at.toISOString() }));
}

type ExperimentTuple = readonly [
  id: string,
  label: string,
  status: ExperimentStatus,
  experiment_number: number,
  base_model_id: string,
  model_id: string | null,
];

/** A job's experiments in one JSON value: the embedded database hands over few large values 3x quicker than many rows. */
const experimentTuples = sql<readonly ExperimentTuple[]>`json_agg(
  json_build_array(${experiments.id}, ${experiments.label}, ${experiments.status}, ${experiments.experiment_number},
    ${experiments.base_model_id}, ${experiments.model_id}) order by ${experiments.experiment_number})`;

/** The rows of each level with their parents' ids, in the order of display. */
async function readLevels(orm: Orm, projectId: string) {
  const isOfProject = eq(datasets.project_id, projectId);
  const datasetRows = await orm.select().from(datasets).where(isOfProject).orderBy(asc(datasets.position));
  const snapshotRows = await orm
    .select({ node: snapshots })
    .from(snapshots)
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .where(isOfProject)
    .orderBy(asc(snapshots.position));
  const jobRows = await orm
    .select({ node: jobs })
    .from(jobs)
    .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .where(isOfProject)
    .orderBy(asc(jobs.position));
  const experimentRows = await orm
    .select({ job_id: experiments.job_id, tuples: experimentTuples })
    .from(experiments)
    .innerJoin(jobs, eq(experiments.job_id, jobs.id))
    .innerJoin(snapshots, eq(jobs.snapshot_id, snapshots.id))
    .innerJoin(datasets, eq(snapshots.dataset_id, datasets.id))
    .where(isOfProject)
    .groupBy(experiments.job_id);
  return {
    datasetRows,
    snapshotRows: snapshotRows.map((row) => row.node),
    jobRows: jobRows.map((row) => row.node),
    experimentRows,
  };
}

/** Nodes by their parent's id, in the order in which they came. */
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

type Levels = Awaited<ReturnType<typeof readLevels>>;

function toExperimentNode(tuple: ExperimentTuple): ExperimentNode {
  const [id, label, status, experiment_number, base_model_id, model_id] = tuple;
  const metadata = { id, experiment_number, base_model_id };
  // ASSUMED: model_id is absent until the experiment has succeeded (SPEC 2.1 shows no rule).
  const withModel = status === 'succeeded' && model_id !== null ? { ...metadata, model_id } : metadata;
  return { id, type: 'experiment', label, status, children: [], metadata: withModel };
}

function toDatasetNodes({ datasetRows, snapshotRows, jobRows, experimentRows }: Levels): DatasetNode[] {
  const experimentsOf = new Map(experimentRows.map((row) => [row.job_id, row.tuples.map(toExperimentNode)]));
  const jobsOf = groupNodes(jobRows, (row) => row.snapshot_id, ({ id, label, status, reasoning }): JobNode => {
    return { id, type: 'finetuning-job', label, status, children: experimentsOf.get(id) ?? [], metadata: { id, reasoning } };
  });
  const snapshotsOf = groupNodes(snapshotRows, (row) => row.dataset_id, (row): SnapshotNode => {
    const { id, label, training_count, validation_count, created_at } = row;
    const metadata = { id, training_count, validation_count, created_at: created_at.toISOString() };
    return { id, type: 'snapshot', label, children: jobsOf(id), metadata };
  });
  return datasetRows.map(({ id, label, status, datapoints_count }) => {
    return { id, type: 'dataset', label, status, children: snapshotsOf(id), metadata: { id, datapoints_count } };
  });
}

async function readProject(orm: Orm, projectId: string): Promise<ProjectNode | null> {
  const [project] = await orm.select().from(projects).where(eq(projects.id, projectId));
  if (!project) return null;
  return { id: project.id, type: 'project', name: project.name, children: toDatasetNodes(await readLevels(orm, projectId)) };
}

/** Trees kept in memory; a person looks at one or two. */
const KEPT = 4;

/**
 * A reader of whole trees; null when there is no such project. It gives the same object until some tree changes, in
 * this process or another, so polling costs one point read at any size. Callers must not change what they get.
 */
export function openProjectReader(orm: Orm): (projectId: string) => Promise<ProjectNode | null> {
  const kept = new Map<string, { readonly revision: number; readonly project: ProjectNode }>();
  return async (projectId) => {
    // Read before the tree: a change in between makes the next call read again, never a stale tree stay.
    const [row] = await orm.select().from(treeRevision);
    const revision = row?.number ?? -1;
    const known = kept.get(projectId);
    if (known?.revision === revision) return known.project;
    const project = await readProject(orm, projectId);
    kept.delete(projectId);
    if (project) kept.set(projectId, { revision, project });
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return project;
  };
}
