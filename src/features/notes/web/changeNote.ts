// Changes of a note that take effect at once: a star, the archive, a name, saved words. Each can be undone from its message.
import type { QueryClient } from '@tanstack/react-query';
import type { Note, NoteChange } from '#features/notes/shared/notes.ts';
import { fetchKept } from '#ui/client/fetchKept.ts';
import { ApiFailure } from '#ui/client/failure.ts';
import { isChangedElsewhere, notesQuery, saveNote } from './noteQueries.ts';
import { SAME_ORIGIN, type Connection } from '#ui/client/request.ts';
import { showToast } from '#ui/kit/toast.ts';
import { mergeDraft, toChange, toWords, type NoteDraft } from './noteWords.ts';

/** Of a note that others change all the time. */
const MOST_TRIES = 4;

/**
 * Saves what `toNext` makes of the note as it stands, and again of a newer one if the note was changed elsewhere. `null`
 * from `toNext`: nothing is saved. Gives whether it was saved; throws ApiFailure.
 */
async function changeNote(
  client: QueryClient,
  nodeId: string,
  toNext: (note: Note | undefined) => NoteChange | null,
  connection: Connection,
): Promise<boolean> {
  const query = notesQuery(connection);
  for (let tries = 1; ; tries += 1) {
    const known = tries === 1 ? client.getQueryData(query.queryKey) : undefined;
    const notes = known ?? (await fetchKept(client, { ...query, staleTime: 0 }));
    const change = toNext(notes?.get(nodeId));
    if (change === null) return false;
    try {
      await saveNote(client, nodeId, change, connection);
      return true;
    } catch (error) {
      if (tries === MOST_TRIES || !isChangedElsewhere(error)) throw error;
    }
  }
}

export type NotePatch = Partial<Pick<NoteChange, 'name' | 'is_starred' | 'is_archived'>>;

/** What to tell of a failed request. */
const toReason = (error: unknown): string =>
  error instanceof ApiFailure
    ? `${error.message} ${error.hint}`
    : error instanceof Error
      ? error.message
      : String(error);

/** Changes single fields, whatever the others are by now. `done`: what was done, as a sentence. */
export async function patchNote(
  client: QueryClient,
  nodeId: string,
  patch: NotePatch,
  done: string,
  connection: Connection = SAME_ORIGIN,
): Promise<void> {
  let before: NoteChange = toChange(undefined);
  const save = (next: (note: Note | undefined) => NotePatch) =>
    changeNote(client, nodeId, (note) => ({ ...toChange(note), ...next(note) }), connection);
  const tell = (error: unknown): void => showToast(`Not saved. ${toReason(error)}`, { tone: 'error' });
  const undo = (): void => {
    const old = Object.fromEntries(Object.keys(patch).map((name) => [name, before[name as keyof NotePatch]]));
    void save(() => old).catch(tell);
  };
  try {
    await save((note) => {
      before = toChange(note);
      return patch;
    });
    showToast(done, { action: { label: 'Undo', onSelect: undo } });
  } catch (error) {
    tell(error);
  }
}

/** Saves unsaved words; false: the same was changed elsewhere, and a person has to choose. Throws ApiFailure. */
export function saveDraft(
  client: QueryClient,
  nodeId: string,
  draft: NoteDraft,
  connection: Connection = SAME_ORIGIN,
): Promise<boolean> {
  return changeNote(
    client,
    nodeId,
    (note) => {
      const { words, conflicts } = mergeDraft(draft, toWords(note));
      const name = words.name.trim() === '' ? null : words.name.trim();
      return conflicts.length > 0 ? null : { ...toChange(note), name, tags: [...words.tags], text: words.text };
    },
    connection,
  );
}
