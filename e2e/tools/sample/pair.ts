/** What is asked, and the one answer to it. */
export interface Pair {
  readonly prompt: string;
  readonly answer: string;
}
