// The request for a row's menu, and its actions, as plain data. The page around the tree provides the actions, so the
// tree need not know other features.
import type { LucideIcon } from 'lucide-react';
import type { TreeNode } from '#core/contract/projectReader.ts';

export interface RowAction {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly onSelect: () => void;
  /** Why the action can't run now; null: it can. */
  readonly disabledReason: string | null;
  /** The action starts another group. */
  readonly isApart?: boolean;
}

/** The branch of a row: its state, and actions on its whole subtree. */
export interface BranchControl {
  readonly isOpen: boolean;
  readonly onExpand: () => void;
  readonly onCollapse: () => void;
}

export interface RowMenuRequest {
  readonly node: TreeNode;
  /** Experiments in the node's subtree, itself included, in tree order. */
  readonly experiments: readonly TreeNode[];
  /** null for a node without children. */
  readonly branch: BranchControl | null;
  /** Where the menu opens, in viewport coordinates. */
  readonly place: DOMRect;
  readonly onClose: () => void;
  /** The row that gets the focus back afterwards. */
  readonly findRow: () => HTMLElement | null;
}
