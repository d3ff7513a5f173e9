import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openProcess, openThread, type Apart, type ApartEnd } from './apart.ts';
import { openAsks, type Asks, type Question, type Reply } from './asks.ts';
import type { Echo } from './echo.fixture.ts';

const ENTRY = new URL('./echo.fixture.ts', import.meta.url);

interface Opened {
  readonly apart: Apart<Question>;
  readonly asks: Asks<Echo>;
}

const opened: Opened[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map(({ apart }) => apart.end()));
});

function open(kind: 'thread' | 'process', more: { memoryMb?: number; data?: unknown; limitMs?: number } = {}): Opened {
  let onReply: (reply: Reply) => void = () => undefined;
  let onEnd: (end: ApartEnd) => void = () => undefined;
  const options = {
    entry: ENTRY,
    ...more,
    onMessage: (reply: Reply) => onReply(reply),
    onEnd: (end: ApartEnd) => onEnd(end),
  };
  const apart = kind === 'thread' ? openThread<Question, Reply>(options) : openProcess<Question, Reply>(options);
  const asks = openAsks<Echo>(apart.post);
  onReply = asks.onReply;
  onEnd = (end) => asks.endAll(new Error(`ended: ${end.cause}`));
  opened.push({ apart, asks });
  return { apart, asks };
}

describe.each(['thread', 'process'] as const)('a %s', (kind) => {
  it('answers questions and ends when asked', async () => {
    const { apart, asks } = open(kind);
    expect(await asks.ask('echo', { text: 'a', bytes: Uint8Array.of(1, 2) })).toEqual({
      text: 'a',
      bytes: Uint8Array.of(1, 2),
    });
    await expect(asks.ask('throwError')).rejects.toThrow('a defect');
    await apart.end();
    expect(await apart.ended).toMatchObject({ cause: 'asked', error: null });
    apart.post({ number: 1, method: 'echo', given: [] });
  });

  it('finishes what it has been asked when it is ended with patience', async () => {
    const { apart, asks } = open(kind);
    const answer = asks.ask('echo', 1);
    await apart.end(60_000);
    expect(await answer).toBe(1);
  });

  it('is ended with patience although it hangs', async () => {
    const { apart, asks } = open(kind);
    await asks.ask('echo', 1);
    asks.ask('spin').catch(() => undefined);
    await apart.end(200);
    expect((await apart.ended).cause).toBe('asked');
  });

  it('says that it needed more memory than it may have', async () => {
    const { apart, asks } = open(kind, { memoryMb: 32 });
    await expect(asks.ask('fillMemory')).rejects.toThrow('ended: memory');
    expect((await apart.ended).cause).toBe('memory');
  });

  it('says what it failed with', async () => {
    const { apart, asks } = open(kind);
    void asks.ask('crash').catch(() => undefined);
    const end = await apart.ended;
    expect(end.cause).toBe('failed');
    expect([end.error?.stack, ...end.lastLines].join('\n')).toContain('TypeError');
  });

  it('ends well when it takes no more messages', async () => {
    const { apart, asks } = open(kind);
    await asks.ask('closeSide');
    expect(await apart.ended).toMatchObject({ cause: 'done', error: null });
  });
});

it('a thread begins with its data', async () => {
  expect(await open('thread', { data: { rows: 3 } }).asks.ask('readData')).toEqual({ rows: 3 });
});

it('a process knows no secret of the studio', async () => {
  process.env['STUDIO_ENGINE_KEY'] = 'secret-key';
  try {
    const { asks } = open('process');
    expect(await asks.ask('readEnv', 'STUDIO_ENGINE_KEY')).toBeUndefined();
    expect(await asks.ask('readEnv', 'PATH')).toBe(process.env['PATH']);
  } finally {
    delete process.env['STUDIO_ENGINE_KEY'];
  }
});

it('a process that crashes in native code leaves its signal and last lines', async () => {
  const { apart, asks } = open('process');
  await expect(asks.ask('abort')).rejects.toThrow('ended: failed');
  const { signal, lastLines } = await apart.ended;
  if (process.platform !== 'win32') expect(signal).toBe('SIGABRT');
  expect(lastLines).toContain('ASSERT(a == b) failed');
});

it('a process that takes more processor time than it may is ended', async () => {
  const { asks } = open('process', { limitMs: 300 });
  await expect(asks.ask('spin')).rejects.toThrow('ended: failed');
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
  const { apart, asks } = open('process');
  const pid = await asks.ask('startChild');
  expect(isRunning(pid)).toBe(true);
  await apart.end();
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 20_000);
});

it('a process ends with the service that opened it, although it hangs', async () => {
  const script = `
    const { openProcess } = await import(${JSON.stringify(new URL('./apart.ts', import.meta.url).href)});
    const onMessage = ({ value }) => {
      apart.post({ number: 2, method: 'spin', given: [] });
      console.log(value);
    };
    const apart = openProcess({ entry: new URL(${JSON.stringify(ENTRY.href)}), onMessage });
    apart.post({ number: 1, method: 'readPid', given: [] });`;
  const service = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
  const [text] = (await once(service.stdout, 'data')) as [Buffer];
  const pid = Number(text);
  expect(isRunning(pid)).toBe(true);
  service.kill('SIGKILL');
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 20_000);
});
