// What the menu of a tree row and the palette offer to do with a node.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, Play, Trash2 } from 'lucide-react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { toReadOnlyReason } from '#ui/client/rights.ts';
import { sessionQuery } from '#ui/client/queries.ts';
import { useIsFolder } from '#app/web/useIsFolder.ts';
import { deleteWithUndo } from '#features/datasets/web/deletion.ts';
import { openDialog } from '#ui/commands/dialogs.ts';
import { useUrlState } from '#ui/address/urlState.ts';
import type { RowAction } from '#features/projects/web/rowAction.ts';

function toTrainingActions({ type, id }: TreeNode, disabledReason: string | null): readonly RowAction[] {
  if (type !== 'snapshot' && type !== 'finetuning-job') return [];
  const [label, of] =
    type === 'snapshot' ? (['Start training…', { snapshotId: id }] as const) : (['Run again…', { jobId: id }] as const);
  const onSelect = (): void => openDialog({ kind: 'start-training', ...of });
  return [{ label, Icon: Play, onSelect, disabledReason, isApart: true }];
}

const EXPORT: RowAction = {
  label: 'Export project…',
  Icon: Download,
  onSelect: () => openDialog({ kind: 'export-project' }),
  disabledReason: null,
  isApart: true,
};

/** Nothing for runs of folders, which are only read; of a remote studio what its API has. */
export function useDataActions(): (node: TreeNode) => readonly RowAction[] {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery());
  const { project } = useUrlState();
  const isFolder = useIsFolder(project) === true;
  const isLocal = session?.mode === 'local';
  const disabledReason = toReadOnlyReason(session);
  return (node) =>
    isFolder
      ? []
      : [
          ...toTrainingActions(node, disabledReason),
          ...(isLocal && node.type === 'project' ? [EXPORT] : []),
          ...(isLocal
            ? [
                {
                  label: 'Delete',
                  Icon: Trash2,
                  onSelect: () => void deleteWithUndo(client, node),
                  disabledReason,
                  isApart: true,
                },
              ]
            : []),
        ];
}
