// Queries of the notes that people keep on nodes. Only code that loads later imports this file.
import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { Note, NoteChange, Notes } from '#features/notes/shared/notes.ts';
import { ask, send } from '#ui/client/call.ts';
import { ApiFailure } from '#ui/client/failure.ts';
import { idleInterval } from '#ui/client/polling.ts';
import { BASE, hideMissing, toPollState } from '#ui/client/queryRules.ts';
import { SAME_ORIGIN, type Connection } from '#ui/client/request.ts';

/** The notes of all nodes; null: this service keeps none. */
export function notesQuery(connection: Connection = SAME_ORIGIN) {
  return queryOptions({
    ...BASE,
    queryKey: ['notes'],
    queryFn: ({ signal }): Promise<Notes | null> =>
      ask('/api/v1/studio/notes', [], 'notes', { signal, connection })
        .then(({ notes }) => new Map(notes.map((note) => [note.node_id, note])))
        .catch(hideMissing),
    // Not compared by structure: a Map has none.
    structuralSharing: false,
    staleTime: 15_000,
    // Others write them, too.
    refetchInterval: (query) => (query.state.data === null ? false : idleInterval(toPollState(query))),
    refetchIntervalInBackground: false,
  });
}

/** Whether the note was changed elsewhere since it was read. */
export const isChangedElsewhere = (error: unknown): boolean =>
  error instanceof ApiFailure && error.status === 409 && error.code === 'note_changed';

/**
 * Saves a note; null: nothing was left in it. The trees, which show names, tags and stars, and the list of projects are asked for again. Throws
 * ApiFailure: see isChangedElsewhere.
 */
export async function saveNote(
  client: QueryClient,
  nodeId: string,
  change: NoteChange,
  connection: Connection = SAME_ORIGIN,
): Promise<Note | null> {
  const saved = await send('PUT', '/api/v1/studio/notes/{nodeId}', [nodeId], { body: change, connection });
  const { queryKey } = notesQuery(connection);
  // A list that was asked for before the change would bring back what stood before it.
  await client.cancelQueries({ queryKey });
  client.setQueryData(queryKey, (notes) => {
    const next = new Map(notes ?? []);
    next.delete(nodeId);
    return saved ? next.set(nodeId, saved) : next;
  });
  void client.invalidateQueries({ queryKey: ['project'] });
  void client.invalidateQueries({ queryKey: ['projects'] });
  return saved;
}
