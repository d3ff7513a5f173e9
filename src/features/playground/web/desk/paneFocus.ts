// Moves the keyboard focus between panes.

// The ids of the message field and of the fields for variables, so that any part of the playground can focus them.

export const MESSAGE_FIELD_ID = 'playground-message';

export const variableFieldId = (name: string): string => `playground-variable-${name}`;

export function focusMessage(): void {
  document.querySelector<HTMLTextAreaElement>(`#${MESSAGE_FIELD_ID}`)?.focus();
}

export function focusVariable(name: string): void {
  document.getElementById(variableFieldId(name))?.focus();
}

/** After a pane closes: focuses its neighbour's Close button, or Add pane, because the last pane can't be closed. */
export function focusClosedPlace(index: number): void {
  requestAnimationFrame(() => {
    const buttons = [...document.querySelectorAll<HTMLElement>('[data-pane] [aria-label="Close pane"]')];
    const next =
      buttons[Math.min(index, buttons.length - 1)] ?? document.querySelector<HTMLElement>('[aria-label="Add pane"]');
    next?.focus();
  });
}

/** Focuses the pane after the focused one, or the first. */
export function focusNextPane(): void {
  const panes = [...document.querySelectorAll<HTMLElement>('[data-pane]')];
  const at = panes.findIndex((pane) => pane.contains(document.activeElement));
  const next = panes[(at + 1) % Math.max(1, panes.length)];
  next?.focus();
  next?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
}
