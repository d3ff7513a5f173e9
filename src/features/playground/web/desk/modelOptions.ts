// What the model picker of a pane offers. Pure.
import type { ModelEntry } from '#core/contract/completion.ts';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { isSucceeded } from '#core/contract/statuses.ts';
import { parseTriedId, toExperimentKey } from '#features/training/shared/trainedModelIds.ts';

export interface ModelOption {
  readonly value: string;
  readonly label: string;
  readonly group: string;
  readonly hint: string;
  readonly short?: string;
  /** The model that it was trained from. */
  readonly base?: string;
}

export interface TunedModel {
  readonly modelId: string;
  readonly baseModelId: string | null;
  /** "Ticket triage: Experiment 2 · LoRA, First round" */
  readonly label: string;
  /** "Experiment 2 · LoRA · Ticket triage": for narrow places, so the distinguishing part comes first. */
  readonly short?: string;
}

interface NodePlace {
  readonly node: TreeNode;
  readonly parent: TreeNode | null;
  /** The dataset above. Job and experiment names repeat across datasets. */
  readonly dataset: TreeNode | null;
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** A model of a run that is training or was trained. */
export interface Checkpoint extends ModelOption {
  /** "Experiment 1 · full, step 338" */
  readonly short: string;
  readonly run: TreeNode;
  readonly step: number;
}

/** The experiments of a project in the order of the tree. */
function findExperiments(project: TreeNode | null): readonly NodePlace[] {
  const found: NodePlace[] = [];
  const open: NodePlace[] = project ? [{ node: project, parent: null, dataset: null }] : [];
  for (let entry = open.pop(); entry; entry = open.pop()) {
    const { node } = entry;
    const dataset = node.type === 'dataset' ? node : entry.dataset;
    if (node.type === 'experiment') found.push({ ...entry, dataset });
    for (const child of node.children.toReversed()) open.push({ node: child, parent: node, dataset });
  }
  return found;
}

const toPrefix = ({ dataset }: NodePlace): string => (dataset ? `${nodeLabel(dataset)}: ` : '');

/** Models of the project's succeeded experiments, in the order of the tree. */
export function toTunedModels(project: TreeNode | null): readonly TunedModel[] {
  return findExperiments(project).flatMap((place) => {
    const { node, parent, dataset } = place;
    const modelId = textOrNull(node.metadata['model_id']);
    if (!isSucceeded(node.status) || modelId === null) return [];
    const label = `${toPrefix(place)}${nodeLabel(node)}${parent ? `, ${nodeLabel(parent)}` : ''}`;
    const short = [node, dataset].flatMap((each) => (each ? [nodeLabel(each)] : [])).join(' · ');
    return [{ modelId, baseModelId: textOrNull(node.metadata['base_model_id']), label, short }];
  });
}

/** Finds what a model id is a checkpoint of; null: of no run of the project. The tree is read with the first checkpoint. */
export function openCheckpoints(project: TreeNode | null): (modelId: string) => Checkpoint | null {
  let known: ReadonlyMap<string, NodePlace> | null = null;
  return (modelId) => {
    const tried = parseTriedId(modelId);
    if (tried === null) return null;
    known ??= new Map(findExperiments(project).map((place) => [toExperimentKey(place.node.id), place]));
    const place = known.get(tried.experimentKey);
    if (!place) return null;
    const { node: run } = place;
    const { step } = tried;
    const short = `${nodeLabel(run)}, step ${step}`;
    const base = textOrNull(run.metadata['base_model_id']);
    return {
      value: modelId,
      label: `${toPrefix(place)}${short}`,
      group: 'Checkpoints',
      hint: modelId,
      short,
      ...(base !== null && { base }),
      run,
      step,
    };
  };
}

/** Fine-tuned models, their base models, checkpoints, then the other models of the service; each model once. */
export function toModelOptions(
  tuned: readonly TunedModel[],
  models: readonly ModelEntry[],
  findCheckpoint: (modelId: string) => Checkpoint | null = () => null,
): readonly ModelOption[] {
  const options = new Map<string, ModelOption>();
  const add = (value: string, label: string, group: string, more: Pick<ModelOption, 'short' | 'base'> = {}): void => {
    if (!options.has(value))
      options.set(value, { value, label, group, hint: label === value ? group : value, ...more });
  };
  for (const { modelId, baseModelId: base, label, short } of tuned)
    add(modelId, label, 'Fine-tuned models', { ...(short !== undefined && { short }), ...(base !== null && { base }) });
  for (const { baseModelId } of tuned) if (baseModelId !== null) add(baseModelId, baseModelId, 'Base models');
  for (const { id } of models) {
    const checkpoint = findCheckpoint(id);
    if (checkpoint && !options.has(id)) options.set(id, checkpoint);
  }
  for (const model of models) add(model.id, model.id, 'Other models of this service');
  return [...options.values()];
}

/**
 * `listed`: the service's list, empty or null if it gives none. A model that isn't listed may still run.
 */
export function isUnlisted(
  model: string,
  options: readonly ModelOption[],
  listed: readonly ModelEntry[] | null,
): boolean {
  return model.trim() !== '' && listed !== null && listed.length > 0 && !options.some(({ value }) => value === model);
}

/**
 * The model for a new pane. A partner of a shown model is its base model, or a model tuned from it. The last shown
 * model with a partner that isn't shown decides; else the last chosen model, else the first fine-tuned one.
 */
export function suggestModel(tuned: readonly TunedModel[], shown: readonly string[]): string {
  const partnersOf = (model: string): readonly (string | null)[] =>
    tuned.flatMap((entry) =>
      entry.modelId === model ? [entry.baseModelId] : entry.baseModelId === model ? [entry.modelId] : [],
    );
  const partner = shown
    .toReversed()
    .flatMap(partnersOf)
    .find((model) => model !== null && !shown.includes(model));
  return partner ?? shown.findLast((model) => model !== '') ?? tuned[0]?.modelId ?? '';
}
