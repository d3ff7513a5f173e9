// The project tree on the wire (SPEC 2.1, 4.1): strict schemas for what our service sends.
// projectReader.ts reads the trees of other services.
import * as z from 'zod/mini';
import { countSchema, statusCauseSchema, uuidSchema } from './schemas.ts';
import { DATASET_STATUSES, EXPERIMENT_STATUSES, JOB_STATUSES } from './statuses.ts';

/** A tree is read each second: of a long text it has the beginning. In UTF-16 units. */
export const MAX_NODE_TEXT = 500;

/** ASSUMED: not in SPEC. What people noted of a node; absent: nothing. The text of a note is read apart. */
const nodeNotes = {
  own_label: z.optional(z.string().check(z.describe('The label before a person gave the node another one.'))),
  tags: z.optional(z.array(z.string())),
  is_starred: z.optional(z.boolean()),
  is_archived: z.optional(z.boolean()),
  /** How the text of its note begins, so that a search in the tree finds it. */
  note: z.optional(z.string().check(z.maxLength(MAX_NODE_TEXT))),
};
const nodeNotesSchema = z.strictObject(nodeNotes);

export const experimentNodeSchema = z.strictObject({
  id: uuidSchema,
  type: z.literal('experiment'),
  label: z.string(),
  status: z.enum(EXPERIMENT_STATUSES),
  children: z.array(z.never()),
  metadata: z.strictObject({
    id: uuidSchema,
    experiment_number: z.int(),
    // ASSUMED: absent for a run of another trainer that doesn't name it.
    base_model_id: z.optional(z.string()),
    // ASSUMED: absent until the experiment has succeeded (prem-ts-sdk 0.18.1 types).
    model_id: z.optional(z.string()),
    status_cause: z.optional(statusCauseSchema),
    // ASSUMED: why a run failed, so that a search of the tree finds it.
    failure: z.optional(z.string().check(z.maxLength(MAX_NODE_TEXT))),
    // ASSUMED: a run of a folder whose weights answer as `model_id`. The base is the model to compare it with, where that
    // is served: the run's own name of its base may be a path of another machine.
    served: z.optional(z.strictObject({ base_model_id: z.nullable(z.string()) })),
    // ASSUMED: what its model reaches in the default evaluation of its dataset, with the 95 % interval.
    score: z.optional(
      z.strictObject({
        evaluation: z.string(),
        passed: countSchema,
        total: countSchema,
        rate: z.number(),
        low: z.number(),
        high: z.number(),
      }),
    ),
    ...nodeNotes,
  }),
});

export const jobNodeSchema = z.strictObject({
  id: uuidSchema,
  type: z.literal('finetuning-job'),
  label: z.string(),
  status: z.enum(JOB_STATUSES),
  children: z.array(experimentNodeSchema),
  metadata: z.strictObject({ id: uuidSchema, reasoning: z.boolean(), ...nodeNotes }),
});

export const snapshotNodeSchema = z.strictObject({
  id: uuidSchema,
  type: z.literal('snapshot'),
  label: z.string(),
  children: z.array(jobNodeSchema),
  metadata: z.strictObject({
    id: uuidSchema,
    // ASSUMED: absent for runs of other trainers, which don't write them down.
    training_count: z.optional(countSchema),
    validation_count: z.optional(countSchema),
    created_at: z.optional(z.string()),
    ...nodeNotes,
  }),
});

export const datasetNodeSchema = z.strictObject({
  id: uuidSchema,
  type: z.literal('dataset'),
  label: z.string(),
  status: z.enum(DATASET_STATUSES),
  children: z.array(snapshotNodeSchema),
  metadata: z.strictObject({
    id: uuidSchema,
    // ASSUMED: absent for the data of other trainers' runs, which don't write it down. Absent is unknown, 0 is none.
    datapoints_count: z.optional(countSchema),
    // ASSUMED: not in SPEC. A run of another trainer needs a place in the tree, whether its data is known or not.
    is_recorded: z.optional(
      z.literal(false).check(z.describe('This is no dataset: it holds the runs that wrote down no data.')),
    ),
    ...nodeNotes,
  }),
});

export const projectNodeSchema = z.strictObject({
  id: uuidSchema,
  type: z.literal('project'),
  name: z.string(),
  children: z.array(datasetNodeSchema),
});

/** SPEC 4.1: the whole answer of `GET /api/v1/public/projects/{projectId}`. */
export const projectResponseSchema = z.strictObject({ project: projectNodeSchema });

/** `GET /api/v1/public/projects`. ASSUMED: as in the hosted studio's SDK; not in SPEC, so a remote may lack it. */
export const projectListSchema = z.strictObject({
  projects: z.array(z.strictObject({ id: uuidSchema, name: z.string(), created_at: z.string() })),
});

export type NodeNotes = z.infer<typeof nodeNotesSchema>;
export type ExperimentNode = z.infer<typeof experimentNodeSchema>;
export type JobNode = z.infer<typeof jobNodeSchema>;
export type SnapshotNode = z.infer<typeof snapshotNodeSchema>;
export type DatasetNode = z.infer<typeof datasetNodeSchema>;
export type ProjectNode = z.infer<typeof projectNodeSchema>;
export type ProjectSummary = z.infer<typeof projectListSchema>['projects'][number];

type NodeBelowProject = DatasetNode | SnapshotNode | JobNode | ExperimentNode;
type AnyNode = ProjectNode | NodeBelowProject;

const toDataset = (node: AnyNode): DatasetNode | null => (node.type === 'dataset' ? node : null);

/**
 * Changes the nodes of trees, children first. `change` returns a node without a change as it is; `dataset`: the one above it. What has no change in its
 * subtree stays the same object, and the same node always becomes the same object, so that only changes are sent again.
 */
export function toTreeChange(
  change: <Node extends AnyNode>(node: Node, dataset: DatasetNode | null) => Node,
): (project: ProjectNode) => ProjectNode {
  const results = new WeakMap<object, object>();
  function changeFrom<Node extends AnyNode>(node: Node, above: DatasetNode | null): Node {
    const known = results.get(node) as Node | undefined;
    if (known) return known;
    const below: readonly NodeBelowProject[] = node.children;
    const dataset = toDataset(node) ?? above;
    const children = below.map((child) => changeFrom(child, dataset));
    const result = change(
      children.every((child, place) => child === below[place]) ? node : { ...node, children },
      dataset,
    );
    results.set(node, result);
    return result;
  }
  return (project) => changeFrom(project, null);
}
