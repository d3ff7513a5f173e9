// Commands that other parts of the page can send to the mounted tree.
import { useEffect, useRef } from 'react';

export type TreeCommand = 'expand-all' | 'collapse-all';

const listeners = new Set<(command: TreeCommand) => void>();

export function runTreeCommand(command: TreeCommand): void {
  for (const listener of listeners) listener(command);
}

/** `onCommand` may change at each render. */
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
