// Runs with the models that serve their saved weights: in the tree, in jobs, in the run itself and for the engine.
import type { Job } from '#shared/contract/job.ts';
import type { Run } from '#shared/contract/runs.ts';
import { toTreeChange, type ProjectNode } from '#shared/contract/tree.ts';
import type { Runs } from '#server/runs/runs.ts';
import type { FoundCheckpoint, Serving } from './serving.ts';

/** Trees whose runs name their models. */
function toServedTree(models: ReadonlyMap<string, string>): (project: ProjectNode) => ProjectNode {
  if (models.size === 0) return (project) => project;
  return toTreeChange((node) => {
    const model = models.get(node.id);
    return node.type !== 'experiment' || model === undefined
      ? node
      : { ...node, metadata: { ...node.metadata, model_id: model } };
  });
}

function addToJob(job: Job, models: ReadonlyMap<string, string>): Job {
  if (!job.experiments.some(({ id }) => models.has(id))) return job;
  const experiments = job.experiments.map((experiment) => {
    const model = models.get(experiment.id);
    return model === undefined ? experiment : { ...experiment, model_id: model };
  });
  return { ...job, experiments };
}

/** The runs, whose weights `serving` serves. */
export function toServedRuns(runs: Runs, serving: Serving): Runs {
  let models = serving.models();
  let toTree = toServedTree(models);
  const read = (): ReadonlyMap<string, string> => {
    if (serving.models() !== models) {
      models = serving.models();
      toTree = toServedTree(models);
    }
    return models;
  };
  return {
    ...runs,
    async findProject(id) {
      const project = await runs.findProject(id);
      read();
      return project && toTree(project);
    },
    async findJob(id) {
      const job = await runs.findJob(id);
      return job && addToJob(job, read());
    },
    async findRun(id) {
      const run = await runs.findRun(id);
      if (!run) return null;
      const checkpoints = run.checkpoints.map(async (checkpoint) => {
        const model = checkpoint.model_id === null ? serving.findModel(id, checkpoint.path) : null;
        const served = model === null ? null : await serving.findServed(id, checkpoint.path);
        return served ? { ...checkpoint, model_id: model, served } : checkpoint;
      });
      return { ...run, checkpoints: await Promise.all(checkpoints) };
    },
  };
}

const factOf = ({ facts }: Run, name: string): unknown => facts.find((fact) => fact.name === name)?.value ?? null;

/** The checkpoint of a run at a path below its root; null: there is none. */
export async function findCheckpoint(runs: Runs, runId: string, path: string): Promise<FoundCheckpoint | null> {
  const run = await runs.findRun(runId);
  const checkpoint = run?.checkpoints.find((each) => each.path === path);
  const root = run && (await runs.listRoots()).find(({ id }) => id === run.root_id);
  if (!run || !checkpoint || !root) return null;
  const base = factOf(run, 'base_model');
  const rank = factOf(run, 'lora_rank');
  return {
    runId,
    runLabel: run.label,
    root: root.path,
    path,
    kind: checkpoint.kind,
    step: checkpoint.step,
    isComplete: checkpoint.is_complete,
    baseModel: typeof base === 'string' ? base : null,
    rank: typeof rank === 'number' ? rank : null,
    isMlx: run.formats.length > 0 && run.formats.every((format) => format === 'mlx'),
    modelId: checkpoint.model_id,
  };
}
