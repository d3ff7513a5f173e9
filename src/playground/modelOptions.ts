// What the model picker of a pane offers. Pure; it must not know how options are shown.
import type { ModelEntry } from '../contract/completion';
import { nodeLabel, type TreeNode } from '../contract/projectReader';

export interface ModelOption {
  readonly value: string;
  readonly label: string;
  readonly group: string;
  readonly hint: string;
}

export interface TunedModel {
  readonly modelId: string;
  readonly baseModelId: string | null;
  /** "Ticket triage: Experiment 2 · LoRA, First round" */
  readonly label: string;
}

interface Place {
  readonly node: TreeNode;
  readonly parent: TreeNode | null;
  /** The dataset above: job and experiment names repeat from one to the next. */
  readonly dataset: TreeNode | null;
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Models of the project's succeeded experiments, in the order of the tree. */
export function toTunedModels(project: TreeNode | null): readonly TunedModel[] {
  const found: TunedModel[] = [];
  const open: Place[] = project ? [{ node: project, parent: null, dataset: null }] : [];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const { node, parent } = entry;
    const dataset = node.type === 'dataset' ? node : entry.dataset;
    const modelId = textOrNull(node.metadata['model_id']);
    if (node.type === 'experiment' && node.status === 'succeeded' && modelId !== null) {
      const label = `${dataset ? `${nodeLabel(dataset)}: ` : ''}${nodeLabel(node)}${parent ? `, ${nodeLabel(parent)}` : ''}`;
      found.push({ modelId, baseModelId: textOrNull(node.metadata['base_model_id']), label });
    }
    for (const child of node.children.toReversed()) open.push({ node: child, parent: node, dataset });
  }
  return found;
}

/** Fine-tuned models, their base models, then whatever else the service lists; each model once. */
export function toModelOptions(tuned: readonly TunedModel[], models: readonly ModelEntry[]): readonly ModelOption[] {
  const options = new Map<string, ModelOption>();
  const add = (value: string, label: string, group: string): void => {
    if (!options.has(value)) options.set(value, { value, label, group, hint: label === value ? group : value });
  };
  for (const { modelId, label } of tuned) add(modelId, label, 'Fine-tuned models');
  for (const { baseModelId } of tuned) if (baseModelId !== null) add(baseModelId, baseModelId, 'Base models');
  for (const model of models) add(model.id, model.id, 'Other models of this service');
  return [...options.values()];
}

/** What a new pane starts with: the base model of what is shown, else a fine-tuned model that is not, else none. */
export function suggestModel(tuned: readonly TunedModel[], shown: readonly string[]): string {
  const bases = shown.map((model) => tuned.find((entry) => entry.modelId === model)?.baseModelId ?? null);
  const candidates = [...bases, ...tuned.map((entry) => entry.modelId)];
  return candidates.find((model) => model !== null && !shown.includes(model)) ?? '';
}
