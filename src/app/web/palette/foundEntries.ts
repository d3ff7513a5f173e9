// The models that the palette can open, each once, with the names that people know. Pure but for what an entry does.
import type { ModelEntry } from '#core/contract/completion.ts';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { ancestorPlaces } from '#features/projects/web/treeIndex/treePlaces.ts';
import type { TreeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import { addPane, type PaletteEntry } from './paletteEntry.ts';
import { openInPlayground, chatWith } from '#app/web/layout/layoutStore.ts';
import type { QueryClient } from '@tanstack/react-query';
import { toNoteActions } from '#features/notes/web/noteActions.ts';

/** "Experiment 2 · Ticket triage": the run that made a model, and its dataset. */
function toRunName(index: TreeIndex, at: number, node: TreeNode): string {
  const dataset = ancestorPlaces(index, at)
    .flatMap((place) => index.nodes[place] ?? [])
    .find(({ type }) => type === 'dataset');
  return dataset ? `${nodeLabel(node)} · ${nodeLabel(dataset)}` : nodeLabel(node);
}

/** Names by model id, for the models that the project's runs made. */
export function toModelNames(index: TreeIndex | null): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  index?.nodes.forEach((node, at) => {
    const model = node.metadata['model_id'];
    if (node.type === 'experiment' && typeof model === 'string' && !names.has(model))
      names.set(model, toRunName(index, at, node));
  });
  return names;
}

/** A model without a run in this project is named by its id. */
export function toModelEntries(
  models: readonly ModelEntry[],
  names: ReadonlyMap<string, string>,
): readonly PaletteEntry[] {
  return [...new Set(models.map(({ id }) => id))].map((id) => {
    const name = names.get(id);
    return {
      key: `model ${id}`,
      label: name ?? id,
      hint: name === undefined ? 'Open in playground' : id,
      onSelect: () => openInPlayground([id]),
      onAdd: () => addPane(id),
    };
  });
}

/** What can be done with the selected node of a folder of runs; nothing with one that is no run. */
export const toRunEntries = (node: TreeNode): readonly PaletteEntry[] =>
  node.type === 'experiment'
    ? [
        {
          key: 'chat with run',
          label: `Chat with run ${nodeLabel(node)}`,
          hint: 'Selected node',
          onSelect: () => chatWith(node),
        },
      ]
    : [];

/** What can be noted of the selected node. Only for who may change it: an entry has no reason. */
export const toNoteEntries = (client: QueryClient, node: TreeNode): readonly PaletteEntry[] =>
  toNoteActions(client, node, null).map(({ label, onSelect }) => ({
    key: `note ${label}`,
    label: `${label} ${nodeLabel(node)}`,
    hint: 'Selected node',
    onSelect,
  }));
