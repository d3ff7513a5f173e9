// Runs with the models that serve their saved weights: in the tree, in jobs, in the run itself and for the engine.
import type { Job } from '#core/contract/job.ts';
import type { Run } from '#features/runs/shared/runs.ts';
import { toTreeChange, type ProjectNode } from '#core/contract/tree.ts';
import type { Runs } from '#features/runs/server/runs.ts';
import type { FoundCheckpoint } from './foundCheckpoint.ts';
import type { Serving } from './serving.ts';
import type { ServingState } from './servingState.ts';

/** Trees whose runs name their models, and the bases that are there to compare them with. */
const toServedTree = ({ byRun, findBase }: ServingState): ((project: ProjectNode) => ProjectNode) =>
  toTreeChange((node) => {
    if (node.type !== 'experiment') return node;
    const { model_id: own, base_model_id: base = null } = node.metadata;
    // A GGUF file of the folder is a model without being served: its base is one that has the recorded name.
    const found = byRun.get(node.id) ?? (own === undefined ? null : { model_id: own, base_model_id: findBase(base) });
    if (!found) return node;
    const { model_id, base_model_id } = found;
    return { ...node, metadata: { ...node.metadata, model_id, served: { base_model_id } } };
  });

function addToJob(job: Job, models: ServingState['byRun']): Job {
  if (!job.experiments.some(({ id }) => models.has(id))) return job;
  const experiments = job.experiments.map((experiment) => {
    const model = models.get(experiment.id);
    return model === undefined ? experiment : { ...experiment, model_id: model.model_id };
  });
  return { ...job, experiments };
}

/** The runs, whose weights `serving` serves. */
export function toServedRuns(runs: Runs, serving: Serving): Runs {
  let known: { readonly state: ServingState; readonly toTree: (project: ProjectNode) => ProjectNode } | null = null;
  return {
    ...runs,
    async findProject(id) {
      const project = await runs.findProject(id);
      if (!project) return null;
      const state = await serving.readState();
      if (known?.state !== state) known = { state, toTree: toServedTree(state) };
      return known.toTree(project);
    },
    async findJob(id) {
      const job = await runs.findJob(id);
      return job && addToJob(job, (await serving.readState()).byRun);
    },
    async findRun(id) {
      const run = await runs.findRun(id);
      if (!run) return null;
      const checkpoints = run.checkpoints.map(async (checkpoint) => {
        const found = checkpoint.model_id === null ? await serving.findServed(id, checkpoint.path) : null;
        return found ? { ...checkpoint, ...found } : checkpoint;
      });
      return { ...run, checkpoints: await Promise.all(checkpoints) };
    },
  };
}

const factOf = ({ facts }: Run, name: string): unknown => facts.find((fact) => fact.name === name)?.value ?? null;

/** The prefix of what trackers record of a model's configuration. */
const MODEL_CONFIG = 'model_config.';

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
    modelConfig: Object.fromEntries(
      run.parameters.flatMap(({ name, value }) =>
        name.startsWith(MODEL_CONFIG) ? [[name.slice(MODEL_CONFIG.length), value] as const] : [],
      ),
    ),
    isMlx: run.formats.length > 0 && run.formats.every((format) => format === 'mlx'),
    modelId: checkpoint.model_id,
  };
}
