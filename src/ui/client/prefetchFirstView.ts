// Requests the data of the first view while the page loads. Requested by its components, each answer would wait until
// the previous one is drawn.
import type { QueryClient } from '@tanstack/react-query';
import { modelsQuery, projectQuery, projectsQuery, sessionQuery } from './queries.ts';
import { SAME_ORIGIN, type Connection } from './request.ts';

/** Drawn at once with its tree, a page takes a third less of the processor. Somebody who waits longer wants the rest. */
const TREE_MS = 250;

interface FirstView {
  /** The project in the address; null: the first one. */
  readonly project: string | null;
  /** False: only the session is requested, until it says that the visitor is signed in. */
  readonly isSignedIn: boolean;
}

/**
 * Resolves once the page can be drawn. Never rejects: the component that shows an answer handles its failure.
 */
export async function prefetchFirstView(
  client: QueryClient,
  { project, isSignedIn }: FirstView,
  connection: Connection = SAME_ORIGIN,
): Promise<void> {
  const session = sessionQuery(connection);
  const projects = projectsQuery(connection);
  const isAnswered = client.prefetchQuery(session);
  if (!isSignedIn) {
    await isAnswered;
    if (client.getQueryData(session.queryKey) === undefined) return;
  }
  if (project === null) await client.prefetchQuery(projects);
  const id = project ?? client.getQueryData(projects.queryKey)?.[0]?.id;
  const tree = id === undefined ? undefined : client.prefetchQuery(projectQuery(id, connection));
  void client.prefetchQuery(modelsQuery(connection));
  await isAnswered;
  await Promise.race([tree, new Promise((resolve) => void setTimeout(resolve, TREE_MS))]);
}
