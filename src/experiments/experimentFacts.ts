// What can be done with an experiment node, and which models a click opens. Pure; it must not know tables.
import type { TreeNode } from '../contract/projectReader';
import { textOr } from '../contract/reading';
import { MAX_MODELS } from '../session/urlState';

export interface ExperimentFacts {
  readonly baseModel: string | null;
  readonly model: string | null;
  /** Why it can't be tried; null when it can. */
  readonly problem: string | null;
}

/** A model can be tried once its experiment has succeeded and named it (SPEC 2.1). */
export function toExperimentFacts(node: TreeNode): ExperimentFacts {
  const model = textOr(node.metadata['model_id'], null) || null;
  const baseModel = textOr(node.metadata['base_model_id'], null) || null;
  if (node.status !== 'succeeded') {
    return { baseModel, model, problem: `The experiment is ${node.status ?? 'in an unknown state'}; only a succeeded one has a model to try.` };
  }
  return { baseModel, model, problem: model === null ? 'The service names no model for this experiment.' : null };
}

/** Model ids of those experiments that can be tried, each once, as many as there are panes. */
export function toModels(experiments: readonly TreeNode[]): readonly string[] {
  const models = experiments.flatMap((node) => {
    const { model, problem } = toExperimentFacts(node);
    return problem === null && model !== null ? [model] : [];
  });
  return [...new Set(models)].slice(0, MAX_MODELS);
}
