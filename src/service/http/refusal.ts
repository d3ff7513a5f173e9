/** A request that can't be done, as HTTP says it. The message says what happened and what to do. */
export class Refusal extends Error {
  /** Seconds after which a request that was one too many (429) may be sent again. */
  readonly retryAfter: string = '5';
  constructor(
    readonly status: number,
    message: string,
    readonly code: string,
    readonly param: string | null = null,
  ) {
    super(message);
  }
}
