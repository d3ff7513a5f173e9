// A session that the page would have gone on with, had its address not asked for other models.
import type { Database } from '#web/session/browserDatabase.ts';
import { toModels } from '#web/playground/desk/panes.ts';
import { toDeskTitle } from '#web/playground/desk/sessionTitle.ts';
import { readStoredDesk, readStoredTurns } from './deskDatabase.ts';
import { parseDesk } from './deskRecords.ts';

export interface DisplacedSession {
  readonly id: string;
  readonly title: string;
  /** Title of a session with just the models of the address, which another tab has open; null: there is none. */
  readonly elsewhereTitle: string | null;
}

/** `ids`: the sessions that other tabs have open. */
export async function findTitleByModels(
  database: Database,
  ids: ReadonlySet<string>,
  models: readonly string[],
): Promise<string | null> {
  for (const id of ids) {
    const { desk } = parseDesk(await readStoredDesk(database, id), await readStoredTurns(database, id));
    const own = toModels(desk);
    if (own.length === models.length && own.every((model, index) => model === models[index])) return toDeskTitle(desk);
  }
  return null;
}
