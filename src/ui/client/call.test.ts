import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { ask, send } from './call.ts';
import { keepServers } from './server.fixture.ts';

const open = keepServers();

async function serve(status: number, text: string) {
  const asked: string[] = [];
  const connection = await open(
    createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += String(part);
      asked.push(`${request.method} ${request.url} ${body}`.trim());
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(text);
    }),
  );
  return { asked, connection };
}

it('an answer with its field is given as it is', async () => {
  const { asked, connection } = await serve(200, '{"deleted":[]}');
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
  const { connection } = await serve(200, text);
  const asked = ask('/api/v1/studio/datasets/{datasetId}/table', ['d'], 'rows', { connection });
  await expect(asked).rejects.toMatchObject({ kind: 'shape', message: expect.stringContaining(words) as string });
});

it('the answer null is given where the endpoint may answer so', async () => {
  const { connection } = await serve(200, 'null');
  const path = '/api/v1/studio/experiments/{experimentId}/progress';
  expect(await ask(path, ['e'], 'points', { connection, isNullable: true })).toBeNull();
});

it('a change is sent with its body, and answered with nothing or with what was made', async () => {
  const none = await serve(204, '');
  const path = '/api/v1/studio/nodes/{nodeId}';
  expect(await send('DELETE', path, ['n/1'], { connection: none.connection })).toBeUndefined();
  expect(none.asked).toEqual(['DELETE /api/v1/studio/nodes/n%2F1']);
  const made = await serve(200, '{"measure":"loss"}');
  const measure = await send('PUT', '/api/v1/studio/datasets/{datasetId}/main-measure', ['d'], {
    body: { measure: 'loss' },
    field: 'measure',
    connection: made.connection,
  });
  expect(measure).toEqual({ measure: 'loss' });
  expect(made.asked).toEqual(['PUT /api/v1/studio/datasets/d/main-measure {"measure":"loss"}']);
});
