// Asks for what the first view shows while the page is still put together: asked for by its parts, each answer would
// wait for the drawing of the one before.
import type { QueryClient } from '@tanstack/react-query';
import { modelsQuery, projectQuery, projectsQuery, sessionQuery } from './queries.ts';
import { SAME_ORIGIN, type Connection } from './request.ts';

/**
 * `named`: the project of the address; null: the first there is. Signed out, nothing but the session is asked for.
 * Never rejects: whoever shows an answer meets its failure.
 */
export async function askAhead(
  client: QueryClient,
  named: string | null,
  connection: Connection = SAME_ORIGIN,
): Promise<void> {
  const session = sessionQuery(connection);
  await client.prefetchQuery(session);
  if (client.getQueryData(session.queryKey) === undefined) return;
  const models = client.prefetchQuery(modelsQuery(connection));
  const projects = projectsQuery(connection);
  if (named === null) await client.prefetchQuery(projects);
  const id = named ?? client.getQueryData(projects.queryKey)?.[0]?.id;
  if (id !== undefined) await client.prefetchQuery(projectQuery(id, connection));
  await models;
}
