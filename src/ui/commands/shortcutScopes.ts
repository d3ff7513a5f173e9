// All keyboard shortcuts with their labels, by scope. Pure. Commands bring their own; each widget handles its own
// shortcuts and lists them here.
import { COMMANDS } from './commands.ts';

interface Shortcut {
  /** Alternatives, each a list of keys pressed together. `Mod`: Ctrl, on a Mac Cmd. */
  readonly keys: readonly (readonly string[])[];
  readonly label: string;
}

export interface ShortcutScope {
  readonly name: string;
  readonly shortcuts: readonly Shortcut[];
}

const entry = (label: string, ...keys: readonly (readonly string[])[]): Shortcut => ({ label, keys });

export const SHORTCUTS: readonly ShortcutScope[] = [
  {
    name: 'Everywhere',
    shortcuts: [
      entry('Search and commands', ['Mod', 'K']),
      ...Object.values(COMMANDS).flatMap(({ label, key }) =>
        key === undefined ? [] : [entry(label, key === '?' ? [key] : ['Alt', 'Shift', key])],
      ),
      entry('Filter the tree', ['/']),
      entry('Close a dialog or menu', ['Esc']),
    ],
  },
  {
    name: 'Message',
    shortcuts: [
      entry('Run', ['Enter'], ['Mod', 'Enter']),
      entry('New line', ['Shift', 'Enter']),
      entry('Stop all answers', ['Esc']),
      entry('Save an edited message (a user message runs again)', ['Mod', 'Enter']),
      entry('Cancel an edit', ['Esc']),
    ],
  },
  {
    name: 'Tree',
    shortcuts: [
      entry('Move', ['↑'], ['↓'], ['Page Up'], ['Page Down']),
      entry('First or last node', ['Home'], ['End']),
      entry('Expand, or go to the first child', ['→']),
      entry('Collapse, or go to the parent', ['←']),
      entry('Expand all nodes of this level', ['*']),
      entry('Select', ['Enter'], ['Space']),
      entry('Find a node by its first letters', ['A … Z']),
      entry('Menu of the row', ['Shift', 'F10'], ['Menu']),
      entry('In the filter: go to the first match, or select it', ['↓'], ['Enter']),
    ],
  },
  {
    name: 'Tables and grids',
    shortcuts: [
      entry('Move between cells', ['←'], ['→'], ['↑'], ['↓']),
      entry('First or last cell of the row', ['Home'], ['End']),
      entry('Open the cell', ['Enter']),
    ],
  },
  {
    name: 'Table of runs',
    shortcuts: [
      entry('Move between rows', ['↑'], ['↓'], ['Page Up'], ['Page Down']),
      entry('First or last row', ['Home'], ['End']),
      entry('Add the row to the comparison, or remove it', ['Space']),
      entry('The same for all rows from the last one to this one', ['Shift', 'Space']),
      entry('Compare this row and the next one', ['Shift', '↑'], ['Shift', '↓']),
      entry('Open the details, or expand or collapse a group', ['Enter']),
      entry('From the first row to the column headers, and back', ['↑'], ['↓']),
      entry('Move between column headers', ['←'], ['→'], ['Home'], ['End']),
    ],
  },
  {
    name: 'Tabs, menus and sliders',
    shortcuts: [
      entry('Move', ['←'], ['→'], ['↑'], ['↓']),
      entry('Choose', ['Enter'], ['Space']),
      entry('Smallest or largest value', ['Home'], ['End']),
    ],
  },
];

/** The text printed on the key. */
export function toKeyName(key: string, isMac: boolean): string {
  if (!isMac) return key === 'Mod' ? 'Ctrl' : key;
  return { Mod: '⌘', Alt: '⌥', Shift: '⇧' }[key] ?? key;
}
