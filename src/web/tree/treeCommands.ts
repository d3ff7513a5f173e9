// The few things that others may ask of the tree on screen.
import { useEffect, useRef } from 'react';

export type TreeCommand = 'expand-all' | 'collapse-all';

const listeners = new Set<(command: TreeCommand) => void>();

export function runTreeCommand(command: TreeCommand): void {
  for (const listener of listeners) listener(command);
}

/** `onCommand` may be another function at each render. */
export function useTreeCommands(onCommand: (command: TreeCommand) => void): void {
  const latest = useRef(onCommand);
  useEffect(() => {
    latest.current = onCommand;
  });
  useEffect(() => {
    const listener = (command: TreeCommand) => latest.current(command);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
}
