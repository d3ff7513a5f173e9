import { Suspense, useEffect, useState } from 'react';
import { runCommand, useCommands } from '#ui/commands/commands.ts';
import { findCommand, isHelpKey } from '#ui/commands/shortcuts.ts';
import { toLazyPopup } from '#ui/lazy/lazyPopup.ts';
import { showPanel } from '#app/web/layout/layout.ts';
import { changeLayout, showMode } from '#app/web/layout/layoutStore.ts';

/** Also in a field inside a shadow root. */
function isInField(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

const ShortcutSheet = toLazyPopup(async () => (await import('./ShortcutSheet.tsx')).ShortcutSheet);
const NAMES = ['shortcuts'] as const;

/** The keys that work everywhere, and the sheet that lists all of them. A dialog has the keyboard to itself. */
export function ShortcutKeys() {
  const [isOpen, setOpen] = useState(false);
  useCommands(NAMES, () => setOpen(true));
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || document.querySelector('dialog[open]')) return;
      const command = isHelpKey(event, isInField(event)) ? 'shortcuts' : findCommand(event);
      if (command === null) return;
      event.preventDefault();
      if (command === 'decide' || command === 'try') return showMode(command);
      if (command !== 'shortcuts') changeLayout((layout) => showPanel(layout, 'playground'));
      runCommand(command);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    isOpen && (
      <Suspense>
        <ShortcutSheet onClose={() => setOpen(false)} />
      </Suspense>
    )
  );
}
