// The embedded database's client. A database that has failed for good would keep the process busy for ever with the next
// statement: it gets none.
import { PGlite } from '@electric-sql/pglite';
import { toReason } from '#server/studio/database.ts';
import { DatabaseUnavailable } from '#server/studio/unavailable.ts';

/** PostgreSQL says of an error that its process has ended with it. */
const isEnd = (error: unknown): error is Error =>
  error instanceof Error && 'severity' in error && (error.severity === 'PANIC' || error.severity === 'FATAL');

export class EmbeddedClient extends PGlite {
  /** Called before each message to the database. */
  onStatement: () => void = () => undefined;
  /** Called once, when it has failed for good. */
  onEnd: (error: Error) => void = () => undefined;
  #end: DatabaseUnavailable | null = null;

  /** Whether it has failed for good. Then it can't be closed either. */
  get hasEnded(): boolean {
    return this.#end !== null;
  }

  override async execProtocolStream(
    ...message: Parameters<PGlite['execProtocolStream']>
  ): ReturnType<PGlite['execProtocolStream']> {
    if (this.#end !== null) throw this.#end;
    this.onStatement();
    try {
      return await super.execProtocolStream(...message);
    } catch (error) {
      if (isEnd(error)) {
        this.#end = new DatabaseUnavailable(`The embedded database has ended (${toReason(error)}).`);
        this.onEnd(error);
      }
      throw error;
    }
  }
}
