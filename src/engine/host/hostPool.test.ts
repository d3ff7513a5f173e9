// Which process runs what, and who is blamed for its end; real processes end in llamaEngine.crash.test.ts.
import { expect, it, vi } from 'vitest';
import type { IsolatedEnd } from '#service/threads/isolated.ts';
import type { EngineError } from '#engine/engine.ts';
import { openCrashMemory } from './crashMemory.ts';
import type { FileLook, HostFile } from './hostMessages.ts';
import { HostPool } from './hostPool.ts';
import type { HostOptions, ModelHost } from './modelHost.ts';

const file = (name: string, adapter: string | null = null): HostFile => ({ id: name, path: `/m/${name}`, adapter });
const look = (bytes = 1): FileLook => ({ weights: { bytes, identity: 'w' }, adapter: { bytes: 1, identity: 'a' } });

function openPool() {
  let time = 0;
  const started: HostOptions[] = [];
  const threads: [number, number][] = [];
  const crashes = openCrashMemory(null);
  const pool = new HostPool({
    gpu: 'off',
    crashes,
    isTrusted: () => false,
    isNear: (path) => !path.includes('far'),
    report: () => undefined,
    cores: 8,
    now: () => time,
    openHost(options) {
      const at = started.push(options) - 1;
      const host: Partial<ModelHost> = {
        started: Promise.resolve({ gpu: null, cores: 8 }),
        setThreads: (count) => void threads.push([at, count]),
        end: () => Promise.resolve(),
      };
      return host as ModelHost;
    },
  });
  /** How a process ends, and what those that wait are told. */
  const end = (at: number, more: Partial<IsolatedEnd> = {}): EngineError | undefined =>
    started[at]?.toEndError({ cause: 'failed', error: null, signal: 'SIGABRT', lastLines: [], ...more });
  const advance = (ms: number): void => void (time += ms);
  return { pool, started, threads, crashes, end, advance };
}

it('small files near the studio share a process once they have been opened, other files never do', () => {
  const { pool } = openPool();
  expect(pool.groupOf(file('a'))).toBe('/m/a');
  for (const name of ['a', 'far']) pool.prove(file(name), look());
  pool.prove(file('large'), look(1e9));
  expect(['a', 'far', 'large'].map((name) => pool.groupOf(file(name)))).toEqual(['shared', '/m/far', '/m/large']);
  // An adapter is a file, too.
  expect(pool.groupOf(file('a', '/m/lora'))).toBe('/m/a');
  pool.prove(file('a', '/m/lora'), look());
  expect(pool.groupOf(file('a', '/m/lora'))).toBe('shared');
  expect(pool.isUnchanged(file('a'), { ...look(), weights: { bytes: 1, identity: 'new' } })).toBe(false);
  expect(pool.groupOf(file('a'))).toBe('/m/a');
});

it('says where in its code llama.cpp ended, and remembers it of the adapter that it opened', async () => {
  const { pool, crashes, end } = openPool();
  const tuned = file('a', '/m/lora');
  pool.use('/m/a').enter(tuned, look());
  const lastLines = ['starting', '/build/llama.cpp/ggml/src/ops.cpp:12: unsupported type', 'bye'];
  const error = end(0, { lastLines });
  expect(error).toMatchObject({
    code: 'model_crashed',
    message: expect.stringContaining('(ops.cpp:12: unsupported type)') as string,
  });
  expect(await crashes.find('/m/lora', 'a')).toMatchObject({ reason: 'ops.cpp:12: unsupported type' });
  expect(await crashes.find('/m/a', 'w')).toBeNull();
  await expect(pool.assertNoCrash(tuned, look())).rejects.toMatchObject({ code: 'model_crashed' });
});

it.each<[string, Partial<IsolatedEnd>]>([
  ['memory of a graphics card runs out', { lastLines: ['ggml-cuda.cu:88: CUDA error: out of memory'] }],
  ['it is killed', { signal: 'SIGKILL' }],
  ['it ends by itself', { signal: null }],
])('blames no file if %s', async (_why, how) => {
  const { pool, crashes, end } = openPool();
  pool.use('/m/a').enter(file('a'), look());
  expect(end(0, how)).toMatchObject({ code: 'engine_restarted', status: 503 });
  expect(await crashes.find('/m/a', 'w')).toBeNull();
});

it('a file that is in use at three ends of its process, always beside others, is not loaded again', async () => {
  const { pool, crashes, end, advance } = openPool();
  for (let round = 0; round < 3; round += 1) {
    advance(60_000);
    const use = pool.use('/m/a');
    use.enter(file('a'), look());
    use.enter(file('a', `/m/lora-${round}`), look());
    end(round);
  }
  expect(await crashes.find('/m/a', 'w')).not.toBeNull();
});

it('processes that answer at the same time share the processors', () => {
  const { pool, threads } = openPool();
  const [one, two] = [pool.use('/m/a'), pool.use('/m/b')];
  const leave = one.enter(file('a'), look());
  expect(threads).toEqual([]);
  two.enter(file('b'), look());
  expect(threads).toEqual([
    [0, 4],
    [1, 4],
  ]);
  leave();
  expect(threads.at(-1)).toEqual([1, 8]);
});

it('ends a process that nobody uses any more, but for the one that is shared', async () => {
  const { pool } = openPool();
  const uses = ['/m/a', 'shared'].map((group) => pool.use(group));
  const ends = uses.map(({ host }) => vi.spyOn(host, 'end'));
  for (const use of uses) await use.release();
  expect(ends.map((end) => end.mock.calls.length)).toEqual([1, 0]);
  expect(['/m/a', 'shared'].map((group) => pool.isRunning(group))).toEqual([false, true]);
});
