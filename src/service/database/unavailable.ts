// A database that is unavailable: which failures mean that, and how long a caller waits for it.
import { DrizzleQueryError } from 'drizzle-orm';
import { isObject } from '#core/contract/readJson.ts';
import { toReason } from './database.ts';

/** Work that nobody waits for any more. */
export interface LateWork {
  /** What to say to who wanted a change. */
  readonly message: string;
  /** Resolves when it is over. false: nothing of it was done. */
  readonly mayBeDone: Promise<boolean>;
}

/** The database doesn't answer or refuses connections; the query itself is fine. The message is for people. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  constructor(
    message: string,
    /** null: nothing was done. */
    readonly late: LateWork | null = null,
  ) {
    super(message);
  }
}

/** Failures of pg itself, which have no code: the connection failed, broke, or had no answer in time. */
const CONNECTION =
  /^(?:Connection terminated|timeout e|Query read timeout|Client (?:has encountered|was closed)|Cannot use a pool)/;

/** Of these, failures of a connection that was in use: the database may have got the statement. */
const BROKEN = /^(?:Connection terminated|Query read timeout)/;

/** Whether the database may have done the work all the same. */
function isBroken(error: unknown): boolean {
  if (error instanceof DrizzleQueryError) return isBroken(error.cause);
  const isCut = error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
  return isCut || (error instanceof Error && BROKEN.test(error.message));
}

/**
 * SQLSTATE: 08 connection, 28 sign-in, 3D no such database, 53 out of resources, 57 stopped by its operator or by a
 * time limit, 25006 a standby that takes no writes. Other codes are about the statement.
 */
const SQLSTATE = /^(?:08|28|3D|53|57|25006)/;

/** Whether a failure means that the database is unavailable. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (error instanceof DrizzleQueryError) return isUnavailable(error.cause);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if ('severity' in error && code.length === 5) return SQLSTATE.test(code);
  // Node's codes of sockets and name look-ups: ECONNREFUSED, ENOTFOUND, EAI_AGAIN, ENOENT of a Unix socket.
  return /^E[A-Z_]+$/.test(code) || CONNECTION.test(error.message);
}

/** SQLSTATE: 40 two transactions in each other's way, 55 a lock that others hold, 58 a disk that fails. */
const PASSING = /^(?:40|55|58)/;

/**
 * Whether the same work may succeed later. false: the database refuses the work itself, such as a value that no column can
 * hold, and will each time.
 */
export function canPass(error: unknown): boolean {
  if (error instanceof DrizzleQueryError) return canPass(error.cause);
  // The embedded database throws values that aren't Errors when a file operation fails.
  if (!(error instanceof Error)) return isObject(error) && typeof error['errno'] === 'number';
  return isUnavailable(error) || ('severity' in error && 'code' in error && PASSING.test(String(error.code)));
}

export interface Outage {
  /** Runs a query. Throws DatabaseUnavailable for a failure that means that. */
  watch<T>(run: () => Promise<T>): Promise<T>;
  /** The same for a caller who waits at most `limitMs`; the query itself goes on. */
  guard<T>(run: () => Promise<T>, limitMs?: number): Promise<T>;
  /** Call when an idle connection broke. */
  report(error: unknown): void;
}

/** Long enough for a busy database, short enough for a person who looks at an empty page. */
const CALLER_MS = 4_000;

/** Warns once when the database becomes unavailable, and once when it answers again. Messages contain `name`. */
export function openOutage(name: string, onWarning: (text: string) => void): Outage {
  let isOut = false;
  let recoveries = 0;
  const toError = (reason: string, mayBeDone: Promise<boolean> | null): DatabaseUnavailable => {
    const what = `${name} does not answer (${reason}).`;
    const message = `${what} It may do what you asked for all the same: look whether it is done before you try again.`;
    return new DatabaseUnavailable(
      `${what} Try again in a moment. No restart is needed.`,
      mayBeDone && { message, mayBeDone },
    );
  };
  const begin: typeof toError = (reason, mayBeDone) => {
    if (!isOut) onWarning(`${name} does not answer (${reason}). The studio goes on by itself when it answers again.`);
    isOut = true;
    return toError(reason, mayBeDone);
  };
  /** What to call when a question that is asked now fails. If the database has recovered since, that is no new outage. */
  const openBegin = (): typeof begin => {
    const before = recoveries;
    return (...failure) => (before === recoveries ? begin : toError)(...failure);
  };
  const watch = async <T>(run: () => Promise<T>): Promise<T> => {
    const fail = openBegin();
    try {
      const result = await run();
      if (isOut) {
        onWarning(`${name} answers again.`);
        recoveries += 1;
      }
      isOut = false;
      return result;
    } catch (error) {
      if (error instanceof DatabaseUnavailable || !isUnavailable(error)) throw error;
      throw fail(toReason(error), isBroken(error) ? Promise.resolve(true) : null);
    }
  };
  return {
    watch,
    guard(run, limitMs = CALLER_MS) {
      return new Promise((resolve, reject) => {
        // A caller with a shorter limit doesn't start an outage: the database may just be busy.
        const toTimeout = limitMs < CALLER_MS ? toError : openBegin();
        const working = watch(run);
        const mayBeDone = working.then(
          () => true,
          (error: unknown) => error instanceof DatabaseUnavailable && error.late !== null,
        );
        const reason = `no answer within ${limitMs / 1000} s`;
        const timer = setTimeout(() => reject(toTimeout(reason, mayBeDone)), limitMs);
        working.then(resolve, reject).finally(() => clearTimeout(timer));
      });
    },
    report: (error) => void begin(toReason(error), null),
  };
}
