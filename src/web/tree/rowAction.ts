// What the menu of a row is asked for and what it offers, as plain data. The page around the tree decides what there
// is, so that the tree need not know what else is on the page.
import type { LucideIcon } from 'lucide-react';
import type { TreeNode } from '#shared/contract/projectReader.ts';

export interface RowAction {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly onSelect: () => void;
  /** Why it can't be done now; null when it can. */
  readonly disabledReason: string | null;
  /** It begins another group. */
  readonly isApart?: boolean;
}

/** The branch of a row: open or not, and its whole subtree at once. */
export interface BranchControl {
  readonly isOpen: boolean;
  readonly onExpand: () => void;
  readonly onCollapse: () => void;
}

export interface RowMenuRequest {
  readonly node: TreeNode;
  /** Those in the node's subtree, itself included, in tree order. */
  readonly experiments: readonly TreeNode[];
  /** null for a node without children. */
  readonly branch: BranchControl | null;
  /** Where it opens: viewport coordinates. */
  readonly place: DOMRect;
  readonly onClose: () => void;
  /** The row that has the focus back afterwards. */
  readonly findRow: () => HTMLElement | null;
}
