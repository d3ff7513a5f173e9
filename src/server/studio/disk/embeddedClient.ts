// The embedded database's client.
import { PGlite } from '@electric-sql/pglite';

export class EmbeddedClient extends PGlite {
  /** Called before each message to the database. */
  onStatement: () => void = () => undefined;

  override async execProtocolStream(
    ...message: Parameters<PGlite['execProtocolStream']>
  ): ReturnType<PGlite['execProtocolStream']> {
    this.onStatement();
    return super.execProtocolStream(...message);
  }
}
