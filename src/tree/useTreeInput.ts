// Clicks and keys on the tree turned into what they mean. The handlers never change, because react-arborist
// rebuilds every row when one does; what they need is read when they are called.
import { useCallback, useEffect, useRef, type FocusEvent, type KeyboardEvent, type MouseEvent } from 'react';
import { nodeLabel } from '../contract/projectReader';
import { findTypeahead, NO_TYPEAHEAD, reduceTypeahead } from './typeahead';
import { toTreeAction, type TreeAction } from './treeKeys';
import type { ViewRow } from './treeRows';
import type { TreeView } from './useTreeView';

interface TreeInput {
  readonly view: TreeView;
  /** Index of the active row; -1 without rows. */
  readonly active: number;
  /** Rows that fit on screen. */
  readonly page: number;
  readonly onActivate: (row: ViewRow) => void;
  readonly onSelect: (row: ViewRow) => void;
}

const NOT_TYPED = new Set(['*', '/', ' ']);

function isPlain(event: KeyboardEvent): boolean {
  return !event.ctrlKey && !event.metaKey && !event.altKey;
}

function apply(action: TreeAction, { view, onActivate, onSelect }: TreeInput): void {
  if (action.kind === 'none') return;
  const row = view.rows.flat[action.kind === 'move' ? action.to : action.row];
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

function rowOf(target: EventTarget, rows: readonly ViewRow[]): ViewRow | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
  return rows[Number(element?.dataset['row'] ?? -1)];
}

export function useTreeInput(input: TreeInput): TreeHandlers {
  const latest = useRef(input);
  const typed = useRef(NO_TYPEAHEAD);
  useEffect(() => {
    latest.current = input;
  });

  const onClick = useCallback((event: MouseEvent) => {
    const { view, onSelect, onActivate } = latest.current;
    const row = rowOf(event.target, view.rows.flat);
    if (!row || !(event.target instanceof Element)) return;
    onActivate(row);
    if (event.target.closest('[data-toggle]')) view.toggle(row);
    else onSelect(row);
  }, []);

  // Assistive technology focuses rows by itself; keys then go on from there.
  const onFocus = useCallback((event: FocusEvent) => {
    const { view, active, onActivate } = latest.current;
    const row = rowOf(event.target, view.rows.flat);
    if (row && row !== view.rows.flat[active]) onActivate(row);
  }, []);

  const onKeyDown = useCallback((event: KeyboardEvent) => {
    // Tab belongs to the browser: react-arborist would take it and lose its way.
    if (event.key === 'Tab') event.stopPropagation();
    if (!isPlain(event) || event.key === 'Tab') return;
    const { view, active, page, onActivate } = latest.current;
    const rows = view.rows.flat;
    const action = toTreeAction({ key: event.key, rows, active, page, parentOf: (at) => view.index.parent[at] ?? -1 });
    const isTyped = action.kind === 'none' && event.key.length === 1 && !NOT_TYPED.has(event.key);
    if (event.key !== '/' && event.key !== 'Escape') event.stopPropagation();
    if (isTyped) {
      typed.current = reduceTypeahead(typed.current, event.key, event.timeStamp);
      const labelAt = (row: number) => {
        const node = view.index.nodes[rows[row]?.at ?? -1];
        return node ? nodeLabel(node) : '';
      };
      const found = rows[findTypeahead(rows.length, labelAt, active, typed.current.text)];
      if (found) onActivate(found);
    }
    if (action.kind === 'none') return;
    event.preventDefault();
    apply(action, latest.current);
  }, []);
  return { onClick, onFocus, onKeyDown };
}
