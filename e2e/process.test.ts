// The process as an operator meets it: ready line, clear one-line failures, clean ends, data that survives a kill.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTestFolders, type TestFolders } from '#service/database/folders.fixture.ts';
import { findProcess, type ProcessIdentity } from '#service/database/processIdentity.ts';
import { ask } from './askStudio.ts';
import {
  buildDashboard,
  spawnNpmStart,
  spawnStudio,
  startStudio,
  waitForLink,
  type StartedStudio,
} from './startStudio.ts';

let folders: TestFolders;
/**
 * A first start of the checkout by `npm start`, as a newcomer's, for all that only look at a running studio. An earlier one
 * in its folder was cut off while it made the database. The process is npm's.
 */
let studio: Pick<StartedStudio, 'origin' | 'token' | 'dataDir' | 'process' | 'output'>;

beforeAll(async () => {
  folders = await openTestFolders();
  await buildDashboard();
  const dataDir = await folders.empty();
  mkdirSync(join(dataDir, 'database'));
  writeFileSync(join(dataDir, 'database', 'PG_VERSION'), 'half');
  writeFileSync(join(dataDir, 'database.incomplete'), '');
  const { child, output } = await spawnNpmStart(['--port', '0', '--data', dataDir], {}, 'checkout');
  const { origin, searchParams } = new URL(await waitForLink(child, output, 110));
  studio = { origin, token: searchParams.get('token') ?? '', dataDir, process: child, output };
}, 240_000);

afterAll(async () => {
  endHolder(studio.dataDir);
  await folders.remove();
}, 60_000);

/** The process that holds the data folder: the service, whoever started it. */
const readHolder = (data: string): ProcessIdentity =>
  JSON.parse(readFileSync(join(data, 'lock'), 'utf8')) as ProcessIdentity;
const holderOf = (data: string): number => readHolder(data).pid;

/** Ends a service that outlives a failed test. */
function endHolder(data: string): void {
  if (!existsSync(join(data, 'lock'))) return;
  const holder = readHolder(data);
  if (findProcess(holder) === 'running') process.kill(holder.pid, 'SIGKILL');
}

const isRefused = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(false);
    });
    socket.on('error', () => resolve(true));
  });

/** Above the 10 s that an end may take. */
const END = { timeout: 20_000, interval: 100 };

async function runToEnd(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const { child, output } = await spawnStudio(args, env);
  await once(child, 'close');
  return { code: child.exitCode, output: output() };
}

/** One clear line: no stack trace, and nothing after it. A build that had begun has said so before. */
function expectOneLine(output: string): void {
  expect(
    output
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('Building the dashboard')),
  ).toHaveLength(1);
  expect(output).not.toMatch(/\n\s+at /);
}

describe('a start that cannot work says why in one line and exits with 1', { timeout: 120_000 }, () => {
  it('port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, output } = await runToEnd(['--port', String(port), '--data', await folders.empty(), '--no-sample']);
    server.close();
    expect(code).toBe(1);
    expect(output).toContain(String(port));
    expect(output).toMatch(/--port/);
    expectOneLine(output);
  });

  it('missing model file', async () => {
    const { code, output } = await runToEnd([
      '--port',
      '0',
      '--data',
      await folders.empty(),
      '--model',
      'mine=/no/such/file.gguf',
    ]);
    expect(code).toBe(1);
    expect(output).toContain('/no/such/file.gguf');
    expectOneLine(output);
  });

  it('a second process on the same data folder', async () => {
    const { code, output } = await runToEnd(['--port', '0', '--data', studio.dataDir]);
    expect(code).toBe(1);
    expect(output).toContain(String(holderOf(studio.dataDir)));
    expectOneLine(output);
    expect((await fetch(`${studio.origin}/healthz`)).status).toBe(200);
  });

  // What is wrong with a flag or a variable, each with its words: flags.test.ts. A damaged database, and a data folder
  // that is a file: openStudio.test.ts and dataFolder.test.ts.
  it('a flag that there is not', async () => {
    const { code, output } = await runToEnd(['--data', await folders.empty(), '--no-such-flag']);
    expect(code).toBe(1);
    expect(output).toContain('--no-such-flag');
    expectOneLine(output);
  });
});

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const askProjects = (origin: string, token: string): Promise<Response> =>
  fetch(`${origin}/api/v1/public/projects`, { headers: { Authorization: `Bearer ${token}` } });

/** What the studio answers for its first project and that project's first snapshot, word for word. */
async function readData(
  studio: Pick<StartedStudio, 'origin' | 'token'>,
): Promise<{ projects: string; tree: string; recommendation: string }> {
  const read = async (path: string): Promise<string> => {
    const answer = await fetch(`${studio.origin}/api/v1/public/${path}`, {
      headers: { Authorization: `Bearer ${studio.token}` },
    });
    expect(answer.status).toBe(200);
    return answer.text();
  };
  const projects = await read('projects');
  const {
    projects: [project],
  } = JSON.parse(projects) as { projects: { id: string }[] };
  const tree = await read(`projects/${project?.id}`);
  const snapshotId = /"id":"([^"]+)","type":"snapshot"/.exec(tree)?.[1];
  return { projects, tree, recommendation: await read(`recommendations/${snapshotId}`) };
}

describe('a running studio', () => {
  it('prints one ready line and keeps its token private', async () => {
    expect(studio.output().trim()).toMatch(/^Model Studio {2}http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{20,}$/m);
    const file = join(studio.dataDir, 'token');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8').trim()).toBe(studio.token);
    expect((await fetch(`${studio.origin}/healthz`)).status).toBe(200);
  });

  it('keeps its data through kill -9, opens again at once with a token that it never prints, and ends cleanly', async () => {
    const data = await folders.withDatabase('sample');
    const first = await startStudio({ dataDir: data });
    const before = await vi.waitFor(
      async () => {
        const read = await readData(first);
        expect(JSON.parse(read.recommendation)).toMatchObject({ status: 'completed' });
        return read;
      },
      { timeout: 30_000, interval: 200 },
    );
    await first.stop('SIGKILL');
    expect(readFileSync(join(data, 'token'), 'utf8').trim()).toBe(first.token);
    // As an operator starts it behind a proxy, with a token of theirs.
    const token = 'a-token-of-the-operator-0123456789';
    const port = await findFreePort();
    const args = ['--port', String(port), '--data', data, '--host', '0.0.0.0', '--public-url', 'http://studio.lan'];
    const { child, output } = await spawnStudio(args, { STUDIO_TOKEN: token });
    expect(await waitForLink(child, output, 60)).toBe('http://studio.lan/');
    const origin = `http://127.0.0.1:${port}`;
    const after = await readData({ origin, token });
    expect((await askProjects(origin, first.token)).status).toBe(401);
    child.kill();
    await once(child, 'close');
    expect(child.exitCode).toBe(0);
    expect(output()).not.toContain(token);
    expect(output()).toMatch(/^Warning: http:\/\/studio\.lan has no TLS/m);
    // Completed at the first look: read from the disk, not made again.
    expect(after).toEqual(before);
  }, 90_000);

  it('has the sample project from the first start on, and nothing of one that was cut off', async () => {
    expect(existsSync(join(studio.dataDir, 'database.incomplete'))).toBe(false);
    expect(await (await askProjects(studio.origin, studio.token)).json()).toMatchObject({
      projects: [{ name: 'Support desk' }],
    });
  });

  // Tests of the threads themselves start them from what is built: builtService.ts.
  it('of a checkout: threads start from what is built of it, for a schema and for a file', async () => {
    const schema = { type: 'object', properties: { n: { enum: [7] } }, required: ['n'], additionalProperties: false };
    const chat = await ask(studio, '/api/v1/chat/completions', {
      model: 'support-base',
      messages: [{ role: 'user', content: 'Hello' }],
      max_completion_tokens: 40,
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema } },
    });
    expect(chat).toMatchObject({ choices: [{ message: { content: expect.stringContaining('7') as string } }] });
    const form = new FormData();
    const { project_id } = await ask<{ project_id: string }>(studio, '/api/v1/public/projects/create', { name: 'Own' });
    form.set('project_id', project_id);
    form.set('name', 'Rows');
    form.set('file', new File(['{"prompt":"Hi","completion":"Hello"}'], 'rows.jsonl'));
    expect(await ask(studio, '/api/v1/public/datasets/create-from-jsonl', form)).toHaveProperty('dataset_id');
  });

  it('takes the walkthrough of the hosted studio: all that is recommended is trained, and its job ends', async () => {
    const question = (at: number) =>
      JSON.stringify({
        messages: [
          { role: 'user', content: `Is ${at} even?` },
          { role: 'assistant', content: at % 2 === 0 ? 'Yes.' : 'No.' },
        ],
      });
    const { project_id } = await ask<{ project_id: string }>(studio, '/api/v1/public/projects/create', {
      name: 'Walkthrough',
      goal: 'Even or odd',
    });
    const form = new FormData();
    form.set('project_id', project_id);
    form.set('name', 'Numbers');
    form.set('file', new File([Array.from({ length: 16 }, (_, at) => question(at)).join('\n')], 'numbers.jsonl'));
    const { dataset_id } = await ask<{ dataset_id: string }>(studio, '/api/v1/public/datasets/create-from-jsonl', form);
    const until = async <Answer extends { readonly status: string }>(path: string): Promise<Answer> => {
      for (;;) {
        const answer = await ask<Answer>(studio, path);
        if (answer.status !== 'processing') return answer;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    };
    await until(`/api/v1/public/datasets/${dataset_id}`);
    const { snapshot_id } = await ask<{ snapshot_id: string }>(studio, '/api/v1/public/snapshots/create', {
      dataset_id,
    });
    await ask(studio, '/api/v1/public/recommendations/generate', { snapshot_id });
    const advice = await until<{ status: string; recommended_experiments: { recommended: boolean }[] }>(
      `/api/v1/public/recommendations/${snapshot_id}`,
    );
    // One epoch of few rows is enough for an end.
    const experiments = advice.recommended_experiments
      .filter(({ recommended }) => recommended)
      .map((experiment) => Object.assign(experiment, { n_epochs: 1 }));
    expect(experiments.length).toBeGreaterThan(0);
    const { job_id } = await ask<{ job_id: string }>(studio, '/api/v1/public/finetuning/create', {
      snapshot_id,
      name: 'All that is recommended',
      experiments,
    });
    const job = await until<{ status: string; experiments: { status: string; model_id: string }[] }>(
      `/api/v1/public/finetuning/${job_id}`,
    );
    expect(job.status).toBe('completed');
    expect(job.experiments.map(({ status }) => status)).toEqual(experiments.map(() => 'succeeded'));
    const reply = await ask<{ choices: { message: { content: string } }[] }>(studio, '/api/v1/chat/completions', {
      model: job.experiments[0]?.model_id,
      messages: [{ role: 'user', content: 'Is 2 even?' }],
      max_completion_tokens: 8,
    });
    expect(reply.choices).toHaveLength(1);
  }, 110_000);

  it('lists every flag with --help and exits with 0', async () => {
    const { code, output } = await runToEnd(['--help']);
    expect(code).toBe(0);
    for (const flag of [
      '--port',
      '--host',
      '--data',
      '--base-url',
      '--engine',
      '--model',
      '--no-sample',
      '--open',
      'STUDIO_TOKEN',
      'DATABASE_URL',
      'STUDIO_API_KEY',
    ]) {
      expect(output).toContain(flag);
    }
  });

  // The last one: nothing comes after it that needs the studio. What finds the service, and builds it, is between
  // npm and the service.
  it('ends when npm alone is asked to end', async () => {
    studio.process.kill('SIGTERM');
    await vi.waitFor(async () => expect(await isRefused(Number(new URL(studio.origin).port))).toBe(true), END);
    // It ended by itself: the folder is free again.
    await vi.waitFor(() => expect(existsSync(join(studio.dataDir, 'lock'))).toBe(false), END);
    expect(studio.output()).not.toContain('by force');
  }, 60_000);
});

/**
 * Loaded into every Node process of a start: SIGUSR2 makes the process hear nothing any more. It sleeps, where a loop would
 * take a processor from other tests.
 */
const BUSY = `data:text/javascript,${encodeURIComponent(`
  const hang = () => {
    process._rawDebug('busy');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
  process.on('SIGUSR2', hang);
`)}`;

const parentOf = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }));

// Side by side, since one of them waits for its 8 s to pass.
describe.concurrent('the end of a studio', () => {
  const used: string[] = [];
  const folder = async (): Promise<string> => {
    const path = await folders.withDatabase('tables');
    used.push(path);
    return path;
  };

  afterAll(() => {
    for (const data of used) endHolder(data);
  });

  it('comes when npm alone is asked to end while the service is too busy to hear anything', async () => {
    const data = await folder();
    const env = { NODE_OPTIONS: `--import=${BUSY}` };
    const { child, output } = await spawnNpmStart(['--port', '0', '--data', data, '--no-sample'], env);
    const { port } = new URL(await waitForLink(child, output, 60));
    const holder = holderOf(data);
    process.kill(holder, 'SIGUSR2');
    await vi.waitFor(() => expect(output()).toContain('busy'), END);
    child.kill('SIGTERM');
    await vi.waitFor(async () => expect(await isRefused(Number(port))).toBe(true), END);
    // Its port is free before its process is gone from the list.
    await vi.waitFor(() => expect(() => process.kill(holder, 0)).toThrow(/ESRCH/), END);
    expect(output()).toContain('by force');
  }, 120_000);

  it('comes when what started it is killed', async () => {
    const data = await folder();
    const { child, output } = await spawnNpmStart(['--port', '0', '--data', data, '--no-sample']);
    const { port } = new URL(await waitForLink(child, output, 60));
    // The parent of the service is what npm's script runs.
    process.kill(parentOf(holderOf(data)), 'SIGKILL');
    await vi.waitFor(async () => expect(await isRefused(Number(port))).toBe(true), END);
    await vi.waitFor(() => expect(existsSync(join(data, 'lock'))).toBe(false), END);
  }, 120_000);
});
