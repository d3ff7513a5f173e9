import { MessageSquare } from 'lucide-react';
import { showPanel } from './layout.ts';
import { changeLayout } from './layoutStore.ts';

/** What is left of the playground where it has given its room to the workspace. */
export function PlaygroundRail() {
  return (
    <button
      type="button"
      aria-label="Open the playground"
      data-tip="Open the playground"
      onClick={() => changeLayout((layout) => showPanel(layout, 'playground'))}
      className={
        'flex w-9 shrink-0 flex-col items-center gap-2 border-l border-line bg-surface pt-4 text-sm text-soft ' +
        'hover:bg-neutral-soft hover:text-ink focus-visible:-outline-offset-2'
      }
    >
      <MessageSquare aria-hidden size={15} />
      <span className="[writing-mode:vertical-rl]">Playground</span>
    </button>
  );
}
