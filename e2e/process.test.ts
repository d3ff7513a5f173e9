// The process as an operator meets it: ready line, clear one-line failures, clean ends, data that survives a kill.
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { makeFolder, spawnStudio, startStudio, type StartedStudio } from './startStudio';

const folders: string[] = [];
const folder = (): string => {
  const path = makeFolder('process');
  folders.push(path);
  return path;
};

afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

async function runToEnd(args: readonly string[], env: Record<string, string> = {}): Promise<{ code: number | null; output: string }> {
  const { child, output } = spawnStudio(args, env);
  await once(child, 'close');
  return { code: child.exitCode, output: output() };
}

/** One clear line: no stack trace, and nothing after it. A build that had begun has said so before. */
function expectOneLine(output: string): void {
  expect(output.trim().split('\n').filter((line) => !line.startsWith('Building the dashboard'))).toHaveLength(1);
  expect(output).not.toMatch(/\n\s+at /);
}

describe('a start that cannot work says why in one line and exits with 1', () => {
  it('port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, output } = await runToEnd(['--port', String(port), '--data', folder(), '--no-sample']);
    server.close();
    expect(code).toBe(1);
    expect(output).toContain(String(port));
    expect(output).toMatch(/--port/);
    expectOneLine(output);
  });

  it('missing model file', async () => {
    const { code, output } = await runToEnd(['--port', '0', '--data', folder(), '--model', 'mine=/no/such/file.gguf']);
    expect(code).toBe(1);
    expect(output).toContain('/no/such/file.gguf');
    expectOneLine(output);
  });

  it('damaged data folder', async () => {
    const data = folder();
    const first = await startStudio({ dataDir: data, args: ['--no-sample'] });
    await first.stop();
    writeFileSync(join(data, 'database', 'PG_VERSION'), 'rubbish');
    rmSync(join(data, 'database', 'global'), { recursive: true, force: true });
    const { code, output } = await runToEnd(['--port', '0', '--data', data]);
    expect(code).toBe(1);
    expect(output).toContain(data);
    expectOneLine(output);
  });

  it('a second process on the same data folder', async () => {
    const data = folder();
    const first = await startStudio({ dataDir: data, args: ['--no-sample'] });
    const { code, output } = await runToEnd(['--port', '0', '--data', data]);
    await first.stop();
    expect(code).toBe(1);
    expect(output).toContain(String(first.process.pid));
    expectOneLine(output);
  });

  it('a data folder that is a file', async () => {
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    const { code, output } = await runToEnd(['--port', '0', '--data', file]);
    expect(code).toBe(1);
    expect(output).toContain(file);
    expectOneLine(output);
  });

  it.each([
    [['--no-such-flag'], '--no-such-flag'],
    [['--port', '70000'], '--port'],
    [['--port', 'x'], '--port'],
    [['--base-url', 'ftp://remote'], '--base-url'],
    [['--base-url', 'http://127.0.0.1:9'], 'STUDIO_API_KEY'],
    [['--host', '0.0.0.0'], 'STUDIO_TOKEN'],
    [['--model', 'no-file'], '--model'],
    [['--engine', 'nonsense'], '--engine'],
  ])('%j', async (args, mention) => {
    const { code, output } = await runToEnd(['--data', folder(), ...args]);
    expect(code).toBe(1);
    expect(output).toContain(mention);
    expectOneLine(output);
  });
});

/** What the studio answers for its first project and that project's first snapshot, word for word. */
async function readData(studio: StartedStudio): Promise<{ projects: string; tree: string; recommendation: string }> {
  const read = async (path: string): Promise<string> => {
    const answer = await fetch(`${studio.origin}/api/v1/public/${path}`, { headers: { Authorization: `Bearer ${studio.token}` } });
    expect(answer.status).toBe(200);
    return answer.text();
  };
  const projects = await read('projects');
  const { projects: [project] } = JSON.parse(projects) as { projects: { id: string }[] };
  const tree = await read(`projects/${project?.id}`);
  const snapshotId = /"id":"([^"]+)","type":"snapshot"/.exec(tree)?.[1];
  return { projects, tree, recommendation: await read(`recommendations/${snapshotId}`) };
}

describe('a running studio', () => {
  it('prints one ready line, keeps its token private, ends cleanly on SIGTERM', async () => {
    const data = folder();
    const studio = await startStudio({ dataDir: data, args: ['--no-sample'] });
    expect(studio.output().trim()).toMatch(/^Model Studio {2}http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{20,}$/m);
    expect(statSync(join(data, 'token')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(data, 'token'), 'utf8').trim()).toBe(studio.token);
    expect((await fetch(`${studio.origin}/healthz`)).status).toBe(200);
    expect(await studio.stop()).toBe(0);
  });

  it('keeps its data through kill -9 and opens again at once', async () => {
    const data = folder();
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
    const second = await startStudio({ dataDir: data });
    expect(second.token).toBe(first.token);
    const after = await readData(second);
    await second.stop();
    // Completed at the first look: read from the disk, not made again.
    expect(after).toEqual(before);
  }, 90_000);

  it('has no sample project when asked for none', async () => {
    const data = folder();
    mkdirSync(data, { recursive: true });
    const studio = await startStudio({ dataDir: data, args: ['--no-sample'], env: { STUDIO_TOKEN: 'a-token-of-the-operator-0123456789' } });
    const answer = await fetch(`${studio.origin}/api/v1/public/projects`, {
      headers: { Authorization: 'Bearer a-token-of-the-operator-0123456789' },
    });
    expect(await answer.json()).toEqual({ projects: [] });
    await studio.stop();
  });

  it('lists every flag with --help and exits with 0', async () => {
    const { code, output } = await runToEnd(['--help']);
    expect(code).toBe(0);
    for (const flag of ['--port', '--host', '--data', '--base-url', '--engine', '--model', '--no-sample', '--open', 'STUDIO_TOKEN', 'DATABASE_URL', 'STUDIO_API_KEY']) {
      expect(output).toContain(flag);
    }
  });
});
