// A tree that is long enough to be read in pieces, over real HTTP.
import { type RequestListener } from 'node:http';
import { beforeEach, expect, it } from 'vitest';
import { readProject, type TreeNode } from '#core/contract/projectReader.ts';
import { prepareTreesWith, requestProject } from './projectAnswer.ts';
import type { Connection } from './request.ts';
import { connect } from './server.fixture.ts';

let connection: Connection;
let body = '';
let answer: RequestListener | null = null;

beforeEach(async () => {
  answer = null;
  connection = await connect((request, response) => void (answer ? answer(request, response) : response.end(body)));
});

const ask = (previous?: TreeNode): Promise<TreeNode> =>
  requestProject({ id: 'p', previous, signal: new AbortController().signal, connection });
// Letters of two, three and four bytes: pieces of the answer end within them.
const toBody = (changed: number): string =>
  JSON.stringify({
    project: {
      id: 'p',
      children: Array.from({ length: 20_000 }, (_, n) => ({
        id: `n${n}`,
        label: `é漢\u{1F600} ${n === changed ? 'new' : n}`,
      })),
    },
  });

it('reads a long answer as it would at once, and keeps what did not change', async () => {
  body = toBody(-1);
  const first = await ask();
  expect({ ok: true, value: first }).toEqual(readProject(JSON.parse(body)));
  body = toBody(7_777);
  const second = await ask(first);
  expect(second.children[7_777]?.label).toBe('é漢\u{1F600} new');
  expect(second.children.filter((node, place) => node !== first.children[place])).toHaveLength(1);
  expect(await ask(second)).toBe(second);
});

it('prepares each new tree before it is given away, once', async () => {
  const prepared: TreeNode[] = [];
  function* prepare(tree: TreeNode): Generator<undefined, void> {
    yield undefined;
    prepared.push(tree);
  }
  prepareTreesWith(prepare);
  prepareTreesWith(prepare);
  body = toBody(1);
  const first = await ask();
  expect(prepared).toEqual([first]);
  await ask(first);
  expect(prepared).toHaveLength(1);
});

it('says what came instead of a long answer that is no JSON', async () => {
  body = toBody(1).slice(0, 500_000);
  await expect(ask()).rejects.toThrow(/not JSON/);
});

it('says that an answer without a tree in it is none, and that an empty one is empty', async () => {
  body = `${' '.repeat(500_000)}{"projects":[]}`;
  await expect(ask()).rejects.toMatchObject({ kind: 'shape', message: expect.stringMatching(/no "project" object/) });
  body = ' \n ';
  await expect(ask()).rejects.toMatchObject({ kind: 'shape', message: expect.stringMatching(/the answer is empty/) });
});

it('takes a text that only begins as the last one did for another answer', async () => {
  const last = toBody(1);
  body = `${last}  `;
  const first = await ask();
  body = last;
  expect(await ask(first)).toBe(first);
  body = '{"project":{"id":"p","children":[]}}';
  expect((await ask(first)).children).toEqual([]);
  body = last.slice(0, 300_000);
  await expect(ask(first)).rejects.toThrow(/not JSON/);
});

it('knows an answer by its tag, whether the service sends it again or not', async () => {
  let sent = 0;
  answer = (request, response) => {
    sent += 1;
    if (sent === 2) response.writeHead(304, { etag: '"a"' }).end();
    else response.writeHead(200, { etag: sent === 4 ? '"b"' : '"a"' }).end(toBody(sent));
    expect(request.headers['if-none-match']).toBe(sent === 1 ? undefined : '"a"');
  };
  const first = await ask();
  expect([await ask(first), await ask(first)]).toEqual([first, first]);
  expect((await ask(first)).children[4]?.label).toMatch(/new$/);
});

it.each([
  ['broken', '{"project":}'],
  ['good', '{"project":{"id":"p","children":['],
])('calls an answer that is cut off a network failure, be its text %s so far', async (_what, start) => {
  answer = (request, response) => {
    response.writeHead(200, { 'content-length': 5_000_000 });
    response.write(`${start}${'{"id":"n"},'.repeat(50_000)}`, () => request.socket.destroy());
  };
  await expect(ask()).rejects.toMatchObject({ kind: 'network' });
});
