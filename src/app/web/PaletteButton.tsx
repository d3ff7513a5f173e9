import { Search } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLazyCode } from '#ui/lazy/useLazyCode.ts';

const isMac = navigator.platform.startsWith('Mac');

/** Opens the command palette: a button, and Ctrl+K (Cmd+K on a Mac) from anywhere. Its code loads on demand. */
export function PaletteButton() {
  const [isOpen, setOpen] = useState(false);
  const { code, open, trigger } = useLazyCode(() => import('#app/web/palette/CommandPalette.tsx'));
  const toggle = () => {
    open();
    // Another press while the code loads requests it again.
    setOpen(code === null || !isOpen);
  };
  const isWaited = isOpen && code === null;
  // Text typed before the field is mounted.
  const early = useRef('');
  const onEarly = (event: KeyboardEvent) => {
    if (!isWaited || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') setOpen(false);
    else if (event.key.length === 1) early.current += event.key;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const latest = useRef({ toggle, onEarly });
  useLayoutEffect(() => {
    latest.current = { toggle, onEarly };
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      latest.current.onEarly(event);
      const isWanted =
        event.key.toLowerCase() === 'k' && (isMac ? event.metaKey : event.ctrlKey) && !event.altKey && !event.shiftKey;
      if (!isWanted || event.isComposing || event.repeat) return;
      event.preventDefault();
      early.current = '';
      latest.current.toggle();
    };
    // Runs before other handlers, because the typed text belongs to the palette.
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, []);
  const shortcut = isMac ? '⌘ K' : 'Ctrl K';
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        data-tip={`Search (${shortcut})`}
        onPointerEnter={trigger.onPointerEnter}
        onFocus={trigger.onFocus}
        onClick={toggle}
        className={
          'flex h-7 shrink-0 items-center gap-2 rounded-md border border-line-strong bg-surface px-2 text-soft ' +
          'hover:border-faint hover:text-ink'
        }
      >
        <Search aria-hidden size={14} className="text-faint" />
        {/* In a small window the words stay for who hears the page. */}
        <span className="max-[1180px]:sr-only">
          Search… <kbd className="kbd ml-2">{shortcut}</kbd>
        </span>
      </button>
      {code && isOpen && <code.CommandPalette readEarly={() => early.current} onClose={() => setOpen(false)} />}
    </>
  );
}
