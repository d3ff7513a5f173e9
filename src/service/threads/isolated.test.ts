import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openProcess, openThread } from './isolated.ts';
import { moving, openAsks, type Asks, type Question, type Reply } from './threadRequests.ts';
import type { Echo } from './echo.fixture.ts';

const ENTRY = new URL('./echo.fixture.ts', import.meta.url);

const opened: Asks<Echo>[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ isolated }) => isolated.end()));
});

function open(kind: 'thread' | 'process', more: { memoryMb?: number; data?: unknown; limitMs?: number } = {}) {
  const openKind = kind === 'thread' ? openThread<Question, Reply> : openProcess<Question, Reply>;
  const asks = openAsks<Echo>((onMessage) => openKind({ entry: ENTRY, ...more, onMessage }), {
    toError: ({ cause }) => new Error(`ended: ${cause}`),
    refusal: RangeError,
  });
  opened.push(asks);
  return asks;
}

describe.each(['thread', 'process'] as const)('a %s', (kind) => {
  it('answers questions and ends when asked', async () => {
    const { isolated, ask } = open(kind);
    expect(await ask('echo', { text: 'a', bytes: Uint8Array.of(1, 2) })).toEqual({
      text: 'a',
      bytes: Uint8Array.of(1, 2),
    });
    await expect(ask('throwError')).rejects.toThrow('a defect');
    await isolated.end();
    expect(await isolated.ended).toMatchObject({ cause: 'asked', error: null });
    await expect(ask('echo', 1)).rejects.toThrow('ended: asked');
  });

  it('answers with a refusal, fields and all', async () => {
    const error: unknown = await open(kind)
      .ask('refuse')
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RangeError);
    expect(error).toMatchObject({ message: 'too large', most: 3 });
  });

  it('finishes what it has been asked when it is ended with patience', async () => {
    const { isolated, ask } = open(kind);
    const answer = ask('echo', 1);
    await isolated.end(60_000);
    expect(await answer).toBe(1);
  });

  it('is ended with patience although it hangs', async () => {
    const { isolated, ask } = open(kind);
    await ask('echo', 1);
    ask('spin').catch(() => undefined);
    await isolated.end(200);
    expect((await isolated.ended).cause).toBe('asked');
  });

  it('says that it needed more memory than it may have', async () => {
    const { isolated, ask } = open(kind, { memoryMb: 32 });
    await expect(ask('fillMemory')).rejects.toThrow('ended: memory');
    expect((await isolated.ended).cause).toBe('memory');
  });

  it('says what it failed with', async () => {
    const { isolated, ask } = open(kind);
    void ask('crash').catch(() => undefined);
    const end = await isolated.ended;
    expect(end.cause).toBe('failed');
    expect([end.error?.stack, ...end.lastLines].join('\n')).toContain('TypeError');
  });
});

it('a thread begins with its data', async () => {
  expect(await open('thread', { data: { rows: 3 } }).ask('readData')).toEqual({ rows: 3 });
});

it('memory moves to a thread and back', async () => {
  const bytes = Uint8Array.of(1, 2);
  const back = await open('thread').ask('giveBack', moving(bytes, [bytes.buffer]));
  expect([bytes.length, back]).toEqual([0, Uint8Array.of(1, 2)]);
});

it('a process knows no secret of the studio', async () => {
  process.env['STUDIO_ENGINE_KEY'] = 'secret-key';
  try {
    const { ask } = open('process');
    expect(await ask('readEnv', 'STUDIO_ENGINE_KEY')).toBeUndefined();
    expect(await ask('readEnv', 'PATH')).toBe(process.env['PATH']);
  } finally {
    delete process.env['STUDIO_ENGINE_KEY'];
  }
});

it('a process that crashes in native code leaves its signal and last lines', async () => {
  const { isolated, ask } = open('process');
  await expect(ask('abort')).rejects.toThrow('ended: crashed');
  const { signal, lastLines } = await isolated.ended;
  if (process.platform !== 'win32') expect(signal).toBe('SIGABRT');
  expect(lastLines).toContain('ASSERT(a == b) failed');
});

it('a process that takes more processor time than it may is ended', async () => {
  const { ask } = open('process', { limitMs: 300 });
  await expect(ask('spin')).rejects.toThrow('ended: time');
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended stays listed until its parent, whoever that is now, has looked.
    return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

it.skipIf(process.platform === 'win32')('what a process has started ends with it', async () => {
  const { isolated, ask } = open('process');
  const pid = await ask('startChild');
  expect(isRunning(pid)).toBe(true);
  await isolated.end();
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 20_000);
});

it('a process ends with the service that opened it, although it hangs', async () => {
  const script = `
    const { openProcess } = await import(${JSON.stringify(new URL('./isolated.ts', import.meta.url).href)});
    const onMessage = ({ value }) => {
      isolated.post({ number: 2, method: 'spin', given: [] });
      console.log(value);
    };
    const isolated = openProcess({ entry: new URL(${JSON.stringify(ENTRY.href)}), onMessage });
    isolated.post({ number: 1, method: 'readPid', given: [] });`;
  const service = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
  onTestFinished(() => void service.kill('SIGKILL'));
  const [text] = (await once(service.stdout, 'data')) as [Buffer];
  const pid = Number(text);
  expect(isRunning(pid)).toBe(true);
  service.kill('SIGKILL');
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 20_000);
});

it('a process that can not be killed, because it waits for a disk, is left behind', async () => {
  const { isolated, ask } = open('process');
  await ask('echo', 1);
  const spin = expect(ask('spin')).rejects.toThrow('ended: asked');
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  await isolated.end();
  await spin;
  kill.mockRestore();
  process.kill(isolated.pid!, 'SIGKILL');
});
