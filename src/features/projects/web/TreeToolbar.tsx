import { ChevronsDownUp, ChevronsUpDown, Search, X } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { MAX_TEXT } from '#ui/address/urlState.ts';
import { formatCount } from '#ui/kit/format.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';

interface TreeToolbarProps {
  filter: string;
  onFilter: (text: string) => void;
  /** Clears the text and every other filter. */
  onClear: () => void;
  /** Number of nodes found; null without a filter. */
  hitCount: number | null;
  /** True while the search is being prepared. */
  isSearching: boolean;
  onExpandAll: () => void;
  onCollapseAll: () => void;
  /** Called when a key moves from the filter into the tree; `isSelecting`: that also selects the node. */
  onEnterTree: (isSelecting: boolean) => void;
  /** What else the tree offers. */
  more: ReactNode;
}

const isEditable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

export function TreeToolbar({
  filter,
  onFilter,
  onClear,
  hitCount,
  isSearching,
  onExpandAll,
  onCollapseAll,
  onEnterTree,
  more,
}: TreeToolbarProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focusFilter = (event: globalThis.KeyboardEvent) => {
      if (
        event.key !== '/' ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isEditable(event.composedPath()[0] ?? null)
      )
        return;
      // A hidden panel can't take the focus. The key is ignored then.
      if (!input.current?.checkVisibility()) return;
      event.preventDefault();
      input.current.focus();
      input.current.select();
    };
    window.addEventListener('keydown', focusFilter);
    return () => window.removeEventListener('keydown', focusFilter);
  }, []);
  const isFiltered = filter !== '' || hitCount !== null;
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys that belong to an input method.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape' && filter !== '') {
      event.stopPropagation();
      onFilter('');
    }
    if (event.key === 'ArrowDown' || event.key === 'Enter') {
      event.preventDefault();
      onEnterTree(event.key === 'Enter');
    }
  };
  return (
    <div className="flex shrink-0 items-center gap-1 py-2.5 pr-1.5 pl-3">
      <div className="relative flex min-w-0 flex-1 items-center">
        <Search aria-hidden size={14} className="pointer-events-none absolute left-2 text-faint" />
        <input
          ref={input}
          type="text"
          role="searchbox"
          aria-label="Filter tree"
          aria-keyshortcuts="/"
          placeholder="Filter tree"
          maxLength={MAX_TEXT}
          title="Searches labels, tags, ids and models. Every word must match the node or one above it: “dataset 7 snap”"

          autoComplete="off"
          spellCheck={false}
          value={filter}
          onChange={(event) => onFilter(event.target.value)}
          onKeyDown={onKeyDown}
          className={
            'h-7.5 w-full min-w-0 truncate rounded-md border border-line-strong bg-surface pl-7.5 hover:border-faint ' +
            `${isFiltered ? 'pr-24' : 'pr-8'}`
          }
        />
        <span className="pointer-events-none absolute right-7 text-sm text-soft" aria-live="polite">
          {isSearching && 'searching…'}
          {hitCount !== null && `${formatCount(hitCount)} ${hitCount === 1 ? 'hit' : 'hits'}`}
        </span>
        {!isFiltered ? (
          <kbd aria-hidden className="kbd pointer-events-none absolute right-2">
            /
          </kbd>
        ) : (
          <button
            type="button"
            aria-label="Clear filter"
            onClick={() => {
              onClear();
              input.current?.focus();
            }}
            className="absolute right-0.5 flex size-6 items-center justify-center rounded text-faint hover:text-ink"
          >
            <X aria-hidden size={13} />
          </button>
        )}
      </div>
      <IconButton label="Expand all" icon={<ChevronsUpDown aria-hidden size={15} />} onClick={onExpandAll} />
      <IconButton label="Collapse all" icon={<ChevronsDownUp aria-hidden size={15} />} onClick={onCollapseAll} />
      {more}
    </div>
  );
}
