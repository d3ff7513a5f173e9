// The rows of the experiments table: the tree's experiments below a node, joined with the facts from their jobs. Pure.
import type { AnswerShape } from '#core/contract/answerShapes.ts';
import { toEmptyExperiment, type ReadJob, type ReadJobExperiment } from '#core/contract/jobReader.ts';
import {
  isStarred,
  isUnrecorded,
  nodeLabel,
  nodeTags,
  statusCause,
  type TreeNode,
} from '#core/contract/projectReader.ts';
import { numberOr, textOr } from '#core/contract/readJson.ts';
import { isActiveStatus } from '#core/contract/statuses.ts';
import { toExtraParameters, type ExtraParameter } from '#features/experiments/shared/extraParameters.ts';
import { toTrainingWord } from '#features/experiments/shared/trainingWords.ts';
import { toUniqueNames } from '#features/experiments/shared/uniqueNames.ts';
import { shortId } from '#ui/kit/format.ts';
import { findJobFacts, toExperimentFacts } from './experimentFacts.ts';

/** An experiment with the nodes above it; null where the tree has none of that kind. */
export interface ExperimentSource {
  readonly node: TreeNode;
  readonly job: TreeNode | null;
  readonly snapshot: TreeNode | null;
  readonly dataset: TreeNode | null;
}

/**
 * What the job says of the experiment, with what the tree says of it; null: not given. The tree comes first where both
 * say something.
 */
export interface ExperimentRow extends Omit<ReadJobExperiment, 'status' | 'base_model_id'> {
  readonly label: string;
  readonly is_starred: boolean;
  readonly tags: readonly string[];
  readonly status: string | null;
  readonly base_model_id: string | null;
  readonly job_id: string | null;
  readonly job: string | null;
  readonly snapshot: string | null;
  /** null also where the run wrote down no data: `dataset` says so. */
  readonly dataset_id: string | null;
  readonly dataset: string | null;
  readonly snapshot_id: string | null;
  /** All validation rows of its snapshot, also those that were not measured; null: not given. */
  readonly validation_count: number | null;
  /** What the answers of its snapshot are. */
  readonly answer_shape: AnswerShape | null;
  /** The measure that a person chose for its dataset. */
  readonly main_measure: string | null;
  /** The job's other fields by name. */
  readonly extras: ReadonlyMap<string, ExtraParameter>;
  /** Why its model can't be tried; null when it can. */
  readonly problem: string | null;
  /** The model to compare it with in the playground; null: `base_problem` says why there is none. */
  readonly tried_base: string | null;
  readonly base_problem: string | null;
  /** Its job was requested and has not answered yet. */
  readonly isPending: boolean;
  /** Its job was not requested, or could not be read: missing values may exist. */
  readonly isUnread: boolean;
}

type Above = Omit<ExperimentSource, 'node'>;

const NOTHING: Above = { job: null, snapshot: null, dataset: null };
const KINDS: Readonly<Record<string, keyof Above>> = {
  'finetuning-job': 'job',
  snapshot: 'snapshot',
  dataset: 'dataset',
};

function toAbove(above: Above, node: TreeNode): Above {
  const kind = Object.hasOwn(KINDS, node.type) ? KINDS[node.type] : undefined;
  return kind ? { ...above, [kind]: node } : above;
}

/**
 * All experiments in the subtree of the path's last node, itself included, in tree order. `path` starts at the
 * project.
 */
export function toSources(path: readonly TreeNode[]): readonly ExperimentSource[] {
  const found: ExperimentSource[] = [];
  const seen = new Set<string>();
  const walk = (node: TreeNode, above: Above): void => {
    // A repeated id would give two rows one checkbox: the first node counts, as in the tree.
    if (node.type === 'experiment' && !seen.has(node.id)) {
      seen.add(node.id);
      found.push({ node, ...above });
    }
    if (node.children.length === 0) return;
    const next = toAbove(above, node);
    for (const child of node.children) walk(child, next);
  };
  const root = path.at(-1);
  if (root) walk(root, path.slice(0, -1).reduce(toAbove, NOTHING));
  return found;
}

/** Names of rows in a plot, which shows no places beside them: unique and as short as possible. */
export function toPlotNames(rows: readonly ExperimentRow[]): ReadonlyMap<string, string> {
  return toUniqueNames(
    rows.map(({ id, label, dataset, job, snapshot, base_model_id, training_type }) => ({
      key: id,
      label,
      places: [dataset, job, snapshot, base_model_id, toTrainingWord(training_type)],
      mark: `id ${shortId(id)}`,
    })),
  );
}

/** The jobs of the sources, each once, in tree order. */
export function toJobIds(sources: readonly ExperimentSource[]): readonly string[] {
  return [...new Set(sources.flatMap(({ job }) => (job ? [job.id] : [])))];
}

/** The jobs that can still change: the job itself or one of its experiments is active. */
export function toActiveJobIds(sources: readonly ExperimentSource[]): ReadonlySet<string> {
  return new Set(
    sources.flatMap(({ node, job }) =>
      job && (isActiveStatus(job.status) || isActiveStatus(node.status)) ? [job.id] : [],
    ),
  );
}

const NOTHING_SAID = toEmptyExperiment('');
const NO_EXTRAS: ReadonlyMap<string, ExtraParameter> = new Map();

/** Names are unique: a name is the path to its value in the job's answer. */
const toExtras = ({ extra }: ReadJobExperiment): ReadonlyMap<string, ExtraParameter> =>
  new Map(toExtraParameters(extra).map((entry) => [entry.name, entry]));

const labelOf = (node: TreeNode | null): string | null => (node ? nodeLabel(node) : null);

function toRow(
  { node, job, snapshot, dataset }: ExperimentSource,
  answer: ReadJob | null,
  jobFacts: ReadJobExperiment | null,
  isPending: boolean,
  isUnread: boolean,
): ExperimentRow {
  const { status, baseModel, model, problem, triedBase, baseProblem } = toExperimentFacts(node, jobFacts);
  const said = jobFacts ?? NOTHING_SAID;
  return {
    ...said,
    id: node.id,
    label: nodeLabel(node),
    is_starred: isStarred(node),
    tags: nodeTags(node),
    status,
    status_cause: statusCause(node) ?? said.status_cause,
    job_id: job?.id ?? null,
    job: labelOf(job),
    snapshot: labelOf(snapshot),
    dataset_id: dataset && !isUnrecorded(dataset) ? dataset.id : null,
    dataset: labelOf(dataset),
    base_model_id: baseModel,
    training_type: said.training_type ?? textOr(node.metadata['training_type'], null),
    snapshot_id: snapshot?.id ?? null,
    validation_count: numberOr(snapshot?.metadata['validation_count'], null),
    answer_shape: answer?.answer_shape ?? null,
    main_measure: answer?.main_measure ?? null,
    extras: jobFacts ? toExtras(jobFacts) : NO_EXTRAS,
    model_id: model,
    failure: said.failure || textOr(node.metadata['failure'], null),
    problem,
    tried_base: triedBase,
    base_problem: baseProblem,
    isPending,
    isUnread,
  };
}

interface CachedRow {
  readonly source: ExperimentSource;
  readonly jobFacts: ReadJobExperiment | null;
  readonly measure: string;
  readonly isPending: boolean;
  readonly isUnread: boolean;
  readonly row: ExperimentRow;
}

const rowCache = new WeakMap<TreeNode, CachedRow>();

/**
 * One row per source. `jobs` holds the answers so far, null for a job that the service hides; `pending` holds the jobs
 * that were requested and have not answered. An unchanged experiment keeps its row's identity.
 */
export function toRows(
  sources: readonly ExperimentSource[],
  jobs: ReadonlyMap<string, ReadJob | null>,
  pending: ReadonlySet<string>,
): readonly ExperimentRow[] {
  return sources.map((source) => {
    const answer = source.job ? jobs.get(source.job.id) : undefined;
    const jobFacts = findJobFacts(answer ?? null, source.node.id);
    const isPending = jobFacts === null && source.job !== null && pending.has(source.job.id);
    const isUnread = source.job !== null && answer === undefined && !isPending;
    // What the job says of all its experiments.
    const measure = `${answer?.answer_shape ?? ''} ${answer?.main_measure ?? ''}`;
    const cached = rowCache.get(source.node);
    const isSame =
      cached?.jobFacts === jobFacts &&
      cached.measure === measure &&
      cached.isPending === isPending &&
      cached.isUnread === isUnread &&
      cached.source.job === source.job &&
      cached.source.snapshot === source.snapshot &&
      cached.source.dataset === source.dataset;
    if (isSame) return cached.row;
    const row = toRow(source, answer ?? null, jobFacts, isPending, isUnread);
    rowCache.set(source.node, { source, jobFacts, measure, isPending, isUnread, row });
    return row;
  });
}
