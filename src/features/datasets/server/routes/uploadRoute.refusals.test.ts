// What an upload is refused for: its lines, or the whole file.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { DiskFull } from '#service/database/disk/freeDisk.ts';
import { TOKEN, UNKNOWN_ID } from '#service/http/testService.fixture.ts';
import { chat, expectNothingLeft, file, openDataService, toFields, type Part } from './dataService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

const desk = await keep(openDataService());

const get = (path: string): Promise<Record<string, unknown>> => desk.service.getJson(path);
const fields = (more?: Record<string, string>): Promise<Part[]> => toFields(desk, more);
const expectNothing = (): Promise<void> => expectNothingLeft(desk);

describe('bad lines', () => {
  const lines = [chat('good'), '{"messages": [}', '[]', chat('better'), ...Array.from({ length: 30 }, () => 'x')];

  it('refuse the file, with their places', async () => {
    const answer = await desk.upload([...(await fields()), file(lines.join('\n'))]);
    expect(answer.status).toBe(400);
    const body = answer.json() as { error: { message: string }; bad_lines: { count: number; first: unknown[] } };
    expect(body.error.message).toMatch(
      /^32 lines can't be read as rows\. Line 2, column 15: .*bad_lines=skip.*Nothing was imported/,
    );
    expect(body.bad_lines.count).toBe(32);
    expect(body.bad_lines.first).toHaveLength(20);
    expect(body.bad_lines.first[1]).toMatchObject({ line: 3, column: 1, start: '[]' });
    await expectNothing();
  });

  it('are left out if the caller wants it, and can be downloaded', async () => {
    const id = await desk.dataset(lines, [{ name: 'bad_lines', value: 'skip' }]);
    expect(await get(`/api/v1/public/datasets/${id}`)).toMatchObject({
      datapoints_count: 2,
      bad_lines: { count: 32 },
    });
    const download = await desk.service.askSigned(`/api/v1/studio/datasets/${id}/bad-lines`);
    expect(download.headers['content-disposition']).toContain('attachment');
    expect(download.text.trim().split('\n')).toHaveLength(32);
  });

  it('of a JSON array are its elements, by the places where they begin', async () => {
    const array = `[\n  ${chat('good')},\n  {\n    "messages": nul\n  },\n  7, ${chat('better')}\n`;
    const answer = await desk.upload([...(await fields()), file(array)]);
    const message = expect.stringMatching(/^3 elements can't be read as rows\. Line 3, column 3: .* 2 other rows/);
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { code: 'bad_lines', message } }]);
    const { bad_lines } = answer.json() as {
      bad_lines: { first: { line: number; column: number; message: string }[] };
    };
    expect(bad_lines.first.map(({ line, column, message }) => [line, column, message])).toEqual([
      [3, 3, expect.stringMatching(/^The element is not valid JSON: .* It is at line 4, column 17\.$/)],
      [6, 3, 'The element is a number, but a row is an object.'],
      [7, 1, expect.stringContaining('not closed')],
    ]);
    const id = await desk.dataset([array], [{ name: 'bad_lines', value: 'skip' }]);
    expect(await get(`/api/v1/public/datasets/${id}`)).toMatchObject({
      datapoints_count: 2,
      bad_lines: { count: 3 },
    });
  });

  it('in another form than the others name it, and are left out', async () => {
    const mixed = [chat('a'), chat('b'), '{"instruction":"Hi","input":"","output":"Hello"}'];
    const answer = await desk.upload([...(await fields()), file(mixed.join('\n'))]);
    const message = expect.stringMatching(/Line 3, column 1: This is an Alpaca row, but .* read as chat rows\./);
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { code: 'bad_lines', message } }]);
    const id = await desk.dataset(mixed, [{ name: 'bad_lines', value: 'skip' }]);
    expect(await get(`/api/v1/public/datasets/${id}`)).toMatchObject({
      form: 'chat',
      datapoints_count: 2,
      bad_lines: { count: 1 },
    });
  });

  it('that are all lines refuse it in any case', async () => {
    const answer = await desk.upload([...(await fields({ bad_lines: 'skip' })), file('{x\n{y\n')]);
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { code: 'bad_lines', param: 'file' } }]);
  });

  it.each([
    ['a NUL', Buffer.from(chat('a').replace('a', '\0'))],
    ['a byte that is no UTF-8', Buffer.concat([Buffer.from(chat('a').slice(0, 40)), Buffer.from([0xff, 0x22, 0x7d])])],
    ['100 MB in one line', Buffer.alloc(100 * 1024 * 1024, 'x')],
  ])('with %s', async (_name, bytes) => {
    const answer = await desk.upload([...(await fields()), file(bytes)]);
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { code: 'bad_lines' } }]);
    await expectNothing();
  });
});

describe('a file that can not be kept', () => {
  it.each([
    ['empty_file', ''],
    ['no_rows', '\n\n  \n'],
    ['no_rows', ' [ ] \n'],
    ['not_utf8_lines', Buffer.from(`\uFEFF${chat('Hi')}`, 'utf16le')],
    ['not_utf8_lines', Buffer.from(chat('Hi'), 'utf16le')],
    ['not_utf8_lines', Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0])],
    ['not_json', 'question,answer\n"Hi, you",Hello\n'],
    ['not_json', 'x\ny\n'],
    ['unknown_form', '{"alpha":{"x":1},"beta":[1]}'],
  ])('says %s', async (code, content) => {
    const answer = await desk.upload([...(await fields()), file(content)]);
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { code, param: 'file' } }]);
    await expectNothing();
  });

  it.each([
    ['not_utf8_lines', '\u0089PNG\r\n\u001a\n\0\0\0\rIHDR', 'The file is a picture (PNG), so it is no text.'],
    ['not_json', '\u0093NUMPY\n\u0001\n', 'The file has the byte 0x01, which no text has, so it is no text.'],
  ])('says %s of bytes that are no text', async (code, bytes, words) => {
    const answer = await desk.upload([...(await fields()), file(Buffer.from(bytes, 'latin1'))]);
    const message = expect.stringContaining(words);
    expect([answer.status, answer.json()]).toMatchObject([400, { error: { code, param: 'file', message } }]);
  });

  it('says what CSV is and how to convert it, also if its form was told', async () => {
    for (const more of [{}, { form: 'alpaca' }, { mapping: '{"question":"q","answer":"a"}', bad_lines: 'skip' }]) {
      const answer = await desk.upload([...(await fields(more as Record<string, string>)), file('q,a\nHi,Hello\n')]);
      const { error } = answer.json() as { error: { message: string } };
      expect(error).toMatchObject({ code: 'not_json' });
      expect(error.message).toMatch(
        /looks like CSV with the columns q, a\. .*JSON arrays.*python3 -c .*< rows\.jsonl > rows\.converted\.jsonl$/,
      );
    }
  });

  it('says how to convert a file by its own name, quoted for a shell', async () => {
    const utf16 = Buffer.from(chat('Hi'), 'utf16le');
    for (const [name, words] of [
      ["it's $(touch x).jsonl", "UTF-8 'it'\\''s $(touch x).jsonl' > 'it'\\''s $(touch x).utf8.jsonl'"],
      ['../-x.jsonl', 'UTF-8 ./-x.jsonl > ./-x.utf8.jsonl'],
      ['', 'UTF-8 data.jsonl > data.utf8.jsonl'],
    ] as const) {
      const answer = await desk.upload([...(await fields()), file(utf16, name)]);
      expect((answer.json() as { error: { message: string } }).error.message.endsWith(words)).toBe(true);
    }
  });

  it('says that there is no such project', async () => {
    const answer = await desk.upload([...(await fields({ project_id: UNKNOWN_ID })), file(chat('Hi'))]);
    expect([answer.status, answer.json()]).toMatchObject([404, { error: { param: 'project_id' } }]);
    await expectNothing();
  });

  it.each([
    ['there is no such project', { project_id: UNKNOWN_ID }, 404],
    ['its form is none', { form: 'none' }, 400],
  ])(
    'is answered before all of it has come, as %s, and its sender may go on to the end',
    async (_why, more, status) => {
      const parts = (await fields(more as Record<string, string>)).map(
        ({ name, value }) => `--slow\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
      );
      const start = `${parts.join('')}--slow\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n`;
      const end = '\r\n--slow--\r\n';
      const piece = Buffer.alloc(1024 * 1024, '\n');
      const pieces = 200;
      const socket = connect(desk.service.port, '127.0.0.1');
      let answers = '';
      socket.on('data', (bytes: Buffer) => (answers += bytes.toString('latin1')));
      const write = (bytes: string | Buffer): Promise<void> =>
        new Promise((resolve) => void socket.write(bytes, () => resolve()));
      const head = `Host: 127.0.0.1:${desk.service.port}\r\nAuthorization: Bearer ${TOKEN}\r\n`;
      const length = start.length + pieces * piece.length + end.length;
      const type = 'Content-Type: multipart/form-data; boundary=slow\r\n';
      await write(
        `POST /api/v1/public/datasets/create-from-jsonl HTTP/1.1\r\n${head}${type}Content-Length: ${length}\r\n\r\n${start}`,
      );
      let before = 0;
      for (let sent = 0; sent < pieces; sent += 1) {
        if (answers === '') before = sent;
        await write(piece);
      }
      await write(`${end}GET /healthz HTTP/1.1\r\n${head}\r\n`);
      await expect.poll(() => answers.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`, 'HTTP/1.1 200']);
      expect(before).toBeLessThan(pieces / 2);
      socket.destroy();
      await expectNothing();
    },
  );

  it.each([
    ['begins', 0],
    ['goes on', 3],
  ])('says how little room the disk has when it %s, and leaves nothing', async (_when, checks) => {
    let left = checks;
    desk.setRoom(() => {
      left -= 1;
      if (left < 0) throw new DiskFull('/data', 5 * 1024 * 1024, 0);
    });
    const long = Array.from({ length: 4000 }, (_, at) => chat(`${at} ${randomBytes(400).toString('base64')}`));
    const answer = await desk.upload([...(await fields()), file(long.join('\n'))]);
    desk.setRoom(() => undefined);
    const message = expect.stringMatching(
      /^Only 5 MiB are free on the disk of \/data, and 64 MiB are kept .* Free some space/,
    );
    expect([answer.status, answer.json()]).toMatchObject([507, { error: { code: 'disk_full', message } }]);
    expect(left).toBe(-1);
    await expectNothing();
  });

  it('says that the disk is full, and leaves nothing', async () => {
    desk.setStore(async () => {
      throw new Error('could not extend file: No space left on device');
    });
    const answer = await desk.upload([
      ...(await fields()),
      file(Array.from({ length: 600 }, (_, at) => chat(`${at}?`)).join('\n')),
    ]);
    desk.setStore(undefined);
    expect([answer.status, answer.json()]).toMatchObject([507, { error: { code: 'disk_full' } }]);
    await expectNothing();
  });
});
