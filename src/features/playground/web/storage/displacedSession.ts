// A displaced session: the page would have continued it, but the address names other models.
import type { Database } from '#ui/storage/browserDatabase.ts';
import { toModels } from '#features/playground/web/desk/panes.ts';
import { toDeskTitle } from '#features/playground/web/desk/sessionTitle.ts';
import { readStoredDesk, readStoredTurns } from './deskDatabase.ts';
import { parseDesk } from './deskRecords.ts';

export interface DisplacedSession {
  readonly id: string;
  readonly title: string;
  /** Title of a session that another tab has open with exactly the models of the address; null: there is none. */
  readonly elsewhereTitle: string | null;
}

/** The title of the first of these sessions with exactly these models. `ids`: sessions that other tabs have open. */
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
