// A run of the same project, to be compared with.
export interface OtherRun {
  readonly id: string;
  /** No other run of the project has it. */
  readonly label: string;
}
