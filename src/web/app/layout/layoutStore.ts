// Holds the layout and keeps it in this browser. Plain data; changing it is layout.ts.
import { create } from 'zustand';
import { updateUrl } from '#web/session/urlState.ts';
import { DEFAULT_LAYOUT, parseLayout, showPanel, type Layout } from './layout.ts';

const KEY = 'studio.layout';

function readKept(): Layout {
  try {
    return parseLayout(localStorage.getItem(KEY));
  } catch {
    // Storage can be switched off; the layout then lives as long as the page.
    return DEFAULT_LAYOUT;
  }
}

export const useLayout = create<Layout>(readKept);

/** Applies a change and keeps the result. */
export function changeLayout(change: (layout: Layout) => Layout): void {
  const last = useLayout.getState();
  const next = change(last);
  if (next === last) return;
  useLayout.setState(next);
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // See readKept.
  }
}

/** The one way from the workspace into the playground: one pane per model id, and the panel on show. */
export function openInPlayground(models: readonly string[]): void {
  updateUrl({ models });
  changeLayout((layout) => showPanel(layout, 'playground'));
}
