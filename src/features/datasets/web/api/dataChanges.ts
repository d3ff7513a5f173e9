// Requests that make and remove projects, datasets and snapshots. Each throws ApiFailure. Only code that loads later imports
// this file.
import type { QueryClient } from '@tanstack/react-query';
import type { NewDatapoint, NewSnapshot } from '#features/datasets/shared/contract/datasets.ts';
import { send } from '#ui/client/call.ts';
import { projectsQuery } from '#ui/client/queries.ts';
import { SAME_ORIGIN, type Connection } from '#ui/client/request.ts';

/** All trees are asked for again, and the list of projects. */
export async function refreshTrees(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: projectsQuery().queryKey }),
    client.invalidateQueries({ queryKey: ['project'] }),
  ]);
}

/** Makes an empty project and returns its id. */
export async function createProject(name: string, goal: string, connection: Connection = SAME_ORIGIN): Promise<string> {
  const body = { name, goal };
  const made = await send('POST', '/api/v1/public/projects/create', [], { body, field: 'project_id', connection });
  return made.project_id;
}

/** Freezes the rows of a dataset and returns the snapshot's id. */
export async function createSnapshot(body: NewSnapshot, connection: Connection = SAME_ORIGIN): Promise<string> {
  const made = await send('POST', '/api/v1/public/snapshots/create', [], { body, field: 'snapshot_id', connection });
  return made.snapshot_id;
}

/** Adds a chat row at the end of a dataset. */
export async function addRow(datasetId: string, row: object, connection: Connection = SAME_ORIGIN): Promise<void> {
  // The service reads it, and says what is wrong with it.
  const body = row as unknown as NewDatapoint;
  await send('POST', '/api/v1/datasets/{datasetId}/addDatapoint', [datasetId], { body, connection });
}

/** Hides a node and all below it. It can be restored for a day. */
export async function deleteNode(id: string, connection: Connection = SAME_ORIGIN): Promise<void> {
  await send('DELETE', '/api/v1/studio/nodes/{nodeId}', [id], { connection });
}

export async function restoreNode(id: string, connection: Connection = SAME_ORIGIN): Promise<void> {
  await send('POST', '/api/v1/studio/nodes/{nodeId}/restore', [id], { connection });
}
