import { Search } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { formatCount } from '#ui/kit/format.ts';
import { PaletteList } from './PaletteList.tsx';
import { usePaletteSections, type PaletteRow } from './usePaletteSections.ts';

interface CommandPaletteProps {
  /** What was typed before this was there. */
  readEarly: () => string;
  onClose: () => void;
}

const PAGE = 8;

/**
 * A search over everything that can be gone to or done (ARIA combobox with a list). Our own: the usual library
 * renders each entry it is given, and a project may have 100,000 nodes.
 */
export function CommandPalette({ readEarly, onClose }: CommandPaletteProps) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState(readEarly);
  const [chosen, setChosen] = useState<string | null>(null);
  const { sections, words, nodeCount, isSearching, findFirst } = usePaletteSections(text);
  const rows = sections.flatMap((section) => section.rows);
  const markedAt = Math.max(
    0,
    rows.findIndex(({ key }) => key === chosen),
  );
  const marked = rows[markedAt]?.key;

  // The browser's own modal dialog: it keeps the focus inside and gives it back. It takes the focus in the very step in
  // which keys are no longer kept for it, with those that came while it was being drawn.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element || element.open) return;
    element.showModal();
    setText(readEarly());
  }, [readEarly]);
  useEffect(() => {
    const element = dialog.current;
    const onPress = (event: MouseEvent) => event.target === element && element?.close();
    element?.addEventListener('mousedown', onPress);
    return () => element?.removeEventListener('mousedown', onPress);
  }, []);
  const choose = (row: PaletteRow | undefined, isAdded = false) => {
    if (!row) return;
    dialog.current?.close();
    // The dialog's own event comes later than a shortcut may: that would then close what is closed in place of opening
    // it.
    onClose();
    if (isAdded && row.onAdd) row.onAdd();
    else row.onSelect();
  };
  const move = (to: number) => setChosen(rows[to]?.key ?? null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const last = rows.length - 1;
    const to = {
      ArrowDown: markedAt === last ? 0 : markedAt + 1,
      ArrowUp: markedAt === 0 ? last : markedAt - 1,
      PageDown: Math.min(last, markedAt + PAGE),
      PageUp: Math.max(0, markedAt - PAGE),
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      move(to);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // What is listed may still belong to the text before the last key.
      choose(isSearching ? findFirst() : rows[markedAt], event.shiftKey);
    }
  };
  const isEmpty = rows.length === 0 && !isSearching;
  const results = `${formatCount(rows.length)} ${rows.length === 1 ? 'result' : 'results'}`;
  return (
    <dialog
      ref={dialog}
      aria-label="Search and commands"
      onClose={onClose}
      className={
        'mx-auto mt-[10vh] mb-auto max-h-[min(34rem,80vh)] w-[min(42rem,calc(100vw-1.5rem))] flex-col ' +
        'overflow-hidden rounded-xl border border-line-strong bg-surface text-ink shadow-pop backdrop:bg-canvas/60 ' +
        'open:flex'
      }
    >
      <div className="flex shrink-0 items-center gap-2 border-b border-line px-3.5">
        <Search aria-hidden size={15} className="shrink-0 text-faint" />
        <input
          type="text"
          role="combobox"
          aria-label="Search nodes, models and actions"
          aria-autocomplete="list"
          aria-expanded={rows.length > 0}
          aria-haspopup="listbox"
          aria-controls={rows.length > 0 ? id : undefined}
          aria-activedescendant={marked === undefined ? undefined : `${id}-${marked}`}
          placeholder={
            nodeCount === null
              ? 'Search models and actions'
              : `Search ${formatCount(nodeCount)} nodes, models and actions`
          }
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={256}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(null);
          }}
          onKeyDown={onKeyDown}
          className="h-11 min-w-0 flex-1 bg-transparent text-lg text-ellipsis outline-none"
        />
        <kbd aria-hidden className="kbd max-sm:hidden">
          Esc
        </kbd>
      </div>
      {rows.length > 0 && (
        <PaletteList id={id} sections={sections} words={words} marked={marked} onMark={setChosen} onChoose={choose} />
      )}
      {isEmpty && (
        <p className="px-4 py-6 text-center text-soft">
          No results for “{text.trim()}”. Nodes are found by label, status, id, model id and base model.
        </p>
      )}
      <output className="sr-only">{isSearching ? '' : results}</output>
    </dialog>
  );
}
