// Moves the focus when its element is about to disappear.

/** Focuses the part of the page around a control, so that Tab continues there and not at the top of the page. */
export function keepFocus(control: Element): void {
  const around = control.closest<HTMLElement>('[role="tabpanel"], section, main');
  if (around && !around.hasAttribute('tabindex')) around.tabIndex = -1;
  around?.focus({ preventScroll: true });
}
