// The error for a request that the machine had no time for. The request is not too large, so a retry may succeed.
import { EngineError } from './engine.ts';

const BUSY_RETRY_S = 2;

/** `param`: the field of the request that was being compiled. */
export function toBusy(param: string): EngineError {
  const message = `The machine is too busy to compile ${param} in time. Send the request again in ${BUSY_RETRY_S} s.`;
  return new EngineError(message, 503, 'engine_busy', null, String(BUSY_RETRY_S));
}
