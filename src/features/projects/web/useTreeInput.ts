// Turns clicks and keys on the tree into actions. The handlers never change, because react-arborist rebuilds every row
// when one does; they read their data when they are called.
import { useCallback, useEffect, useRef, type FocusEvent, type KeyboardEvent, type MouseEvent } from 'react';
import { nodeLabel } from '#core/contract/projectReader.ts';
import { findTypeahead, isTyping, NO_TYPEAHEAD, reduceTypeahead } from '#features/projects/web/treeIndex/typeahead.ts';
import { toTreeAction, type TreeAction } from '#features/projects/web/treeIndex/treeKeys.ts';
import { rowAt, type TreeRows, type ViewRow } from '#features/projects/web/treeIndex/treeRows.ts';
import type { TreeView } from './useTreeView.ts';

interface TreeInput {
  readonly view: TreeView;
  /** Number of the active row; -1 without rows. */
  readonly active: number;
  /** Rows that fit on screen. */
  readonly page: number;
  readonly onActivate: (row: ViewRow) => void;
  readonly onSelect: (row: ViewRow) => void;
}

/** Keys that the page handles wherever the focus is. */
const PAGE_KEYS: ReadonlySet<string> = new Set(['/', '?', 'Escape']);
const NOT_TYPED: ReadonlySet<string> = new Set(['*', '/', '?']);

function isPlain(event: KeyboardEvent): boolean {
  return !event.ctrlKey && !event.metaKey && !event.altKey;
}

function apply(action: TreeAction, { view, onActivate, onSelect }: TreeInput): void {
  if (action.kind === 'none') return;
  const row = rowAt(view.rows, action.kind === 'move' ? action.to : action.row);
  if (!row) return;
  if (action.kind === 'move') onActivate(row);
  else if (action.kind === 'select') onSelect(row);
  else if (action.kind === 'open-siblings') view.expandSiblings(row);
  else view.toggle(row);
}

interface TreeHandlers {
  readonly onClick: (event: MouseEvent) => void;
  readonly onFocus: (event: FocusEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function rowOf(target: EventTarget, rows: TreeRows): ViewRow | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
  return rowAt(rows, Number(element?.dataset['row'] ?? -1));
}

export function useTreeInput(input: TreeInput): TreeHandlers {
  const latest = useRef(input);
  const typed = useRef(NO_TYPEAHEAD);
  useEffect(() => {
    latest.current = input;
  });

  const onClick = useCallback((event: MouseEvent) => {
    const { view, onSelect, onActivate } = latest.current;
    const row = rowOf(event.target, view.rows);
    if (!row || !(event.target instanceof Element)) return;
    onActivate(row);
    if (event.target.closest('[data-toggle]')) view.toggle(row);
    else onSelect(row);
  }, []);

  // Assistive technology may focus a row itself; keys then continue from there.
  const onFocus = useCallback((event: FocusEvent) => {
    const { view, active, onActivate } = latest.current;
    const row = rowOf(event.target, view.rows);
    if (row && row.row !== active) onActivate(row);
  }, []);

  const onKeyDown = useCallback((event: KeyboardEvent) => {
    // Tab belongs to the browser: react-arborist would handle it wrongly.
    if (event.key === 'Tab') event.stopPropagation();
    if (!isPlain(event) || event.key === 'Tab') return;
    const { view, active, page, onActivate } = latest.current;
    const { rows } = view;
    const isSpaceTyped = event.key === ' ' && isTyping(typed.current, event.timeStamp);
    const action: TreeAction = isSpaceTyped ? { kind: 'none' } : toTreeAction({ key: event.key, rows, active, page });
    const isTyped = action.kind === 'none' && event.key.length === 1 && !NOT_TYPED.has(event.key);
    if (!PAGE_KEYS.has(event.key)) event.stopPropagation();
    if (isTyped) {
      // A space would scroll the page.
      event.preventDefault();
      typed.current = reduceTypeahead(typed.current, event.key, event.timeStamp);
      const labelAt = (row: number) => {
        const node = view.index.nodes[rows.places[row] ?? -1];
        return node ? nodeLabel(node) : '';
      };
      const found = rowAt(rows, findTypeahead(rows.count, labelAt, active, typed.current.text));
      if (found) onActivate(found);
    }
    if (action.kind === 'none') return;
    typed.current = NO_TYPEAHEAD;
    event.preventDefault();
    apply(action, latest.current);
  }, []);
  return { onClick, onFocus, onKeyDown };
}
