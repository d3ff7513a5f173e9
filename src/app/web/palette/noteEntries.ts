import type { QueryClient } from '@tanstack/react-query';
import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { toNoteActions } from '#features/notes/web/noteActions.ts';
import type { PaletteEntry } from './paletteEntry.ts';

/** What can be noted of the selected node. */
export const toNoteEntries = (client: QueryClient, node: TreeNode): readonly PaletteEntry[] =>
  toNoteActions(client, node).map(({ label, onSelect }) => ({
    key: `note ${label}`,
    label: `${label} ${nodeLabel(node)}`,
    hint: 'Selected node',
    onSelect,
  }));
