// What can be done with a person's own data, for the menu of the tree and the palette.

export const DATA_COMMANDS = [
  ['new-project', 'New project'],
  ['add-data', 'Dataset from a file'],
  ['new-snapshot', 'New snapshot'],
  ['compare-snapshots', 'Compare snapshots'],
  ['deleted', 'Recently deleted'],
  ['import-project', 'Import project…'],
  ['export-project', 'Export project…'],
] as const;

export type DataCommand = (typeof DATA_COMMANDS)[number][0];
