import type { RowMenuRequest } from '#web/tree/rowAction.ts';
import { RowMenu } from '#web/tree/RowMenu.tsx';
import { nodeLabel } from '#shared/contract/projectReader.ts';
import { toBranchActions, toNodeActions } from './nodeActions.ts';
import { useToldOf } from './useToldOf.ts';

/** The menu of a tree row, with what this page can do with its node. */
export function NodeMenu({ node, experiments, branch, place, onClose, findRow }: RowMenuRequest) {
  const toldOf = useToldOf(node);
  const actions = [...toNodeActions(node, experiments, toldOf), ...toBranchActions(branch)];
  return <RowMenu label={nodeLabel(node)} actions={actions} place={place} onClose={onClose} findRow={findRow} />;
}
