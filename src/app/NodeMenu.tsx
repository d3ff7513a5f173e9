import type { RowMenuRequest } from '../tree/rowAction';
import { RowMenu } from '../tree/RowMenu';
import { nodeLabel } from '../contract/projectReader';
import { toBranchActions, toNodeActions } from './nodeActions';

/** The menu of a tree row, with what this page can do with its node. */
export function NodeMenu({ node, experiments, branch, place, onClose, findRow }: RowMenuRequest) {
  const actions = [...toNodeActions(node, experiments), ...toBranchActions(branch)];
  return <RowMenu label={nodeLabel(node)} actions={actions} place={place} onClose={onClose} findRow={findRow} />;
}
