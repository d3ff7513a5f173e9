import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { makeNamedToken, TOKEN, UNKNOWN_ID } from '#service/http/testService.fixture.ts';
import {
  chat,
  expectNothingLeft,
  file,
  openDataService,
  openSlowUpload,
  toFields,
  type Part,
} from './dataService.fixture.ts';
import { toPath } from '#core/contract/path.ts';
import { keep } from '#service/files/keep.fixture.ts';

const desk = await keep(openDataService());

const rows = (count: number): string[] => Array.from({ length: count }, (_, at) => chat(`Question ${at}?`));
const get = (path: string): Promise<Record<string, unknown>> => desk.service.getJson(path);

const fields = (more?: Record<string, string>): Promise<Part[]> => toFields(desk, more);
const expectNothing = (of = desk): Promise<void> => expectNothingLeft(of);

describe('a file becomes a dataset', () => {
  it('of chat rows, in their order', async () => {
    const id = await desk.dataset(rows(600));
    expect(await get(`/api/v1/public/datasets/${id}`)).toMatchObject({
      status: 'completed',
      datapoints_count: 600,
      form: 'chat',
    });
    const page = await get(`/api/v1/studio/datasets/${id}/table?from=598`);
    expect(page).toMatchObject({ total: 600, next: null, rows: [{ question: 'Question 598?' }, { position: 599 }] });
  });

  it.each([
    ['alpaca', '{"instruction":"Hi","input":"","output":"Hello"}'],
    ['sharegpt', '{"conversations":[{"from":"human","value":"Hi"},{"from":"gpt","value":"Hello"}]}'],
    ['prompt-completion', '{"prompt":"Hi","completion":"Hello"}'],
  ])('of %s rows, which keep their original line', async (form, line) => {
    const id = await desk.dataset([line]);
    expect(await get(`/api/v1/public/datasets/${id}`)).toMatchObject({ form, datapoints_count: 1 });
    const row = await get(`/api/v1/studio/datasets/${id}/table/0`);
    expect(row).toMatchObject({ original: line, row: { messages: [{ content: 'Hi' }, { content: 'Hello' }] } });
  });

  it.each([0, 2])('of a JSON array with an indent of %d, whose elements are kept on one line each', async (indent) => {
    const elements = [
      { instruction: 'Hi', input: '', output: 'Hello\nyou', id: 1.5 },
      { instruction: 'Bye', input: '', output: '[{"', id: 2 },
    ];
    const id = await desk.dataset([JSON.stringify(elements, null, indent)]);
    expect(await get(`/api/v1/public/datasets/${id}`)).toMatchObject({
      form: 'alpaca',
      datapoints_count: 2,
      bad_lines: { count: 0 },
    });
    const { original, row } = await get(`/api/v1/studio/datasets/${id}/table/0`);
    expect(row).toMatchObject({ messages: [{ content: 'Hi' }, { content: 'Hello\nyou' }] });
    expect(original).not.toContain('\n');
    expect(JSON.parse(original as string)).toEqual(elements[0]);
    expect(original).toMatch(indent === 0 ? /^\{"instruction":"Hi",/ : /^\{ "instruction": "Hi", /);
  });

  it('of rows in another form, by a mapping', async () => {
    const mapping = { name: 'mapping', value: '{"question":"q","answer":"a"}' };
    const id = await desk.dataset(['{"q":"Hi","a":"Hello"}'], [mapping]);
    expect(await get(`/api/v1/public/datasets/${id}`)).toMatchObject({
      form: 'mapped',
      datapoints_count: 1,
    });
    const answer = await desk.upload([...(await fields({ mapping: '{"q":1}' })), file('{"q":"Hi"}')]);
    expect(answer.json()).toMatchObject({ error: { param: 'mapping' } });
  });

  it('of answers that are JSON, as its text', async () => {
    const line = '{"note":"2 kg flour","label":{"item": "flour", "qty": 2}}';
    const id = await desk.dataset([line], [{ name: 'mapping', value: '{"question":"note","answer":"label"}' }]);
    expect(await get(`/api/v1/studio/datasets/${id}/table/0`)).toMatchObject({
      original: line,
      row: { messages: [{ content: '2 kg flour' }, { content: '{"item":"flour","qty":2}' }] },
    });
  });

  it('with a byte order mark, CRLF, blank lines and no line end at the end', async () => {
    const id = await desk.dataset([`\uFEFF${chat('one')}\r`, '\r', `${chat('two')}\r`, '', chat('three')]);
    const page = await get(`/api/v1/studio/datasets/${id}/table`);
    expect(page).toMatchObject({ rows: [{ question: 'one' }, { question: 'two' }, { question: 'three' }] });
  });

  it('whose fields come after the file', async () => {
    const answer = await desk.upload([file(rows(3).join('\n')), ...(await fields())]);
    const { dataset_id } = answer.json() as { dataset_id: string };
    expect(await get(`/api/v1/public/datasets/${dataset_id}`)).toMatchObject({
      name: 'Tickets',
      datapoints_count: 3,
    });
  });

  it('under the id that the caller chose, once', async () => {
    const more = await fields({ dataset_id: UNKNOWN_ID });
    expect((await desk.upload([...more, file(chat('Hi'))])).json()).toEqual({ dataset_id: UNKNOWN_ID });
    const again = await desk.upload([...more, file(chat('Hi'))]);
    expect([again.status, again.json()]).toMatchObject([409, { error: { param: 'dataset_id' } }]);
  });

  it('but not under that of another node, which a deletion would then hit', async () => {
    const [snapshot] = (await desk.sql(
      `insert into studio.snapshots (id, dataset_id, position, label, rows_end, training_count, validation_count,
       created_at) select gen_random_uuid(), id, 0, 'S', 0, 0, 0, now() from studio.datasets limit 1 returning id`,
    )) as readonly { id: string }[];
    const deleted = await desk.dataset([chat('Hi')]);
    await desk.data.deleteNode(deleted);
    for (const dataset_id of [await desk.newProjectId(), snapshot?.id ?? '', deleted]) {
      const answer = await desk.upload([...(await fields({ dataset_id })), file(chat('Hi'))]);
      expect([answer.status, answer.json()]).toMatchObject([409, { error: { param: 'dataset_id' } }]);
      await expectNothing();
    }
    await desk.data.restoreNode(deleted);
  });

  it('and the same file twice is said', async () => {
    const first = await desk.dataset([chat('the same bytes')]);
    const second = await desk.dataset([chat('the same bytes')]);
    expect(await get(`/api/v1/public/datasets/${second}`)).toMatchObject({
      same_file_as: { id: first, name: 'Tickets' },
    });
  });

  it('whatever its file name is', async () => {
    for (const name of ['../../etc/passwd', 'C:\\\\a\\\\b.jsonl', '/tmp/x', '..', 'ü.jsonl'])
      expect((await desk.upload([...(await fields()), file(chat('Hi'), name)])).status).toBe(200);
  });

  it('while another one does', async () => {
    const [a, b] = await Promise.all([desk.dataset(rows(700)), desk.dataset(rows(500))]);
    expect(await get(`/api/v1/public/datasets/${a}`)).toMatchObject({ datapoints_count: 700 });
    expect(await get(`/api/v1/public/datasets/${b}`)).toMatchObject({ datapoints_count: 500 });
  });
});

describe('an upload that is no form of ours', () => {
  const path = '/api/v1/public/datasets/create-from-jsonl';

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'a\0b' }, 'name'],
    [{ project_id: 'x' }, 'project_id'],
    [{ form: 'csv' }, 'form'],
    [{ bad_lines: 'keep' }, 'bad_lines'],
    [{ dataset_id: '../x' }, 'dataset_id'],
    [{ dataset_id: '00000000-0000-0000-0000-000000000000' }, 'dataset_id'],
  ])('with %j names the field', async (more, param) => {
    const answer = await desk.upload([...(await fields(more as unknown as Record<string, string>)), file(chat('Hi'))]);
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { param } }]);
    await expectNothing();
  });

  it('gets its answer on the same connection, however much of it is still to come', async () => {
    const head = '--big\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n';
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const options = { port: desk.service.port, host: '127.0.0.1', path, method: 'POST', agent };
    const Authorization = `Bearer ${TOKEN}`;
    const send = (type: string) => {
      const sent = request({ ...options, headers: { Authorization, 'Content-Type': type } });
      return { sent, answered: once(sent, 'response') as Promise<[IncomingMessage]> };
    };
    const { sent, answered } = send('multipart/form-data; boundary=big');
    const faults: unknown[] = [];
    sent.on('error', (error) => faults.push(error));
    // Another part than "file" is refused at its first byte.
    sent.write(head.replace('name="file"', 'name="other"'));
    for (let count = 0; count < 40; count += 1)
      if (!sent.write(Buffer.alloc(256 * 1024, 'x'))) await once(sent, 'drain');
    sent.end('\r\n--big--\r\n');
    const [answer] = await answered;
    expect(JSON.parse((await answer.toArray()).join(''))).toMatchObject({ error: { param: 'file' } });
    const next = send('text/plain');
    next.sent.end('x');
    const [second] = await next.answered;
    expect([second.statusCode, next.sent.reusedSocket, faults]).toEqual([415, true, []]);
    second.resume();
    agent.destroy();
  });

  it('is refused as JSON, and without a boundary', async () => {
    expect((await desk.service.post(path, { name: 'A' })).status).toBe(415);
    const headers = { 'Content-Type': 'multipart/form-data; x=1' };
    expect((await desk.service.askSigned(path, { method: 'POST', body: 'x', headers })).status).toBe(400);
  });

  it('is refused with a wrong boundary, without a file, and with a file in another part', async () => {
    const parts = [...(await fields()), file(chat('Hi'))];
    expect((await desk.upload(parts, { sent: 'another' })).status).toBe(400);
    expect((await desk.upload(await fields())).json()).toMatchObject({ error: { param: 'file' } });
    const odd = { name: 'upload', value: chat('Hi'), fileName: 'x' };
    expect((await desk.upload([...(await fields()), odd])).json()).toMatchObject({ error: { param: 'file' } });
    await expectNothing();
  });

  it('is refused with 10,000 parts, and with two files', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => ({ name: `f${at}`, value: 'x' }));
    expect((await desk.upload([...(await fields()), ...many, file(chat('Hi'))])).status).toBe(400);
    const two = await desk.upload([...(await fields()), file(chat('Hi')), file(chat('Ho'))]);
    expect([two.status, two.json()]).toMatchObject([400, { error: { param: 'file' } }]);
    await expectNothing();
  });

  it('is not taken without a token', async () => {
    expect((await desk.service.ask(path, { method: 'POST' })).status).toBe(401);
  });
});

describe('an import that is ended', () => {
  async function begin(id: string, more: Record<string, string> = {}) {
    const upload = openSlowUpload(desk.service.port, '/api/v1/public/datasets/create-from-jsonl', 'slow');
    const parts = await fields({ dataset_id: id, ...more });
    const head = parts.map(
      ({ name, value }) => `--slow\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
    );
    await upload.write(
      `${head.join('')}--slow\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n${rows(2000).join('\n')}\n`,
    );
    await expect
      .poll(() => get(`/api/v1/public/datasets/${id}`))
      .toMatchObject({ status: 'processing', progress: { total: null } });
    return upload;
  }
  const ids = ['a', 'b', 'c', 'd'].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`);

  it('by its caller who leaves', async () => {
    const upload = await begin(ids[0] ?? '');
    upload.cut();
    await expect
      .poll(
        async () =>
          (await desk.service.askSigned(toPath('/api/v1/public/datasets/{datasetId}', [ids[0] ?? '']))).status,
      )
      .toBe(404);
    await expectNothing();
  });

  it('by callers who fall silent, so that they keep nobody else out', async () => {
    const impatient = await openDataService({ maxConnections: 100, stallMs: 1_500 });
    const { port } = impatient.service;
    const part = '--slow\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n';
    const silent = await Promise.all(
      ids.map(async () => {
        const upload = openSlowUpload(port, '/api/v1/public/datasets/create-from-jsonl', 'slow');
        await upload.write(`${part}${rows(1000).join('\n')}`);
        return upload;
      }),
    );
    const silence = new AbortController();
    const writing = silent.map(async (upload) => {
      for (; !silence.signal.aborted; await wait(50)) await upload.write(`\n${rows(1)[0]}`);
    });
    const send = async () => impatient.dataset([chat('Hi')]).catch(String);
    await expect.poll(send).toContain('too_many_imports');
    silence.abort();
    await Promise.all(writing);
    await expect.poll(send).toMatch(/^[0-9a-f-]{36}$/);
    await expectNothing(impatient);
    for (const upload of silent) upload.cut();
    await impatient.close();
  });

  it.each<[string | null, number]>([
    [null, DATA_LIMITS.imports],
    ['ci', DATA_LIMITS.imports - 1],
  ])('by their number, counted before anything is waited for: of %j %i at once', async (who, most) => {
    const place = { name: 'Many', project_id: await desk.projectId() };
    const settings = { form: null, bad_lines: 'refuse' } as const;
    const start = () => desk.data.startImport({ datasetId: null, place, settings, fileName: null, total: null, who });
    const started = await Promise.allSettled(Array.from({ length: 9 }, start));
    const running = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(running).toHaveLength(most);
    expect(started.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'too_many_imports' } });
    await Promise.all(running.map((each) => each.cancel()));
    const again = await start();
    await again.cancel();
    await expectNothing();
  });

  it('by the revocation of the token that sends it', async () => {
    const { token, tokens, revoke } = makeNamedToken('ci');
    const watched = await openDataService(undefined, tokens);
    const upload = openSlowUpload(watched.service.port, '/api/v1/public/datasets/create-from-jsonl', 'slow', token);
    const part = '--slow\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n';
    await upload.write(`${part}${rows(1000).join('\n')}\n`);
    const imports = () => watched.sql('select dataset_id from studio.imports');
    await expect.poll(imports).toHaveLength(1);
    revoke();
    await expect.poll(imports).toEqual([]);
    await expectNothing(watched);
    upload.cut();
    await watched.close();
  });

  it('by another service that took it for dead: it says that contact was lost, not that somebody cancelled it', async () => {
    const [id = ''] = ids;
    const upload = await begin(id);
    await desk.sql(
      `delete from studio.leases where id = '${id}'; delete from studio.imports where dataset_id = '${id}';
       delete from studio.datasets where id = '${id}'; delete from studio.row_blocks where dataset_id = '${id}'`,
    );
    await upload.write('\r\n--slow--\r\n');
    upload.end();
    const { status, text } = await upload.answer;
    expect([status, JSON.parse(text)]).toMatchObject([
      503,
      {
        error: {
          code: 'import_lost',
          message: expect.stringMatching(/lost contact .*Upload the file again\.$/) as string,
        },
      },
    ]);
    await expectNothing();
  });

  it('by a person who deletes its dataset; nothing of it can be restored', async () => {
    const id = ids[2] ?? '';
    const upload = await begin(id);
    expect((await desk.service.askSigned(`/api/v1/studio/nodes/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await desk.service.askSigned(`/api/v1/public/datasets/${id}`)).status).toBe(404);
    expect(await get('/api/v1/studio/deleted')).toEqual({ deleted: [] });
    await expectNothing();
    upload.cut();
  });

  it('by a person who deletes its project', async () => {
    const [id = '', project_id] = [ids[3], await desk.newProjectId()];
    const upload = await begin(id, { project_id });
    expect((await desk.service.askSigned(`/api/v1/studio/nodes/${project_id}`, { method: 'DELETE' })).status).toBe(204);
    await upload.write('\r\n--slow--\r\n');
    upload.end();
    await expect.poll(async () => (await desk.service.askSigned(`/api/v1/public/datasets/${id}`)).status).toBe(404);
    await expect.poll(() => desk.sql(`select id from studio.datasets where id = '${id}'`)).toEqual([]);
    await expectNothing();
  });

  it('by a person who cancels it', async () => {
    const upload = await begin(ids[1] ?? '');
    expect(
      (await desk.service.post(toPath('/api/v1/studio/datasets/{datasetId}/cancel', [ids[1] ?? '']), {})).status,
    ).toBe(204);
    await upload.write(`${rows(10).join('\n')}\n`);
    await expect
      .poll(
        async () => {
          await upload.write(`${rows(10).join('\n')}\n`);
          return (await desk.service.askSigned(toPath('/api/v1/public/datasets/{datasetId}', [ids[1] ?? '']))).status;
        },
        { timeout: 5000 },
      )
      .toBe(404);
    expect(
      (await desk.service.post(toPath('/api/v1/studio/datasets/{datasetId}/cancel', [ids[1] ?? '']), {})).status,
    ).toBe(404);
    const ended = await desk.service.post(
      toPath('/api/v1/studio/datasets/{datasetId}/cancel', [await desk.dataset([chat('Hi')])]),
      {},
    );
    expect([ended.status, ended.json()]).toMatchObject([409, { error: { code: 'import_ended' } }]);
    await expectNothing();
  });
});
