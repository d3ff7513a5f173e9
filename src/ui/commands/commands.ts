// Commands that one part of the page sends to another, which may not be mounted yet.
import { useEffect, useRef } from 'react';

export const PLAYGROUND_COMMANDS = [
  'new-session',
  'sessions',
  'presets',
  'share',
  'examples',
  'code',
  'focus-message',
  'next-pane',
] as const;

export type PlaygroundCommand = (typeof PLAYGROUND_COMMANDS)[number];
/** Handled by the playground itself: which of its views is shown. */
export const VIEW_COMMANDS = ['chat', 'grid'] as const;
/** Writes an example of the models in the address into an empty message. */
export const PROMPT_COMMANDS = ['example-prompt'] as const;
export type Command =
  | PlaygroundCommand
  | (typeof VIEW_COMMANDS)[number]
  | (typeof PROMPT_COMMANDS)[number]
  | 'shortcuts'
  | 'sign-out'
  | 'run-folders'
  | 'start-training'
  | 'new-project'
  | 'add-data'
  | 'new-snapshot'
  | 'compare-snapshots'
  | 'deleted'
  | 'import-project'
  | 'export-project'
  | 'activity-log';

interface CommandHandler {
  readonly names: readonly Command[];
  readonly act: (command: Command) => void;
}

const handlers = new Set<CommandHandler>();
let unhandled: Command | null = null;

/** Runs a command. Without a handler, the next handler that mounts runs it. */
export function runCommand(command: Command): void {
  const matching = [...handlers].filter(({ names }) => names.includes(command));
  unhandled = matching.length === 0 ? command : null;
  for (const { act } of matching) act(command);
}

/** Handles the commands `names` from now on. Returns a function that stops. */
export function handleCommands(names: readonly Command[], act: (command: Command) => void): () => void {
  const handler = { names, act };
  handlers.add(handler);
  const pending = unhandled;
  if (pending !== null && names.includes(pending)) {
    unhandled = null;
    act(pending);
  }
  return () => void handlers.delete(handler);
}

/** `names` must stay the same; `onCommand` may change at each render. */
export function useCommands<Name extends Command>(names: readonly Name[], onCommand: (command: Name) => void): void {
  const latest = useRef(onCommand);
  useEffect(() => {
    latest.current = onCommand;
  });
  useEffect(() => handleCommands(names, (command) => latest.current(command as Name)), [names]);
}
