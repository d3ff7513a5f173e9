import { nodeLabel, type TreeNode } from '#core/contract/projectReader.ts';
import { chatWith } from '#app/web/layout/chatWith.ts';
import type { PaletteEntry } from './paletteEntry.ts';

/** What can be done with the selected node of a folder of runs; nothing with one that is no run. */
export const toRunEntries = (node: TreeNode): readonly PaletteEntry[] =>
  node.type === 'experiment'
    ? [
        {
          key: 'chat with run',
          label: `Chat with run ${nodeLabel(node)}`,
          hint: 'Selected node',
          onSelect: () => chatWith(node),
        },
      ]
    : [];
