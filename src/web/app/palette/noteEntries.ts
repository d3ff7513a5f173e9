import type { QueryClient } from '@tanstack/react-query';
import { nodeLabel, type TreeNode } from '#shared/contract/projectReader.ts';
import { toNoteActions } from '#web/notes/noteActions.ts';
import type { PaletteEntry } from './paletteEntry.ts';

/** What can be noted of the selected node. */
export const toNoteEntries = (client: QueryClient, node: TreeNode): readonly PaletteEntry[] =>
  toNoteActions(client, node).map(({ label, onSelect }) => ({
    key: `note ${label}`,
    label: `${label} ${nodeLabel(node)}`,
    hint: 'Selected node',
    onSelect,
  }));
