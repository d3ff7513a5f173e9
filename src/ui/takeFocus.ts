// A ref for a button that replaces one which was pressed: the focus goes on in it. It must not know why it was replaced.

/** Focuses the element once it is there. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}
