// What the menu of a tree row and the palette offer to do with a node of the local studio.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, Play, Trash2 } from 'lucide-react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { sessionQuery } from '#ui/client/queries.ts';
import { knownRootsQuery } from '#features/runs/web/api/runRootsQuery.ts';
import { deleteWithUndo } from '#features/datasets/web/deletion.ts';
import { runCommand } from '#ui/commands/commands.ts';
import { startTraining } from '#ui/commands/trainingRequest.ts';
import { useUrlState } from '#ui/address/urlState.ts';
import type { RowAction } from '#features/projects/web/rowAction.ts';

function toTrainingActions({ type, id }: TreeNode): readonly RowAction[] {
  const request =
    type === 'snapshot'
      ? { label: 'Start training…', snapshotId: id, jobId: null }
      : type === 'finetuning-job'
        ? { label: 'Run again…', snapshotId: null, jobId: id }
        : null;
  if (request === null) return [];
  const { label, ...what } = request;
  return [{ label, Icon: Play, onSelect: () => startTraining(what), disabledReason: null, isApart: true }];
}

const EXPORT: RowAction = {
  label: 'Export project…',
  Icon: Download,
  onSelect: () => runCommand('export-project'),
  disabledReason: null,
  isApart: true,
};

/** Nothing for nodes of a remote studio, and for runs of folders, which are only read. */
export function useDataActions(): (node: TreeNode) => readonly RowAction[] {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery());
  const { data: roots } = useQuery(knownRootsQuery());
  const { project } = useUrlState();
  const isOwn = session?.mode === 'local' && !(roots ?? []).some(({ id }) => id === project);
  return (node) =>
    isOwn
      ? [
          ...toTrainingActions(node),
          ...(node.type === 'project' ? [EXPORT] : []),
          {
            label: 'Delete',
            Icon: Trash2,
            onSelect: () => void deleteWithUndo(client, node),
            disabledReason: null,
            isApart: true,
          },
        ]
      : [];
}
