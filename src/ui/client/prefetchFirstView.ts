// Requests the data of the first view while the page loads. Requested by its components, each answer would wait until
// the previous one is drawn.
import type { QueryClient } from '@tanstack/react-query';
import { modelsQuery, projectQuery, projectsQuery, sessionQuery } from './queries.ts';
import { SAME_ORIGIN, type Connection } from './request.ts';

/**
 * `project`: the one in the address; null: the first project. When signed out, only the session is requested. Never
 * rejects: the component that shows an answer handles its failure.
 */
export async function prefetchFirstView(
  client: QueryClient,
  project: string | null,
  connection: Connection = SAME_ORIGIN,
): Promise<void> {
  const session = sessionQuery(connection);
  await client.prefetchQuery(session);
  if (client.getQueryData(session.queryKey) === undefined) return;
  const models = client.prefetchQuery(modelsQuery(connection));
  const projects = projectsQuery(connection);
  if (project === null) await client.prefetchQuery(projects);
  const id = project ?? client.getQueryData(projects.queryKey)?.[0]?.id;
  if (id !== undefined) await client.prefetchQuery(projectQuery(id, connection));
  await models;
}
