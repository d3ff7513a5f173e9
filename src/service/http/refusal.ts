import { HttpProblem } from './httpProblem.ts';

/** A request that can't be done. The message says what happened and what to do. */
export class Refusal extends HttpProblem {
  /** `retryAfter`: seconds after which a request that was one too many (429) may be sent again. */
  constructor(status: number, message: string, code: string, param: string | null = null, retryAfter = '5') {
    super(status, message, { code, param, headers: status === 429 ? { 'Retry-After': retryAfter } : undefined });
  }
}
