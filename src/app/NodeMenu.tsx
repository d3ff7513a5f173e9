import type { RowMenuRequest } from '../tree/rowAction';
import { RowMenu } from '../tree/RowMenu';
import { nodeLabel } from '../contract/projectReader';
import { toBranchActions, toNodeActions } from './nodeActions';
import { useToldOf } from './useToldOf';

/** The menu of a tree row, with what this page can do with its node. */
export function NodeMenu({ node, experiments, branch, place, onClose, findRow }: RowMenuRequest) {
  const toldOf = useToldOf(node);
  const actions = [...toNodeActions(node, experiments, toldOf), ...toBranchActions(branch)];
  return <RowMenu label={nodeLabel(node)} actions={actions} place={place} onClose={onClose} findRow={findRow} />;
}
