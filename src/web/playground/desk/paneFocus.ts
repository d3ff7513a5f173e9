// Moves the focus from pane to pane, for the keyboard.

/**
 * Where a pane was closed, the keyboard goes on at its neighbour; at the last one, which can't be closed, where one is
 * added.
 */
export function focusClosedPlace(index: number): void {
  requestAnimationFrame(() => {
    const buttons = [...document.querySelectorAll<HTMLElement>('[data-pane] [aria-label="Close pane"]')];
    const next =
      buttons[Math.min(index, buttons.length - 1)] ?? document.querySelector<HTMLElement>('[aria-label="Add pane"]');
    next?.focus();
  });
}

/** The pane behind the one that has the focus, or the first. */
export function focusNextPane(): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')];
  const at = panes.findIndex((pane) => pane.contains(document.activeElement));
  const next = panes[(at + 1) % Math.max(1, panes.length)];
  next?.focus();
  next?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
}
