// Which node is being renamed. Its dialog opens from the tree, whose menu is gone by then, and from the palette. Small:
// the first view has it.
import { create } from 'zustand';
import type { TreeNode } from '#core/contract/projectReader.ts';

const useStore = create<{ readonly node: TreeNode | null }>(() => ({ node: null }));

/** null: the dialog closes. */
export const rename = (node: TreeNode | null): void => useStore.setState({ node });

export const useRenamed = (): TreeNode | null => useStore(({ node }) => node);
