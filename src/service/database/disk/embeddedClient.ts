// The embedded database's client. It lets the event loop turn between queries. A database that has failed for good would
// keep the process busy for ever with the next statement: it gets none.
import { PGlite } from '@electric-sql/pglite';
import { toReason } from '#service/database/database.ts';
import { DatabaseUnavailable } from '#service/database/unavailable.ts';

/** PostgreSQL says of an error that its process has ended with it. */
const isEnd = (error: unknown): error is Error =>
  error instanceof Error && 'severity' in error && (error.severity === 'PANIC' || error.severity === 'FATAL');

/** Milliseconds of a turn of the event loop, after which the next query waits for another turn. */
const TURN_MS = 10;

/** The first bytes of the messages Parse and Query: a query has other messages after them. */
const BEGINS_QUERY: ReadonlySet<number | undefined> = new Set(['P', 'Q'].map((letter) => letter.charCodeAt(0)));

/**
 * PGlite answers within microtasks, in which the event loop does not turn: whoever reads page after page, or many who read at
 * once, would keep everybody else waiting until the last page.
 */
function openTurns() {
  /** null: no query has begun in this turn. */
  let beganAt: number | null = null;
  function hasTime(): boolean {
    if (beganAt !== null) return performance.now() - beganAt < TURN_MS;
    beganAt = performance.now();
    // Before those who wait for the next turn from now on.
    setImmediate(() => {
      beganAt = null;
    });
    return true;
  }
  /** Waits until the message may begin. */
  return async (message: Uint8Array): Promise<void> => {
    while (BEGINS_QUERY.has(message[0]) && !hasTime())
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
  };
}

export class EmbeddedClient extends PGlite {
  /** Called before each message to the database. */
  onStatement: () => void = () => undefined;
  /** Called once, when it has failed for good. */
  onEnd: (error: Error) => void = () => undefined;
  #end: DatabaseUnavailable | null = null;
  readonly #waitForTurn = openTurns();

  /** Whether it has failed for good. Then it can't be closed either. */
  get hasEnded(): boolean {
    return this.#end !== null;
  }

  override async execProtocolStream(
    ...[message, options]: Parameters<PGlite['execProtocolStream']>
  ): ReturnType<PGlite['execProtocolStream']> {
    await this.#waitForTurn(message);
    if (this.#end !== null) throw this.#end;
    this.onStatement();
    try {
      return await super.execProtocolStream(message, options);
    } catch (error) {
      if (isEnd(error)) {
        this.#end = new DatabaseUnavailable(`The embedded database has ended (${toReason(error)}).`);
        this.onEnd(error);
      }
      throw error;
    }
  }
}
