// Where the focus goes when what has it leaves with a column. It must not know why it leaves.

/** Gives the focus to the panel around a control that is about to go: Tab goes on from there. */
export const keepFocus = (control: Element): void => control.closest('section')?.focus({ preventScroll: true });
