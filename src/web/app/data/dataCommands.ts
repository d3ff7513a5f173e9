// What can be added to a studio, for the menu of the tree and the palette.
import type { Command } from '#web/session/commands.ts';

export const DATA_COMMANDS: readonly (readonly [Command, label: string])[] = [
  ['new-project', 'New project'],
  ['add-data', 'Dataset from a file'],
  ['deleted', 'Recently deleted'],
];
