import { expect, it } from 'vitest';
import { ask, send } from './call.ts';
import { connectAlike } from './server.fixture.ts';

it('an answer with its field is given as it is', async () => {
  const { asked, connection } = await connectAlike(200, '{"deleted":[]}');
  expect(await ask('/api/v1/studio/deleted', [], 'deleted', { connection })).toEqual({ deleted: [] });
  expect(asked).toEqual(['GET /api/v1/studio/deleted']);
});

it.each([
  ['{"ok":true}', 'it has no rows'],
  ['[]', 'it has no rows'],
  ['null', 'it has no rows'],
  ['<!doctype html><p>Sign in', 'it is not JSON: <!doctype html>'],
  ['', 'the answer is empty'],
])('the answer %s of another program is a failure with words', async (text, words) => {
  const { connection } = await connectAlike(200, text);
  const asked = ask('/api/v1/studio/datasets/{datasetId}/table', ['d'], 'rows', { connection });
  await expect(asked).rejects.toMatchObject({ kind: 'shape', message: expect.stringContaining(words) as string });
});

it('the answer null is given where the endpoint may answer so', async () => {
  const { connection } = await connectAlike(200, 'null');
  const path = '/api/v1/studio/experiments/{experimentId}/progress';
  expect(await ask(path, ['e'], 'points', { connection, isNullable: true })).toBeNull();
});

it('a change is sent with its body, and answered with nothing or with what was made', async () => {
  const none = await connectAlike(204, '');
  const path = '/api/v1/studio/nodes/{nodeId}';
  expect(await send('DELETE', path, ['n/1'], { connection: none.connection })).toBeUndefined();
  expect(none.asked).toEqual(['DELETE /api/v1/studio/nodes/n%2F1']);
  const made = await connectAlike(200, '{"measure":"loss"}');
  const measure = await send('PUT', '/api/v1/studio/datasets/{datasetId}/main-measure', ['d'], {
    body: { measure: 'loss' },
    field: 'measure',
    connection: made.connection,
  });
  expect(measure).toEqual({ measure: 'loss' });
  expect(made.asked).toEqual(['PUT /api/v1/studio/datasets/d/main-measure {"measure":"loss"}']);
});
