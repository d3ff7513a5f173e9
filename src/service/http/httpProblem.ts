// A failure as the caller sees it.

export interface ProblemDetail {
  readonly code?: string | null;
  /** The request field at fault, as a path such as `messages[1].role`. */
  readonly param?: string | null;
  /** What stands now, of a record that was changed since it was read; null: it is gone. */
  readonly current?: unknown;
  /** Headers that belong to the status, such as Allow or Retry-After. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Thrown by handlers; the message says what happened and what to do. */
export class HttpProblem extends Error {
  override readonly name: string = 'HttpProblem';
  readonly code: string | null;
  readonly param: string | null;
  readonly current: unknown;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    readonly status: number,
    message: string,
    detail: ProblemDetail = {},
  ) {
    super(message);
    this.code = detail.code ?? null;
    this.param = detail.param ?? null;
    this.current = detail.current;
    this.headers = detail.headers ?? {};
  }
}

/** A record that was asked for by its id. Throws HttpProblem 404 that names `param` where there is none. */
export function found<Value>(value: Value | null, kind: string, id: string, param = `${kind}Id`): Value {
  if (value !== null) return value;
  throw new HttpProblem(404, `There is no ${kind} ${id} in this studio. Check the id.`, {
    param,
    code: `${kind}_not_found`,
  });
}
