import type { TreeNode } from '#core/contract/projectReader.ts';
import { isObject, textOr } from '#core/contract/reading.ts';
import { openDialog } from '#ui/commands/dialogs.ts';
import { openInPlayground } from './layoutStore.ts';

/** The model that answers with the weights of a run of a folder; empty: none does yet. */
export const toServedModel = ({ metadata }: TreeNode): string =>
  isObject(metadata['served']) ? textOr(metadata['model_id'], '') : '';

/** Opens the model of a run of a folder, or the ways to serve its weights. */
export function chatWith(node: TreeNode): void {
  const model = toServedModel(node);
  if (model === '') openDialog({ kind: 'run-chat', runId: node.id });
  else openInPlayground([model]);
}
