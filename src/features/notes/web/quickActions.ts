// The changes of a note that a menu offers, with what is said of each.
import type { QueryClient } from '@tanstack/react-query';
import { nodeLabel, ownLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { patchNote } from './changeNote.ts';

export const switchStar = (client: QueryClient, node: TreeNode, is_starred: boolean): Promise<void> =>
  patchNote(client, node.id, { is_starred }, `${is_starred ? 'Starred' : 'Unstarred'} ${nodeLabel(node)}.`);

export const switchArchive = (client: QueryClient, node: TreeNode, is_archived: boolean): Promise<void> =>
  patchNote(
    client,
    node.id,
    { is_archived },
    `${is_archived ? 'Archived' : 'Unarchived'} ${nodeLabel(node)}${node.children.length > 0 ? ' and what is below it' : ''}.`,
  );

/** The node's own name takes away the given one. */
export const renameNode = (client: QueryClient, node: TreeNode, name: string): Promise<void> =>
  patchNote(
    client,
    node.id,
    { name: name === '' || name === ownLabel(node) ? null : name },
    `Renamed ${nodeLabel(node)} to ${name === '' ? ownLabel(node) : name}.`,
  );
