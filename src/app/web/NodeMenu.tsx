import { useQueryClient } from '@tanstack/react-query';
import { useIsFolder } from './useIsFolder.ts';
import { toNoteActions } from '#features/notes/web/noteActions.ts';
import { useNotes } from '#features/notes/web/useNotes.ts';
import type { RowMenuRequest } from '#features/projects/web/rowAction.ts';
import { useReadOnlyReason } from '#ui/client/rights.ts';
import { useUrlState } from '#ui/address/urlState.ts';
import { RowMenu } from '#features/projects/web/RowMenu.tsx';
import { nodeLabel } from '#core/contract/projectReader.ts';
import { toBranchActions, toNodeActions } from './nodeActions.ts';
import { useDataActions } from '#app/web/data/useDataActions.ts';
import { useJobFactsOf } from './useJobFactsOf.ts';

/** The menu of a tree row, with this page's actions for its node. */
export function NodeMenu({ node, experiments, branch, place, onClose, findRow }: RowMenuRequest) {
  const jobFactsOf = useJobFactsOf(node);
  const client = useQueryClient();
  const { areKept } = useNotes();
  const readOnlyReason = useReadOnlyReason();
  const { project } = useUrlState();
  const isFolder = useIsFolder(project) === true;
  const toDataActions = useDataActions();
  const actions = [
    ...toNodeActions(node, experiments, jobFactsOf, isFolder),
    ...(areKept ? toNoteActions(client, node, readOnlyReason) : []),
    ...toDataActions(node),
    ...toBranchActions(branch),
  ];
  return <RowMenu label={nodeLabel(node)} actions={actions} place={place} onClose={onClose} findRow={findRow} />;
}
