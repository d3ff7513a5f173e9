// The height of a row: the list needs it to place rows, the keyboard to know what a page is.

/** Pixels. */
export const ROW_HEIGHT = 30;
