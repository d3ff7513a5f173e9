// Errors of a remote studio through the gateway: its own words and status, never its key.
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { UNKNOWN_ID, type TestService } from '#service/http/testService.fixture.ts';
import { keepGateway } from '#app/server/gateway/gateway.fixture.ts';

const CHAT = '/api/v1/chat/completions';
const PROJECTS = '/api/v1/public/projects';
const JOBS = '/api/v1/public/finetuning';
const KEY = 'key/with"quote';
const CHAT_BODY = { model: 'echo', messages: [{ role: 'user', content: 'Hi' }], stream: true };

/** A gateway to a remote that answers every request in this way. */
const openGateway = (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<TestService> =>
  keepGateway((request, response) => void request.resume().on('end', () => answer(request, response)), { apiKey: KEY });

describe('a remote that repeats the key in an error', () => {
  const escaped = '{"error": "no such user: key\\/with\\u0022quote"}';

  it.each<[string, number, string]>([
    ['as text', 500, `Traceback: Authorization: Bearer ${KEY}`],
    ['in JSON', 422, JSON.stringify({ error: { message: `Bearer ${KEY}`, [KEY]: 1 } })],
    ['in JSON with escapes', 404, escaped],
    ['where access is denied', 403, escaped],
  ])('%s: it does not get through, whatever was asked', async (_form, status, text) => {
    const service = await openGateway((_, response) =>
      response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': KEY }).end(text),
    );
    for (const answer of [
      await service.askSigned(PROJECTS),
      await service.askSigned(`${JOBS}/${UNKNOWN_ID}`),
      await service.post(CHAT, CHAT_BODY),
    ]) {
      expect(answer.status).toBe(status);
      expect(answer.text).toContain('…');
      for (const part of ['quote', 'key/with', 'key\\/with']) expect(answer.text).not.toContain(part);
      expect(answer.headers['x-request-id']).not.toBe(KEY);
    }
  });

  it('too long, or compressed, its text is not passed on, but its status is', async () => {
    const long = Buffer.from(`${' '.repeat(64 * 1024 - 5)}${KEY}`);
    for (const [bytes, encoding] of [
      [long, 'identity'],
      [gzipSync(KEY), 'gzip'],
    ] as const) {
      const service = await openGateway((_, response) =>
        response.writeHead(500, { 'content-encoding': encoding, 'retry-after': '7' }).end(bytes),
      );
      for (const answer of [await service.askSigned(PROJECTS), await service.post(CHAT, CHAT_BODY)]) {
        expect([answer.status, answer.headers['retry-after'], answer.headers['content-encoding']]).toEqual([
          500,
          '7',
          undefined,
        ]);
        expect(answer.json()).toMatchObject({
          error: { code: 'remote_error', message: expect.stringContaining('status 500') as string },
        });
        expect(answer.text.length).toBeLessThan(1000);
      }
    }
  });
});

it('an error that is cut off in the middle is a 502', async () => {
  const service = await openGateway((_, response) =>
    response.writeHead(500, { 'content-length': '100' }).write('half', () => response.destroy()),
  );
  for (const answer of [await service.askSigned(PROJECTS), await service.post(CHAT, CHAT_BODY)]) {
    expect(answer.status).toBe(502);
    expect(answer.json()).toMatchObject({ error: { code: 'remote_cut' } });
  }
});
