// Every endpoint of the local studio over real HTTP: answers that follow the contract's schemas, ids, bodies, ETags.
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { modelListSchema, modelSchema } from '#core/contract/completion.ts';
import { jobSchema } from '#core/contract/job.ts';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { recommendationSchema } from '#core/contract/recommendation.ts';
import { projectListSchema, projectResponseSchema } from '#core/contract/tree.ts';
import {
  DATASET_ID,
  JOB_ID,
  openTestService,
  PROJECT_ID,
  SNAPSHOT_ID,
  TOKEN,
  UNKNOWN_ID,
} from '#service/http/testService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

const service = await keep(openTestService());

const PROJECTS = '/api/v1/public/projects';
const RECOMMENDATIONS = '/api/v1/public/recommendations';
const JOBS = '/api/v1/public/finetuning';
const CHAT = '/api/v1/chat/completions';

describe('reading', () => {
  it('answers follow the schemas', async () => {
    expect(projectListSchema.safeParse((await service.askSigned(PROJECTS)).json()).success).toBe(true);
    expect(projectResponseSchema.safeParse((await service.askSigned(`${PROJECTS}/${PROJECT_ID}`)).json()).success).toBe(
      true,
    );
    expect(
      recommendationSchema.safeParse((await service.askSigned(`${RECOMMENDATIONS}/${SNAPSHOT_ID}`)).json()).success,
    ).toBe(true);
    expect(jobSchema.safeParse((await service.askSigned(`${JOBS}/${JOB_ID}`)).json()).success).toBe(true);
    expect(modelListSchema.safeParse((await service.askSigned('/api/v1/models')).json()).success).toBe(true);
    expect(modelSchema.safeParse((await service.askSigned('/api/v1/models/plain')).json()).success).toBe(true);
    expect((await service.askSigned('/api/session')).json()).toEqual({
      mode: 'local',
      remote: null,
      learning_rate_is_absolute: true,
      who: null,
      rights: 'own',
    });
    expect((await service.ask('/healthz')).json()).toEqual({ status: 'ok', version: '1.2.3' });
  });

  it.each([
    [`${PROJECTS}/${UNKNOWN_ID}`, 404, 'projectId', 'project_not_found'],
    [`${PROJECTS}/42`, 400, 'projectId', 'invalid_id'],
    [`${PROJECTS}/${PROJECT_ID}x`, 400, 'projectId', 'invalid_id'],
    [`${PROJECTS}/..%2F..%2Fetc%2Fpasswd`, 400, 'projectId', 'invalid_id'],
    [`${PROJECTS}/%00`, 400, 'projectId', 'invalid_id'],
    [`${PROJECTS}/%E0%A4%A`, 400, 'projectId', 'invalid_id'],
    ['/api/v1/models/org/none', 404, 'model', 'model_not_found'],
    [`${RECOMMENDATIONS}/${UNKNOWN_ID}`, 404, 'snapshotId', 'snapshot_not_found'],
    [`${RECOMMENDATIONS}/none`, 400, 'snapshotId', 'invalid_id'],
    [`${JOBS}/${UNKNOWN_ID}`, 404, 'jobId', 'job_not_found'],
    [`${JOBS}/none`, 400, 'jobId', 'invalid_id'],
    [`${JOBS}/${JOB_ID}/more`, 404, null, 'not_found'],
    [`${PROJECTS}/${PROJECT_ID}/more`, 404, null, 'not_found'],
    ['/api/v2/models', 404, null, 'not_found'],
  ])('%s is %i', async (path, status, param, code) => {
    const answer = await service.askSigned(path);
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject({ error: { param, code } });
  });

  it('ids may be in capitals; a model id may hold a slash', async () => {
    expect((await service.askSigned(`${PROJECTS}/${PROJECT_ID.toUpperCase()}`)).status).toBe(200);
    expect((await service.askSigned('/api/examples/org%2Fmodel')).json()).toMatchObject({ model: 'org/model' });
    const none = await service.askSigned('/api/examples/unknown');
    expect([none.status, none.json()]).toEqual([200, null]);
  });
});

describe('an unchanged poll', () => {
  const tree = `${PROJECTS}/${PROJECT_ID}`;
  it('is a 304 without a body, a change is a 200 with another tag', async () => {
    const first = await service.askSigned(tree);
    const etag = String(first.headers['etag']);
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
    expect(first.headers['cache-control']).toBe('private, no-cache');
    const same = await service.askSigned(tree, { headers: { 'If-None-Match': etag } });
    expect(same.status).toBe(304);
    expect(same.body).toHaveLength(0);
    expect(same.headers['etag']).toBe(etag);
    service.studio.project = { ...service.studio.project, name: 'Renamed' };
    const changed = await service.askSigned(tree, { headers: { 'If-None-Match': etag } });
    expect(changed.status).toBe(200);
    expect(changed.headers['etag']).not.toBe(etag);
  });

  it('writes the tree once, and again only when the studio gives another', async () => {
    const toJson = vi.fn<() => string>(() => 'written');
    const before = service.studio.project;
    const plant = (): void =>
      void (service.studio.project = Object.assign({ ...before }, { name: { toJSON: toJson } as unknown as string }));
    plant();
    const etag = String((await service.askSigned(tree)).headers['etag']);
    for (let poll = 0; poll < 3; poll += 1)
      expect((await service.askSigned(tree, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    const whole = await service.askSigned(tree);
    expect(whole.json()).toMatchObject({ project: { name: 'written' } });
    expect(whole.headers['etag']).toBe(etag);
    expect(toJson).toHaveBeenCalledTimes(1);
    plant();
    await service.askSigned(tree);
    expect(toJson).toHaveBeenCalledTimes(2);
    service.studio.project = before;
  });

  it.each([
    ['"other"', 200],
    ['*', 304],
    ['"a", TAG , "b"', 304],
    ['', 200],
  ])('If-None-Match: %s is %i', async (header, status) => {
    const etag = String((await service.askSigned(tree)).headers['etag']);
    expect((await service.askSigned(tree, { headers: { 'If-None-Match': header.replace('TAG', etag) } })).status).toBe(
      status,
    );
  });

  it.each([`${RECOMMENDATIONS}/${SNAPSHOT_ID}`, `${JOBS}/${JOB_ID}`])('%s has a tag as well', async (path) => {
    const etag = String((await service.askSigned(path)).headers['etag']);
    expect((await service.askSigned(path, { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });
});

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('every body gets an answer', () => {
  const bodies: [string, string | Buffer, number, string][] = [
    ['nothing', '', 400, 'invalid_json'],
    ['blank', ' \n ', 400, 'invalid_json'],
    ['half an object', '{"model": "plain",', 400, 'invalid_json'],
    ['single quotes', "{'model': 1}", 400, 'invalid_json'],
    ['trailing comma', '{"model":"plain",}', 400, 'invalid_json'],
    ['two values', '{} {}', 400, 'invalid_json'],
    ['NaN', '{"temperature": NaN}', 400, 'invalid_json'],
    ['a BOM in the middle', '{\ufeff}', 400, 'invalid_json'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 400, 'invalid_utf8'],
    ['a cut character', Buffer.from('{"model":"ü'.slice(0, 11)).subarray(0, -1), 400, 'invalid_utf8'],
    ['200,000 levels', deep(200_000), 400, 'body_too_deep'],
    ['200,000 open levels', '['.repeat(200_000), 400, 'body_too_deep'],
    ['levels in objects', '{"a":'.repeat(200_000), 400, 'body_too_deep'],
    ['a long string that never ends', `{"model":"${'\\"'.repeat(1_000_000)}`, 400, 'invalid_json'],
    ['null', 'null', 400, 'invalid_request'],
    ['a list', '[]', 400, 'invalid_request'],
    ['a number', '1e999', 400, 'invalid_request'],
    ['no messages', '{"model":"plain"}', 400, 'invalid_request'],
    ['__proto__', '{"__proto__":{"messages":[{"role":"user","content":"x"}],"model":"plain"}}', 400, 'invalid_request'],
    ['one byte too many', ' '.repeat(REQUEST_LIMITS.bodyBytes + 1), 413, 'body_too_large'],
  ];
  it.each(bodies)('%s', async (_, body, status, code) => {
    const answer = await service.askSigned(CHAT, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject({ error: { code } });
    expect((await service.ask('/healthz')).status).toBe(200);
  });

  it('says where JSON breaks', async () => {
    const answer = await service.askSigned(CHAT, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"model": "plain",\n "stop": [1,]}',
    });
    expect(answer.json()).toMatchObject({ error: { message: expect.stringContaining('line 2, column 13') as string } });
  });

  it('a body without a declared length is counted while it comes', async () => {
    let sent = 0;
    const chunk = new Uint8Array(1024 * 1024).fill(32);
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        if (sent > 40) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const options = {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      body,
      duplex: 'half' as const,
    };
    const answer = await fetch(`${service.origin}${CHAT}`, options);
    expect(answer.status).toBe(413);
    await answer.text();
    expect((await service.ask('/healthz')).status).toBe(200);
  });

  it.each([
    ['messages[0].role', { messages: [{ role: 'robot', content: 'x' }] }],
    [
      'messages[1].role',
      {
        messages: [
          { role: 'user', content: 'x' },
          { role: 'system', content: 'y' },
        ],
      },
    ],
    ['temperature', { temperature: 2.01 }],
    ['top_p', { top_p: -0.01 }],
    ['presence_penalty', { presence_penalty: 2.1 }],
    ['max_completion_tokens', { max_completion_tokens: 0 }],
    ['seed', { seed: 1.5 }],
    ['stream', { stream: 'yes' }],
    ['tool_choice', { tool_choice: 'required' }],
    ['model', { model: '' }],
  ])('names %s', async (param, change) => {
    const answer = await service.post(CHAT, { model: 'plain', messages: [{ role: 'user', content: 'x' }], ...change });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ error: { param, type: 'invalid_request_error' } });
  });

  it('prototypes stay as they are, unknown fields reach no engine', async () => {
    const body =
      '{"model":"plain","messages":[{"role":"user","content":"x","extra":1}],"secret_option":true,"__proto__":{"polluted":1},"tools":[{"type":"function","function":{"name":"f","parameters":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}}]}';
    const answer = await service.askSigned(CHAT, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    expect(answer.status).toBe(200);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    const seen = service.engine.requests.at(-1) as Record<string, unknown>;
    expect(seen['secret_option']).toBeUndefined();
    expect(seen['polluted']).toBeUndefined();
    expect(JSON.stringify(seen['messages'])).toBe('[{"role":"user","content":"x"}]');
  });

  it.each(['/api/session', CHAT])('%s: a POST without a body or type is 415', async (path) => {
    expect((await service.askSigned(path, { method: 'POST' })).status).toBe(415);
  });
});

describe('what goes wrong inside', () => {
  it('is a 500 that names the request and tells no detail; the log has it', async () => {
    const broken = await openTestService();
    broken.studio.listProjects = () => Promise.reject(new Error('password=hunter2'));
    const answer = await broken.askSigned(PROJECTS);
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('hunter2');
    expect(answer.text).toContain(String(answer.headers['x-request-id']));
    expect(broken.log.join('\n')).toContain(String(answer.headers['x-request-id']));
    expect((await broken.ask('/healthz')).status).toBe(200);
    await broken.close();
  });
});

describe('choosing the main measure of a dataset', () => {
  const path = (id: string): string => `/api/v1/studio/datasets/${id}/main-measure`;
  const put = (id: string, body: unknown) =>
    service.askSigned(path(id), {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('answers what is chosen now', async () => {
    expect((await put(DATASET_ID, { measure: 'exact_match' })).json()).toEqual({ measure: 'exact_match' });
    expect((await put(DATASET_ID, { measure: null })).json()).toEqual({ measure: null });
  });

  it.each([
    [DATASET_ID, { measure: 'bleu' }, 400, 'unknown_measure'],
    [DATASET_ID, {}, 400, 'invalid_request'],
    [DATASET_ID, { measure: 7 }, 400, 'invalid_request'],
    [DATASET_ID, { measure: 'a\0b' }, 400, 'invalid_request'],
    [DATASET_ID, [], 400, 'invalid_request'],
    [UNKNOWN_ID, { measure: null }, 404, 'dataset_not_found'],
    ['none', { measure: null }, 400, 'invalid_id'],
  ])('%s with %j: %i %s', async (id, body, status, code) => {
    const answer = await put(id, body);
    expect([answer.status, answer.json()]).toMatchObject([status, { error: { code } }]);
  });

  it('takes PUT alone', async () => {
    expect((await service.askSigned(path(DATASET_ID))).status).toBe(405);
  });
});

describe('a compressed body', () => {
  it.each(['gzip', 'br', 'X'])('with %s is refused by its encoding', async (encoding) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding };
    for (const path of [CHAT, '/api/session']) {
      const answer = await service.askSigned(path, { method: 'POST', headers, body: gzipSync('{}') });
      expect([answer.status, answer.json()]).toMatchObject([415, { error: { code: 'unsupported_encoding' } }]);
      expect(answer.text).toContain(`\\"${encoding.toLowerCase()}\\"`);
    }
  });

  it('is none with identity, or where there is no body', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'identity' };
    expect((await service.askSigned(CHAT, { method: 'POST', headers, body: '{}' })).status).toBe(400);
    expect((await service.askSigned(PROJECTS, { headers: { 'Content-Encoding': 'gzip' } })).status).toBe(200);
  });
});

describe('a body that is refused while it is being sent', () => {
  /** Sends for most of a second, and reads no answer before it has sent everything. */
  async function send(method: string, path: string, Authorization: string): Promise<number | undefined> {
    const headers = { 'Content-Type': 'application/json', Authorization };
    const sent = request({ port: service.port, host: '127.0.0.1', path, method, headers, agent: false });
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    for (let count = 0; count < 40; count += 1) {
      if (!sent.write(Buffer.alloc(256 * 1024, ' '))) await once(sent, 'drain');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    sent.end();
    const [answer] = await answered;
    answer.resume();
    return answer.statusCode;
  }

  it.each([
    ['PUT', `/api/v1/studio/datasets/${DATASET_ID}/main-measure`, 413],
    ['POST', CHAT, 413],
    ['POST', '/api/session', 413],
    ['POST', '/api/nothing', 404],
    ['PUT', PROJECTS, 405],
  ])('%s %s: its sender gets the answer', async (method, path, status) => {
    expect(await send(method, path, `Bearer ${TOKEN}`)).toBe(status);
  });

  it('also without a token', async () => {
    expect(await send('POST', CHAT, '')).toBe(401);
  });
});
