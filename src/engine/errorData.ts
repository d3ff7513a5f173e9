// EngineError as data, for the way from one thread or process to another.
import { EngineError } from './engine.ts';

export type ErrorData = Pick<EngineError, 'message' | 'status' | 'code' | 'param' | 'retryAfter'>;

/** Null for anything but an EngineError, which is a defect. */
export function toErrorData(error: unknown): ErrorData | null {
  if (!(error instanceof EngineError)) return null;
  const { message, status, code, param, retryAfter } = error;
  return { message, status, code, param, retryAfter };
}

export const toEngineError = ({ message, status, code, param, retryAfter }: ErrorData): EngineError =>
  new EngineError(message, status, code, param, retryAfter);
