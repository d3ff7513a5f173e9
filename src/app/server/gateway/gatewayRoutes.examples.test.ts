// What only some studios have, through the gateway: example prompts of a remote that has them, and rows of none.
import { expect, it } from 'vitest';
import { SNAPSHOT_ID } from '#service/http/testService.fixture.ts';
import { keepGateway } from './gateway.fixture.ts';

const JSON_HEAD = { 'content-type': 'application/json' };

it('passes those of the remote on, whatever the model is called', async () => {
  const asked: unknown[] = [];
  const service = await keepGateway((incoming, outgoing) => {
    asked.push(incoming.url);
    outgoing.writeHead(200, JSON_HEAD).end('{"model":"org/m","prompts":["Hello"]}');
  });
  const answer = await service.askSigned('/api/examples/org%2Fm');
  expect([answer.status, answer.json()]).toEqual([200, { model: 'org/m', prompts: ['Hello'] }]);
  expect(asked).toEqual(['/api/examples/org%2Fm']);
});

it.each([
  ['/api/v1/completions', { model: 'm', prompt: 'x', echo: true, logprobs: 1 }],
  ['/api/v1/responses', { model: 'm', input: 'x', instructions: 'y' }],
])('passes %s on as it was asked, and the answer of a remote that lacks it', async (path, body) => {
  const asked: unknown[] = [];
  const service = await keepGateway((incoming, outgoing) => {
    let text = '';
    incoming.on('data', (part: Buffer) => (text += part.toString()));
    incoming.on('end', () => {
      asked.push([incoming.url, JSON.parse(text)]);
      outgoing.writeHead(404, JSON_HEAD).end('{"error":{"message":"no such endpoint"}}');
    });
  });
  const answer = await service.post(path, { ...body, further: 1 });
  expect([answer.status, answer.text]).toEqual([404, expect.stringContaining('no such endpoint')]);
  expect(asked).toEqual([[path, body]]);
});

it.each(['org%2Fm', 'org/m'])('passes the model %s on', async (name) => {
  const asked: unknown[] = [];
  const service = await keepGateway((incoming, outgoing) => {
    asked.push(incoming.url);
    outgoing.writeHead(200, JSON_HEAD).end('{"id":"org/m"}');
  });
  const answer = await service.askSigned(`/api/v1/models/${name}`);
  expect([answer.status, answer.json()]).toEqual([200, { id: 'org/m' }]);
  expect((await service.askSigned('/api/v1/models/%2E%2E')).status).toBe(404);
  expect(asked).toEqual(['/api/v1/models/org%2Fm']);
});

it.each([
  [404, JSON_HEAD, '{"error":{"message":"no such endpoint"}}'],
  [405, JSON_HEAD, '{}'],
  [200, { 'content-type': 'text/html' }, '<!doctype html>'],
  [200, JSON_HEAD, 'null'],
])('answers 200 with null where the remote answers %i %j %s', async (status, head, body) => {
  const service = await keepGateway((_, outgoing) => void outgoing.writeHead(status, head).end(body));
  const answer = await service.askSigned('/api/examples/m');
  expect([answer.status, answer.json()]).toEqual([200, null]);
});

it('has no rows, says why, and does not ask the remote', async () => {
  const asked: unknown[] = [];
  const service = await keepGateway((incoming, outgoing) => {
    asked.push(incoming.url);
    outgoing.writeHead(200, JSON_HEAD).end('{}');
  });
  const answer = await service.askSigned(`/api/v1/studio/snapshots/${SNAPSHOT_ID}/rows?bucket=training`);
  expect(answer.status).toBe(404);
  expect(answer.json()).toMatchObject({
    error: { code: 'rows_not_available', message: expect.stringContaining('http://127.0.0.1:') as string },
  });
  expect(asked).toEqual([]);
});

it('says when the remote fails', async () => {
  const service = await keepGateway((_, outgoing) => void outgoing.writeHead(500, JSON_HEAD).end('{}'));
  expect((await service.askSigned('/api/examples/m')).status).toBeGreaterThanOrEqual(500);
});
