// A worker for one run, and a studio that answers what a test says.
import { createServer, type ServerResponse } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runWorker } from './runWorker.ts';

const RUN = '0b7f3c1e-0000-4000-8000-000000000001';
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'worker-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const refuse = (response: ServerResponse, status: number, message: string): void => {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ error: { message } }));
};

/** What a worker came to, with all that it asked; the last answer is given again and again. */
async function workWith(answers: readonly ((response: ServerResponse) => void)[], reachMs = 20_000) {
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      asked.push(JSON.parse(body));
      answers[Math.min(asked.length, answers.length) - 1]?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const said: string[] = [];
  const end = await runWorker({
    studio: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    token: 'x',
    name: 'node',
    command: ['true'],
    isBuiltIn: false,
    dataDir: folder,
    once: { id: RUN, reachMs },
    report: (line) => void said.push(line),
    stopping: new AbortController().signal,
    pollMs: 20,
    tickMs: 20,
  }).catch((error: Error) => error.message);
  server.closeAllConnections();
  server.close();
  return { end, asked, said };
}

it('a worker whose answer was lost asks again until the run is free, and says which protocol it speaks', async () => {
  const { end, asked } = await workWith([
    (response) => response.destroy(),
    (response) => response.writeHead(204).end(),
    (response) => response.writeHead(204).end(),
    (response) => refuse(response, 400, 'The worker is older. Install the package of the studio.'),
  ]);
  expect(end).toBe('The worker is older. Install the package of the studio.');
  expect(asked).toHaveLength(4);
  expect(asked[0]).toEqual({ name: 'node', is_built_in: false, run: RUN, protocol: 1 });
});

it('a worker whose run does not get free ends well', async () => {
  const { end, said } = await workWith([(response) => response.writeHead(204).end()], 100);
  expect(end).toBe(0);
  expect(said).toEqual([`No run is free: ${RUN} waits that this worker can train.`]);
});

it('a worker that does not reach its studio asks less and less often, and says what to do', async () => {
  const { end, asked } = await workWith([(response) => response.destroy()], 500);
  expect(end).toMatch(/^The node could not reach the studio at http.* --public-url\.$/);
  expect(asked.length).toBeLessThan(8);
});
