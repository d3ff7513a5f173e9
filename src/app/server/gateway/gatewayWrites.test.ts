// Writes through the gateway: what goes up, what comes down, and what is refused before the remote is asked.
import { type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { SNAPSHOT_ID, TOKEN, type Ask } from '#service/http/testService.fixture.ts';
import { PASSED } from './gatewayWrites.ts';
import { keepGateway } from './gateway.fixture.ts';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

async function openGateway(status = 200, head: Record<string, string> = {}, answer = '{"done":true}') {
  const seen: Seen[] = [];
  const service = await keepGateway((incoming, outgoing) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      seen.push({ method, url, headers, body: Buffer.concat(parts).toString() });
      outgoing.writeHead(status, { 'content-type': 'application/json', ...head }).end(answer);
    });
  });
  return { service, seen };
}

const toUrl = (path: string): string => path.replaceAll(/\{\w+\}/g, SNAPSHOT_ID);
const FORM = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n{}\r\n--b--\r\n';

describe('a write through the gateway', () => {
  it.each(PASSED.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s goes to the same path with the key of the remote, and its answer comes back',
    async (_name, { method, path, form, body }) => {
      const { service, seen } = await openGateway();
      const ask: Ask = form
        ? { headers: { 'Content-Type': 'multipart/form-data; boundary=b' }, body: FORM }
        : body
          ? { headers: { 'Content-Type': 'application/json' }, body: '{"any": [1]}' }
          : {};
      const answer = await service.askSigned(toUrl(path), { method, ...ask });
      expect([answer.status, answer.text]).toEqual([200, '{"done":true}']);
      expect(seen).toMatchObject([{ method, url: toUrl(path), body: ask.body ?? '' }]);
      expect(seen[0]?.headers.authorization).toBe('Bearer key');
      expect(JSON.stringify(seen[0]?.headers)).not.toContain(TOKEN);
    },
  );

  it('takes of a query what the endpoint has', async () => {
    const { service, seen } = await openGateway();
    await service.askSigned('/api/v1/traces?page=2&modelIds=a%2Cb&token=x');
    expect(seen[0]?.url).toBe('/api/v1/traces?page=2&modelIds=a%2Cb');
  });

  it('takes of the headers the Idempotency-Key where the endpoint has one, so that a second attempt makes no second job', async () => {
    const { service, seen } = await openGateway();
    const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': 'one', 'X-Other': 'two' };
    for (const path of ['/api/v1/public/finetuning/create', '/api/v1/traces'])
      await service.askSigned(path, { method: 'POST', headers, body: '{}' });
    expect(seen.map((each) => [each.headers['idempotency-key'], each.headers['x-other']])).toEqual([
      ['one', undefined],
      [undefined, undefined],
    ]);
  });

  it.each<[string, string, Ask, number]>([
    ['no JSON', '/api/v1/traces', { headers: { 'Content-Type': 'application/json' }, body: '{' }, 400],
    ['a form in the place of JSON', '/api/v1/traces', { headers: { 'Content-Type': 'text/plain' }, body: '{}' }, 415],
    ['JSON in the place of a form', '/api/v1/public/datasets/create-from-jsonl', { body: '{}' }, 415],
    ['an id that is none', '/api/v1/datasets/x/addDatapoint', { body: '{}' }, 400],
    [
      'a large body',
      '/api/v1/public/snapshots/create',
      { headers: { 'Content-Type': 'application/json' }, body: `"${'x'.repeat(300_000)}"` },
      413,
    ],
  ])('of %s is refused, and the remote is not asked', async (_what, path, ask, status) => {
    const { service, seen } = await openGateway();
    expect((await service.askSigned(path, { method: 'POST', ...ask })).status).toBe(status);
    expect(seen).toEqual([]);
  });

  it.each([
    [
      404,
      '{"error":"Not found"}',
      'remote_not_offered',
      /POST \/api\/v1\/traces with status 404: .* It said: Not found$/,
    ],
    [501, '<h1>Nothing</h1>', 'remote_not_offered', /status 501/],
    [404, '{"error":{"message":"No such snapshot.","code":"snapshot_not_found"}}', 'snapshot_not_found', /^No such/],
    [501, '{"error":{"message":"PDF is not read.","code":"pdf_not_read"}}', 'pdf_not_read', /^PDF/],
  ])('that the remote answers %i %s is %s', async (status, body, code, message) => {
    const { service } = await openGateway(status, { 'x-should-retry': 'false' }, body);
    const answer = await service.post('/api/v1/traces', {});
    expect([answer.status, answer.headers['x-should-retry']]).toEqual([status, 'false']);
    expect(answer.json()).toMatchObject({ error: { code, message: expect.stringMatching(message) as string } });
  });

  it.each([
    [302, { location: 'http://127.0.0.1:9/' }, 502, 'remote_redirect'],
    [401, {}, 502, 'remote_refused_key'],
    [422, {}, 422, 'own'],
  ])('that the remote answers %i %j is %i %s', async (status, head, expected, code) => {
    const { service } = await openGateway(status, head, '{"error":{"code":"own","message":"No remote-key."}}');
    const answer = await service.post('/api/v1/public/finetuning/create', {});
    expect([answer.status, answer.text]).toEqual([expected, expect.stringContaining(code)]);
    expect(answer.text).not.toContain('remote-key');
  });
});

describe('a remote that resets a kept connection once a request has arrived', () => {
  /** It answers the first request, and then resets each that comes over a connection that it has answered on. */
  async function openResetting() {
    const done: string[] = [];
    const answered = new WeakSet<Socket>();
    let isBroken = false;
    const service = await keepGateway(async ({ method, url, socket }, outgoing) => {
      done.push(`${method} ${url}`);
      if (isBroken || answered.has(socket)) return void socket.resetAndDestroy();
      answered.add(socket);
      outgoing.setHeader('content-type', 'application/json').end('{"ok":true}');
    });
    await service.askSigned('/api/v1/models');
    return { service, done, breakAll: () => (isBroken = true) };
  }
  const CHAT_BODY = { model: 'm', messages: [{ role: 'user', content: 'x' }] };
  const CREATE = '/api/v1/public/finetuning/create';

  it('is asked again for what changes nothing, and for a change with an Idempotency-Key', async () => {
    const { service, done } = await openResetting();
    expect((await service.askSigned('/api/v1/models')).status).toBe(200);
    expect((await service.post('/api/v1/chat/completions', CHAT_BODY)).status).toBe(200);
    expect((await service.post(CREATE, {}, { 'Idempotency-Key': 'one' })).status).toBe(200);
    expect(done.filter((each) => each.endsWith(CREATE))).toHaveLength(2);
  });

  it('gets any other change once, over a connection of its own', async () => {
    const { service, done } = await openResetting();
    for (const path of [CREATE, '/api/v1/traces']) expect((await service.post(path, {})).status).toBe(200);
    expect(done.slice(1)).toEqual([`POST ${CREATE}`, 'POST /api/v1/traces']);
  });

  it('is not asked again where nobody knows whether it made the change, and that is said', async () => {
    const { service, done, breakAll } = await openResetting();
    breakAll();
    const answer = await service.post('/api/v1/traces', {});
    expect([answer.status, answer.headers['x-should-retry']]).toEqual([502, 'false']);
    expect(answer.json()).toMatchObject({
      error: {
        code: 'remote_outcome_unknown',
        message: expect.stringMatching(/^It is not known whether .* Look there before you try again/) as string,
      },
    });
    expect(done).toEqual(['GET /api/v1/models', 'POST /api/v1/traces']);
  });
});
