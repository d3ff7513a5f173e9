// A worker for one run, and a studio that answers what a test says.
import { createServer, type ServerResponse } from 'node:http';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runWorker, untilReached } from './runWorker.ts';
import { keepFolder, listen } from '#service/files/keep.fixture.ts';

const RUN = '0b7f3c1e-0000-4000-8000-000000000001';
const folder = keepFolder();

const refuse = (response: ServerResponse, status: number, message: string): void => {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ error: { message } }));
};

/** What a worker came to, with all that it asked; the last answer is given again and again. */
async function workWith(
  answers: readonly ((response: ServerResponse, path: string) => void)[],
  reachMs = 20_000,
  stopping = new AbortController().signal,
) {
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      asked.push(body === '' ? request.url : JSON.parse(body));
      answers[Math.min(asked.length, answers.length) - 1]?.(response, request.url ?? '');
    });
  });
  const said: string[] = [];
  const end = await runWorker({
    studio: new URL(await listen(server)),
    token: 'x',
    name: 'node',
    command: ['true'],
    isBuiltIn: false,
    dataDir: folder,
    once: { id: RUN, reachMs },
    report: (line) => void said.push(line),
    stopping,
    pollMs: 20,
    tickMs: 20,
  }).catch((error: Error) => error.message);
  return { end, asked, said };
}

it('a worker whose answer was lost asks again until the run is free, and names no protocol that is the first', async () => {
  const { end, asked } = await workWith([
    (response) => response.destroy(),
    (response) => response.writeHead(204).end(),
    (response) => response.writeHead(204).end(),
    (response) => refuse(response, 400, 'The worker is older. Install the package of the studio.'),
  ]);
  expect(end).toBe('The worker is older. Install the package of the studio.');
  expect(asked).toHaveLength(4);
  expect(asked[0]).toEqual({ name: 'node', is_built_in: false, run: RUN });
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

/** Ends a worker that waits for an answer which does not come. */
function openStop() {
  const stopping = new AbortController();
  return { signal: stopping.signal, hang: () => void setTimeout(() => stopping.abort(), 50) };
}

it('a worker that is told to end while its studio does not answer can go on later', async () => {
  const { signal, hang } = openStop();
  expect((await workWith([hang], 20_000, signal)).end).toBe(75);
});

it('a request that hangs for longer than a studio may be away is sent again', async () => {
  const hang = (response: ServerResponse): void => void setTimeout(() => response.destroy(), 150);
  const { end, asked } = await workWith([hang, (response) => refuse(response, 403, 'Not this run.')], 100);
  expect(end).toBe('Not this run.');
  expect(asked).toHaveLength(2);
});

it('a code is claimed until the worker is told to end', async () => {
  const { signal, hang } = openStop();
  hang();
  const claimed = untilReached(
    new URL('http://studio.invalid'),
    () => Promise.reject(new Error('It is away.')),
    signal,
  );
  await expect(claimed).rejects.toThrow('aborted');
});

const LEASE = {
  lease_id: '0b7f3c1e-0000-4000-8000-000000000002',
  experiment_id: RUN,
  seconds: 60,
  job: {
    protocol: 1,
    experiment_id: RUN,
    base: { id: 'base', file: null, adapter: null, context: 512 },
    data: { training: '/t.jsonl', validation: '/v.jsonl' },
    output: '/out',
    resume: false,
    training_type: 'lora',
    n_epochs: 1,
    batch_size: 8,
    learning_rate: 0.001,
    lora: { rank: 8, alpha: 16 },
    seed: 1,
    checkpoint_every: 25,
  },
  weights: [],
  saved: [],
};

/** Gives the run, and its training rows; what becomes of its validation rows is said by a test. */
const giveRun =
  (onValidation: (response: ServerResponse) => void) =>
  (response: ServerResponse, path: string): void => {
    if (path.endsWith('/validation.jsonl')) return onValidation(response);
    const value = path.endsWith('/lease') ? LEASE : { wish: null, next: 0 };
    response.end(path.endsWith('/training.jsonl') ? '{}' : JSON.stringify(value));
  };

it('a worker that is told to end while its files arrive gives the run back', async () => {
  const { signal, hang } = openStop();
  const { end, asked } = await workWith([giveRun(hang)], 20_000, signal);
  expect(end).toBe(75);
  expect(asked).toContainEqual({ code: 75, signal: null, problem: null });
});

it('a run whose files do not arrive leaves nothing on the machine', async () => {
  const { end } = await workWith([giveRun((response) => refuse(response, 404, 'It has none.'))]);
  expect(end).toBe(1);
  expect(await readdir(join(folder, 'worker'))).toEqual([]);
});
