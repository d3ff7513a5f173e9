import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { ApiFailure } from '#ui/client/failure.ts';
import { connectAlike } from '#ui/client/server.fixture.ts';
import { createProject, createSnapshot, deleteNode, restoreNode } from './dataChanges.ts';
import { datasetQuery } from './datasetQueries.ts';
import { requestRecommendation } from '#features/experiments/web/recommendationRequest.ts';

it('what is made is sent as the service wants it, and its id comes back', async () => {
  const made = await connectAlike(200, { project_id: 'p1', snapshot_id: 's1' });
  expect(await createProject('Invoices', 'Read them', made.connection)).toBe('p1');
  expect(await createSnapshot({ dataset_id: 'd1', split_percentage: 70 }, made.connection)).toBe('s1');
  await requestRecommendation('s1', made.connection);
  await deleteNode('n/1', made.connection);
  await restoreNode('n/1', made.connection);
  expect(made.asked).toEqual([
    'POST /api/v1/public/projects/create {"name":"Invoices","goal":"Read them"}',
    'POST /api/v1/public/snapshots/create {"dataset_id":"d1","split_percentage":70}',
    'POST /api/v1/public/recommendations/generate {"snapshot_id":"s1"}',
    'DELETE /api/v1/studio/nodes/n%2F1',
    'POST /api/v1/studio/nodes/n%2F1/restore',
  ]);
});

it('a dataset of a service that says less than ours is read', async () => {
  const record = { id: 'd1', name: 'Rows', status: 'completed', datapoints_count: 3, project_id: null };
  const { connection } = await connectAlike(200, record);
  const read = await new QueryClient().fetchQuery(datasetQuery('d1', connection));
  expect(read).toEqual({
    ...record,
    form: null,
    progress: null,
    bad_lines: { count: 0, first: [] },
    same_file_as: null,
    error: null,
  });
});

it('a refusal and an answer without an id are failures that say what is wrong', async () => {
  const refusing = await connectAlike(400, { error: { message: 'The name is taken.', param: 'name' } });
  await expect(createProject('x', '', refusing.connection)).rejects.toMatchObject({
    message: 'The name is taken.',
    param: 'name',
  });
  const odd = await connectAlike(200, { id: 'p1' });
  const failure = await createProject('x', '', odd.connection).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiFailure);
  expect((failure as ApiFailure).message).toContain('project_id');
});
