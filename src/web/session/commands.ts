// What any part of the page may ask of another that may not be on screen yet.
import { useEffect, useRef } from 'react';

export const PLAYGROUND_COMMANDS = [
  'new-session',
  'sessions',
  'presets',
  'share',
  'examples',
  'focus-message',
  'next-pane',
] as const;

export type PlaygroundCommand = (typeof PLAYGROUND_COMMANDS)[number];
export type Command = PlaygroundCommand | 'shortcuts';

interface Taker {
  readonly names: readonly Command[];
  readonly act: (command: Command) => void;
}

const takers = new Set<Taker>();
let waiting: Command | null = null;

/** Where nobody is there to do it, it is done by whoever comes. */
export function runCommand(command: Command): void {
  const able = [...takers].filter(({ names }) => names.includes(command));
  waiting = able.length === 0 ? command : null;
  for (const { act } of able) act(command);
}

/** Takes what is among `names` from now on. Returns the way to stop. */
export function takeCommands(names: readonly Command[], act: (command: Command) => void): () => void {
  const taker = { names, act };
  takers.add(taker);
  const missed = waiting;
  if (missed !== null && names.includes(missed)) {
    waiting = null;
    act(missed);
  }
  return () => void takers.delete(taker);
}

/** `names` stay what they are; `onCommand` may be another function at each render. */
export function useCommands<Name extends Command>(names: readonly Name[], onCommand: (command: Name) => void): void {
  const latest = useRef(onCommand);
  useEffect(() => {
    latest.current = onCommand;
  });
  useEffect(() => takeCommands(names, (command) => latest.current(command as Name)), [names]);
}
