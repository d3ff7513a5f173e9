// Deletes nodes of the tree and brings them back. The service keeps what was deleted for a day.
import type { QueryClient } from '@tanstack/react-query';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { deleteNode, refreshTrees, restoreNode } from '#features/datasets/web/api/dataChanges.ts';
import { deletedQuery } from '#features/datasets/web/api/datasetQueries.ts';
import { SAME_ORIGIN, type Connection } from '#ui/client/request.ts';
import { readUrl, toProject, updateUrl } from '#ui/address/urlState.ts';
import { showToast } from '#ui/kit/toast.ts';
import { toErrorWords } from '#ui/client/failure.ts';

function tellFailure(what: string, error: unknown): void {
  const { detail, hint } = toErrorWords(error instanceof Error ? error : new Error(String(error)));
  showToast(`${what} ${detail} ${hint}`, { tone: 'error' });
}

/** Brings a node back, with all below it. False: it failed, and the page says why. */
export async function restoreWithNotice(
  client: QueryClient,
  { id, label }: { readonly id: string; readonly label: string },
  connection: Connection = SAME_ORIGIN,
): Promise<boolean> {
  try {
    await restoreNode(id, connection);
  } catch (error) {
    tellFailure(`${label} was not restored.`, error);
    return false;
  }
  await Promise.all([refreshTrees(client), client.invalidateQueries({ queryKey: deletedQuery().queryKey })]);
  showToast(`Restored ${label}.`, { tone: 'success' });
  return true;
}

/** Hides a node at once and offers to undo it. */
export async function deleteWithUndo(
  client: QueryClient,
  node: TreeNode,
  connection: Connection = SAME_ORIGIN,
): Promise<void> {
  const label = nodeLabel(node);
  try {
    await deleteNode(node.id, connection);
  } catch (error) {
    tellFailure(`${label} was not deleted.`, error);
    return;
  }
  const before = readUrl();
  // The list of projects first: the page opens the first of them.
  await refreshTrees(client);
  if (node.type === 'project' && readUrl().project === node.id) updateUrl(toProject(null));
  else if (readUrl().node === node.id) updateUrl({ node: null });
  const undo = async (): Promise<void> => {
    if (!(await restoreWithNotice(client, { id: node.id, label }, connection))) return;
    if (node.type === 'project') updateUrl(toProject(node.id));
    else if (before.node === node.id && readUrl().project === before.project) updateUrl({ node: node.id });
  };
  showToast(`Deleted ${label}. It can be restored for 24 hours.`, {
    action: { label: 'Undo', onSelect: () => void undo() },
  });
}
