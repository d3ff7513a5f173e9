import { useQuery, useQueryClient } from '@tanstack/react-query';
import { knownRootsQuery } from '#web/api/runRootsQuery.ts';
import { toNoteActions } from '#web/notes/noteActions.ts';
import { useNotes } from '#web/notes/useNotes.ts';
import type { RowMenuRequest } from '#web/tree/rowAction.ts';
import { useUrlState } from '#web/session/urlState.ts';
import { RowMenu } from '#web/tree/RowMenu.tsx';
import { nodeLabel } from '#shared/contract/projectReader.ts';
import { toBranchActions, toNodeActions } from './nodeActions.ts';
import { useDataActions } from '#web/app/data/useDataActions.ts';
import { useJobFactsOf } from './useJobFactsOf.ts';

/** The menu of a tree row, with this page's actions for its node. */
export function NodeMenu({ node, experiments, branch, place, onClose, findRow }: RowMenuRequest) {
  const jobFactsOf = useJobFactsOf(node);
  const client = useQueryClient();
  const { areKept } = useNotes();
  const { project } = useUrlState();
  const { data: roots } = useQuery(knownRootsQuery());
  const toDataActions = useDataActions();
  const actions = [
    ...toNodeActions(node, experiments, jobFactsOf, roots?.some(({ id }) => id === project) === true),
    ...(areKept ? toNoteActions(client, node) : []),
    ...toDataActions(node),
    ...toBranchActions(branch),
  ];
  return <RowMenu label={nodeLabel(node)} actions={actions} place={place} onClose={onClose} findRow={findRow} />;
}
