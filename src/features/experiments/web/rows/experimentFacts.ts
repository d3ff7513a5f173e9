// Whether an experiment's model can be tried, and which models a click opens. The tree's facts come first, then the
// job's. Pure.
import { UNKNOWN_MODEL, type ReadJob, type ReadJobExperiment } from '#core/contract/jobReader.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { isObject, textOr } from '#core/contract/readJson.ts';
import { isSucceeded, toStateWord } from '#core/contract/statuses.ts';
import { MAX_MODELS } from '#ui/address/urlState.ts';

export interface ExperimentFacts {
  readonly status: string | null;
  readonly baseModel: string | null;
  readonly model: string | null;
  /** Why its model can't be tried; null when it can. */
  readonly problem: string | null;
  /** The model to compare it with; null: see `baseProblem`. Of a run of a folder it is the one that it is served on. */
  readonly triedBase: string | null;
  /** Why its base can't be tried beside it, and what to do; null when it can. */
  readonly baseProblem: string | null;
}

/** Why a run of a folder has nothing to compare yet. */
export const NOT_SERVED = 'Its weights are not served yet: chat with this run first.';

/** The experiments of a job by id; made once per answer. */
const factsByJob = new WeakMap<ReadJob, ReadonlyMap<string, ReadJobExperiment>>();

/** The job's facts about the experiment; null if the job does not list it or has not answered. */
export function findJobFacts(job: ReadJob | null, id: string): ReadJobExperiment | null {
  if (job === null) return null;
  const byId = factsByJob.get(job) ?? new Map(job.experiments.map((experiment) => [experiment.id, experiment]));
  factsByJob.set(job, byId);
  return byId.get(id) ?? null;
}

function toProblem(status: string | null, model: string | null, isServed: boolean): string | null {
  if (!isServed && !isSucceeded(status))
    return (
      `Only a run that is done has a model to try. This run’s status: ${status === null ? 'unknown' : toStateWord(status)}.` +
      (status === 'running' ? ' Its checkpoints, if it saves any, can be tried under Detail.' : '')
    );
  return model === null ? 'The service names no model for this run.' : null;
}

const toNotServed = (baseModel: string | null): string =>
  `${baseModel === null ? 'The run records no base model' : `Its base model, ${baseModel}, is not served`}. ` +
  `Start the studio with --model NAME=FILE.gguf for its base, then serve the run on it.`;

/**
 * A model can be tried once its experiment has succeeded and names it (SPEC 2.1). `jobFacts`: null if the job was not
 * read or does not list the experiment.
 */
export function toExperimentFacts(node: TreeNode, jobFacts: ReadJobExperiment | null = null): ExperimentFacts {
  const model = textOr(node.metadata['model_id'], '') || jobFacts?.model_id || null;
  const named = textOr(node.metadata['base_model_id'], '') || jobFacts?.base_model_id;
  const baseModel = named === undefined || named === UNKNOWN_MODEL ? null : named;
  const status = node.status ?? jobFacts?.status ?? null;
  // Weights of a folder are served whatever became of their run.
  const served = isObject(node.metadata['served']) ? node.metadata['served'] : null;
  const problem = toProblem(status, model, served !== null);
  const triedBase = served ? textOr(served['base_model_id'], null) : baseModel;
  const noBase = served ? toNotServed(baseModel) : 'The service names no base model for this run.';
  const baseProblem = problem ?? (triedBase === null ? noBase : null);
  return { status, baseModel, model, problem, triedBase, baseProblem };
}

/** Whether the tree leaves out something that the job may give. */
export function isJobNeeded(node: TreeNode): boolean {
  const { status, baseModel, model } = toExperimentFacts(node);
  return status === null || (isSucceeded(status) && (model === null || baseModel === null));
}

/** Finds the facts that an experiment's job gives; null while the job is unread. */
export type JobFactsOf = (experiment: TreeNode) => ReadJobExperiment | null;

/** Model ids of the experiments that can be tried: each once, at most one per pane. */
export function toModels(experiments: readonly TreeNode[], jobFactsOf: JobFactsOf): readonly string[] {
  const models = experiments.flatMap((node) => {
    const { model, problem } = toExperimentFacts(node, jobFactsOf(node));
    return problem === null && model !== null ? [model] : [];
  });
  return [...new Set(models)].slice(0, MAX_MODELS);
}
