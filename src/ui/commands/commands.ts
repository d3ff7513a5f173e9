// Every command of the page, each one record: palette, menus, keys and the sheet of shortcuts read them.
import { useEffect, useRef } from 'react';
import { openDialog, type PageDialog, type PlaygroundDialog } from './dialogs.ts';

interface CommandRecord {
  readonly label: string;
  /** Behind the label in the palette, and searched too. */
  readonly hint: string;
  /** With Alt and Shift, also in fields; `?` alone, outside of fields. */
  readonly key?: string;
  /** Shown first. */
  readonly panel?: 'tree' | 'playground';
  /** What it opens; absent: a mounted part of the page acts (`useCommands`). */
  readonly dialog?: PageDialog | PlaygroundDialog;
}

const RECORDS = {
  decide: { label: 'Decide mode', hint: 'Layout: wide workspace', key: '1' },
  try: { label: 'Try mode', hint: 'Layout: wide playground', key: '2' },
  'new-session': { label: 'New session', hint: 'Playground', key: 'N', panel: 'playground' },
  sessions: { label: 'Sessions', hint: 'Playground', key: 'S', panel: 'playground', dialog: { kind: 'sessions' } },
  'focus-message': { label: 'Write a message', hint: 'Playground', key: 'M', panel: 'playground' },
  'next-pane': { label: 'Next pane', hint: 'Playground', key: 'P', panel: 'playground' },
  chat: { label: 'Show chat', hint: 'Playground', panel: 'playground' },
  grid: { label: 'Show prompt grid', hint: 'Playground: evaluate models on many rows', panel: 'playground' },
  code: {
    label: 'Show code',
    hint: 'Playground: curl, Python and TypeScript for the request',
    panel: 'playground',
    dialog: { kind: 'code' },
  },
  share: {
    label: 'Share this session',
    hint: 'Playground: share link',
    panel: 'playground',
    dialog: { kind: 'share' },
  },
  presets: { label: 'Presets', hint: 'Playground', panel: 'playground', dialog: { kind: 'presets' } },
  examples: { label: 'Training examples', hint: 'Playground', panel: 'playground', dialog: { kind: 'examples' } },
  'example-prompt': { label: 'Write an example prompt', hint: 'Playground', panel: 'playground' },
  shortcuts: { label: 'Keyboard shortcuts', hint: 'Help', key: '?', dialog: { kind: 'shortcuts' } },
  'expand-all': { label: 'Expand all', hint: 'Tree', panel: 'tree' },
  'collapse-all': { label: 'Collapse all', hint: 'Tree', panel: 'tree' },
  'new-project': { label: 'New project', hint: 'Your own data', dialog: { kind: 'new-project' } },
  'add-data': { label: 'Dataset from a file', hint: 'Your own data', dialog: { kind: 'add-data' } },
  'make-data': { label: 'Dataset from a teacher model', hint: 'Your own data', dialog: { kind: 'make-data' } },
  'new-snapshot': { label: 'New snapshot', hint: 'Your own data', dialog: { kind: 'new-snapshot' } },
  'compare-snapshots': { label: 'Compare snapshots', hint: 'Your own data', dialog: { kind: 'compare-snapshots' } },
  deleted: { label: 'Recently deleted', hint: 'Your own data', dialog: { kind: 'deleted' } },
  'import-project': { label: 'Import project…', hint: 'Your own data', dialog: { kind: 'import-project' } },
  'export-project': { label: 'Export project…', hint: 'Your own data', dialog: { kind: 'export-project' } },
  'start-training': {
    label: 'Start training',
    hint: 'Runs on a snapshot, from its recommendation',
    dialog: { kind: 'start-training' },
  },
  'run-folders': {
    label: 'Run folders',
    hint: 'Show runs of TRL, Axolotl and other trainers from folders',
    dialog: { kind: 'run-folders' },
  },
  'activity-log': {
    label: 'Who changed what',
    hint: 'Activity log: changes by name of the token',
    dialog: { kind: 'activity-log' },
  },
  'sign-out': { label: 'Sign out', hint: 'Leave the studio', dialog: { kind: 'sign-out' } },
} as const satisfies Readonly<Record<string, CommandRecord>>;

export type CommandName = keyof typeof RECORDS;
export const COMMANDS: Readonly<Record<CommandName, CommandRecord>> = RECORDS;
export const COMMAND_NAMES = Object.keys(RECORDS) as readonly CommandName[];

type Handlers = { readonly [Name in CommandName]?: () => void };

const mounted = new Set<() => Handlers>();
let unhandled: CommandName | null = null;

/** Opens the command's dialog, or has mounted parts act. Without one, the next that mounts acts. */
export function runCommand(name: CommandName): void {
  const { dialog } = COMMANDS[name];
  if (dialog) return openDialog(dialog);
  const acts = [...mounted].flatMap((read) => read()[name] ?? []);
  unhandled = acts.length === 0 ? name : null;
  for (const act of acts) act();
}

/** Acts on commands from now on. Returns a function that stops. */
export function handleCommands(read: () => Handlers): () => void {
  mounted.add(read);
  const act = unhandled === null ? undefined : read()[unhandled];
  if (act) {
    unhandled = null;
    act();
  }
  return () => void mounted.delete(read);
}

/** The handlers may change at each render. */
export function useCommands(handlers: Handlers): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => handleCommands(() => latest.current), []);
}

export interface KeyPress {
  readonly key: string;
  /** The key's place on the keyboard: with Alt, a Mac gives another letter. */
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly isComposing: boolean;
}

/** The command of a pressed key. `isInField`: there `?` is a character. */
export function findCommand(press: KeyPress, isInField: boolean): CommandName | null {
  const { key, code, altKey, shiftKey } = press;
  if (press.ctrlKey || press.metaKey || press.isComposing) return null;
  if (key === '?' && !altKey) return isInField ? null : 'shortcuts';
  if (!altKey || !shiftKey) return null;
  const printed = code.replace(/^(?:Key|Digit)/, '');
  return COMMAND_NAMES.find((name) => COMMANDS[name].key === printed) ?? null;
}
