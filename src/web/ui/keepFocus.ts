// Where the focus goes when what has it is about to leave.

/** Gives the focus to the part of the page around a control: Tab goes on from there, not from the top of the page. */
export function keepFocus(control: Element): void {
  const around = control.closest<HTMLElement>('[role="tabpanel"], section, main');
  if (around && !around.hasAttribute('tabindex')) around.tabIndex = -1;
  around?.focus({ preventScroll: true });
}
