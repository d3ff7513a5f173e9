import { useQuery } from '@tanstack/react-query';
import type { Notes } from '#features/notes/shared/notes.ts';
import { notesQuery } from './noteQueries.ts';
import { sessionQuery } from '#ui/client/queries.ts';

export interface KnownNotes {
  /** Whether the studio keeps notes, as far as is known: a gateway keeps none. */
  readonly areKept: boolean;
  /** undefined: not read yet. */
  readonly notes: Notes | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

export function useNotes(): KnownNotes {
  const { data: session } = useQuery(sessionQuery());
  const isLocal = session?.mode === 'local';
  const { data, error, refetch } = useQuery({ ...notesQuery(), enabled: isLocal });
  return { areKept: isLocal && data !== null, notes: data ?? undefined, error, refetch };
}
