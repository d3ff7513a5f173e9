// Requests that make and remove projects, datasets and snapshots. Each throws ApiFailure. Only code that loads later imports
// this file.
import type { QueryClient } from '@tanstack/react-query';
import { addDatapointPath, DATA_ROUTES, nodePath, restorePath } from '#features/datasets/shared/contract/dataRoutes.ts';
import { readMadeId } from '#features/datasets/shared/contract/datasetReader.ts';
import type { NewSnapshot } from '#features/datasets/shared/contract/datasets.ts';
import type { JsonObject } from '#core/contract/reading.ts';
import { toShapeFailure } from '#ui/client/failure.ts';
import { projectsQuery } from '#ui/client/queries.ts';
import { readJson, requestText, SAME_ORIGIN, type Connection } from '#ui/client/request.ts';

async function post(path: string, body: unknown, field: 'project_id' | 'snapshot_id', connection: Connection) {
  const answer = await requestText(path, { method: 'POST', body, connection });
  const read = readMadeId(readJson(answer), field);
  if (!read.ok) throw toShapeFailure(answer.status, answer.headers, read.reason);
  return read.value;
}

/** All trees are asked for again, and the list of projects. */
export async function refreshTrees(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: projectsQuery().queryKey }),
    client.invalidateQueries({ queryKey: ['project'] }),
  ]);
}

/** Makes an empty project and returns its id. */
export const createProject = (name: string, goal: string, connection: Connection = SAME_ORIGIN): Promise<string> =>
  post(DATA_ROUTES.createProject, { name, goal }, 'project_id', connection);

/** Freezes the rows of a dataset and returns the snapshot's id. */
export const createSnapshot = (snapshot: NewSnapshot, connection: Connection = SAME_ORIGIN): Promise<string> =>
  post(DATA_ROUTES.createSnapshot, snapshot, 'snapshot_id', connection);

/** Adds a chat row at the end of a dataset. */
export async function addRow(datasetId: string, row: JsonObject, connection: Connection = SAME_ORIGIN): Promise<void> {
  await requestText(addDatapointPath(datasetId), { method: 'POST', body: row, connection });
}

/** Hides a node and all below it. It can be restored for a day. */
export async function deleteNode(id: string, connection: Connection = SAME_ORIGIN): Promise<void> {
  await requestText(nodePath(id), { method: 'DELETE', connection });
}

export async function restoreNode(id: string, connection: Connection = SAME_ORIGIN): Promise<void> {
  await requestText(restorePath(id), { method: 'POST', connection });
}
