// Messages for texts that could not be compared.

export const NO_DIFF = 'These texts are too different to show word by word; the answer is shown as it is.';
export const COARSE_DIFF =
  'Parts are too different to show word by word: there the whole passage is marked, and words are not counted.';
