// The studio's library as a page uses it. What a person adds is kept in this browser first and then sent, so that nothing is
// lost while the studio is away, and what browsers kept before there was a library moves into it once.
import type { LibraryItem, LibraryKind } from '#features/playground/shared/library.ts';
import { ask, send } from '#ui/client/call.ts';
import { ApiFailure, isMissing } from '#ui/client/failure.ts';
import { hideMissing } from '#ui/client/queryRules.ts';
import { SAME_ORIGIN, type Connection } from '#ui/client/request.ts';
import { READ_ONLY, toWhoWords } from '#ui/client/rights.ts';

/** What only this browser has. */
export interface OwnItem {
  readonly id: string;
  readonly name: string | null;
  readonly content: string;
}

export interface SyncedLibrary {
  /** null: this service has no library. */
  readonly items: readonly LibraryItem[] | null;
  /** Own items that the studio has now, by their ids, as they were when they were sent. */
  readonly sent: ReadonlyMap<string, OwnItem>;
  /** Why it does not have the others; null: it has all. */
  readonly reason: string | null;
}

/** Ids of own items that were removed on this page: what was on the way to the studio goes from there too. */
export const removedHere = new Set<string>();

const PATH = '/api/v1/studio/library/{kind}';

const list = (kind: LibraryKind, connection: Connection): Promise<readonly LibraryItem[] | null> =>
  ask(PATH, [kind], 'items', { connection })
    .then(({ items }) => items)
    .catch(hideMissing);

/** Throws ApiFailure; see isOvertaken. */
export const saveItem = (
  kind: LibraryKind,
  { id, name, content }: OwnItem,
  revision: number,
  connection: Connection = SAME_ORIGIN,
): Promise<LibraryItem> =>
  send('PUT', `${PATH}/{itemId}`, [kind, id], { body: { name, content, revision }, field: 'id', connection });

/** Throws ApiFailure; see isOvertaken. */
export const deleteItem = (
  kind: LibraryKind,
  { id, revision }: Pick<LibraryItem, 'id' | 'revision'>,
  connection: Connection = SAME_ORIGIN,
): Promise<void> => send('DELETE', `${PATH}/{itemId}`, [kind, id], { query: { revision }, connection });

/** Whether somebody else changed the item since it was read. */
export const isOvertaken = (error: unknown): boolean =>
  error instanceof ApiFailure && error.status === 409 && error.code === 'item_changed';

export const isSameItem = (a: Pick<OwnItem, 'name' | 'content'>, b: Pick<OwnItem, 'name' | 'content'>): boolean =>
  a.name === b.name && a.content === b.content;

/** Runs a step once for each call, one after another: what an older one read never replaces what a newer one read. */
export function toQueue(step: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(step, step));
}

export function toReason(error: unknown): string {
  if (!(error instanceof ApiFailure)) return String(error);
  return error.code === 'read_only_token' ? READ_ONLY : `${error.message} ${error.hint}`;
}

/** undefined: not known. */
export const toBy = (who: string | null | undefined): string => (who === undefined ? '' : `by ${toWhoWords(who)}`);

/** Reads the library without what was removed here, which it deletes there. */
async function listKept(kind: LibraryKind, connection: Connection): Promise<readonly LibraryItem[] | null> {
  const items = await list(kind, connection);
  const gone = new Set<string>();
  for (const item of items ?? []) {
    if (!removedHere.has(item.id)) continue;
    try {
      await deleteItem(kind, item, connection);
      gone.add(item.id);
    } catch (error) {
      if (isMissing(error)) gone.add(item.id);
      // Somebody uses it since.
      else if (!isOvertaken(error)) throw error;
    }
    removedHere.delete(item.id);
  }
  return items && items.filter(({ id }) => !gone.has(id));
}

/** Gives why the studio does not take an item; null: it has it. */
async function sendItem(kind: LibraryKind, item: OwnItem, connection: Connection): Promise<ApiFailure | null> {
  try {
    await saveItem(kind, item, 0, connection);
    return null;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    // Ids are random: another tab sent it.
    return isOvertaken(error) ? null : error;
  }
}

/** Sends what only this browser has of these, unless the library has the same, and reads the library. Throws ApiFailure. */
export async function syncLibrary(
  kind: LibraryKind,
  ids: readonly string[],
  findOwn: (id: string) => OwnItem | undefined,
  connection: Connection = SAME_ORIGIN,
): Promise<SyncedLibrary> {
  const items = await listKept(kind, connection);
  const sent = new Map<string, OwnItem>();
  if (items === null) return { items, sent, reason: null };
  const known = new Set(items.map(({ name, content }) => JSON.stringify([name, content])));
  let failure: ApiFailure | null = null;
  let isNew = false;
  for (const id of ids) {
    // It may have been removed or renamed while others were sent.
    const item = findOwn(id);
    if (!item) continue;
    const isKnown = known.has(JSON.stringify([item.name, item.content]));
    const refusal: ApiFailure | null = isKnown ? null : await sendItem(kind, item, connection);
    if (refusal === null) sent.set(id, item);
    else failure ??= refusal;
    isNew ||= !isKnown && refusal === null;
    // What is wrong with one item does not concern the next, but a full library has no room for it either.
    if (refusal !== null && (refusal.status !== 400 || refusal.code === 'library_full')) break;
  }
  return { items: isNew ? await listKept(kind, connection) : items, sent, reason: failure && toReason(failure) };
}
