// Recognises presses that belong to the click which opened a dialog: the second half of a double click hits whatever
// the dialog has put under the pointer, and must do nothing. Pure.

export interface OpeningPress {
  /**
   * Takes a press, release or click in the dialog, with its number in a series of clicks (`detail`). True: it is
   * accidental.
   */
  readonly isStray: (type: string, detail: number) => boolean;
}

/** Create one per opening of a dialog. */
export function watchOpeningPress(): OpeningPress {
  let isOver = false;
  return {
    isStray: (type, detail) => {
      // A series that begins in the dialog is intended, and so is a click without a pointer (0).
      if (detail < 2) isOver ||= type === 'mousedown' || detail === 0;
      return !isOver && detail > 1;
    },
  };
}
