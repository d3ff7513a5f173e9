// What the lists need to know and do about the compare. It must not know where the compare's state is kept.

export interface CompareControl {
  /** The candidate's series while it is compared, else null. */
  readonly seriesOf: (key: string) => number | null;
  readonly onToggle: (key: string) => void;
}
