// The presses of the mouse that belong to the click which opened a dialog: the second half of a double click lands on
// whatever the dialog has put under the pointer, and must do nothing there. Pure.

export interface OpeningPress {
  /** A press, release or click in the dialog with its place in a series of clicks (`detail`): true, it is not meant. */
  readonly isStray: (type: string, detail: number) => boolean;
}

/** One for each time that a dialog opens. */
export function watchOpeningPress(): OpeningPress {
  let isOver = false;
  return {
    isStray: (type, detail) => {
      // A series that begins in the dialog is meant; so is what no pointer made (0).
      if (detail < 2) isOver ||= type === 'mousedown' || detail === 0;
      return !isOver && detail > 1;
    },
  };
}
