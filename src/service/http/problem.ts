// How any thrown value becomes a failure as the caller sees it.
import { toErrorEnvelope, type ErrorEnvelope } from '#core/contract/errors.ts';
import { EngineError } from '#engine/engine.ts';
import { Silence } from '#service/files/mountCalls.ts';
import { HttpProblem } from './httpProblem.ts';
import { toLogText } from './logText.ts';
import { isDiskFull } from '#service/database/disk/freeDisk.ts';
import { DatabaseUnavailable } from '#service/database/unavailable.ts';

/**
 * Any thrown value as a problem. An unexpected one becomes a 500 that names only the request. Its text goes to
 * `report`, because the caller must not see all that it may hold.
 */
export function toProblem(error: unknown, requestId: string, report: (line: string) => void): HttpProblem {
  if (error instanceof HttpProblem) return error;
  if (error instanceof EngineError) {
    const { status, message, code, param, retryAfter } = error;
    return new HttpProblem(status, message, {
      code,
      param,
      headers: retryAfter === null ? undefined : { 'Retry-After': retryAfter },
    });
  }
  if (error instanceof DatabaseUnavailable) {
    return new HttpProblem(503, error.message, { code: 'database_unavailable', headers: { 'Retry-After': '2' } });
  }
  if (isDiskFull(error))
    return new HttpProblem(
      507,
      'The disk of the studio is full, so this could not be stored. Free some space and try again.',
      { code: 'disk_full' },
    );
  if (error instanceof Silence)
    return new HttpProblem(503, `A file can't be read: ${error.message}. Check the mount, and try again.`, {
      code: 'file_silent',
      headers: { 'Retry-After': '30' },
    });
  report(`Request ${requestId} failed: ${toLogText(error)}`);
  return new HttpProblem(
    500,
    'The studio failed while it worked on this request. Try again; its log has the details under request id ' +
      `${requestId}.`,
    { code: 'internal_error' },
  );
}

export function problemEnvelope(problem: HttpProblem): ErrorEnvelope {
  const { status, message, code, param, current } = problem;
  return toErrorEnvelope(status, message, { code, param, current });
}
