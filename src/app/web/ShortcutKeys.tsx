import { useEffect } from 'react';
import { findCommand, useCommands } from '#ui/commands/commands.ts';
import { runInPanel, showMode } from '#app/web/layout/layoutStore.ts';

/** Also in a field inside a shadow root. */
function isInField(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

/** The keys that work everywhere. A dialog has the keyboard to itself. */
export function ShortcutKeys() {
  useCommands({ decide: () => showMode('decide'), try: () => showMode('try') });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || document.querySelector('dialog[open]')) return;
      const command = findCommand(event, isInField(event));
      if (command === null) return;
      event.preventDefault();
      runInPanel(command);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return null;
}
