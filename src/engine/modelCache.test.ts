// Files that can't be served, and models that come and go.
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { toContextPlan } from './contextPlan.ts';
import type { ModelFile } from './engine.ts';
import { openCrashMemory } from '#engine/host/crashMemory.ts';
import { HostPool } from '#engine/host/hostPool.ts';
import { openModelHost } from '#engine/host/modelHost.ts';
import { readMemoryLimit, toModelShare } from './memoryShare.ts';
import { ModelCache, type CacheOptions } from './modelCache.ts';
import { ask, BASE, IDLE, openSampleEngine, SAMPLE_FILES, sampleFile, samplePath } from './sampleModel.fixture.ts';

let folder: string;
/** What the one engine of these tests serves now. */
let files: readonly ModelFile[] = SAMPLE_FILES;
const engine = openSampleEngine({ models: () => Promise.resolve(files) });
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gguf-'));
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

async function damaged(name: string, source: string, change: (bytes: Buffer) => Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, change(await readFile(samplePath(source))));
  return path;
}

const BASE_FILE = 'support-base.Q8_0.gguf';
const ADAPTER = 'support-orders-1.lora.F16.gguf';

describe('a file that can not be served', () => {
  it.each<[string, string, RegExp, (bytes: Buffer) => Buffer]>([
    ['empty', BASE_FILE, /is no GGUF file/, () => Buffer.alloc(0)],
    ['no GGUF', BASE_FILE, /is no GGUF file/, () => Buffer.from('<html>'.repeat(1000))],
    ['cut in its header', BASE_FILE, /header ends early/, (bytes) => bytes.subarray(0, 5000)],
    ['cut in its weights', BASE_FILE, /cut off: it has 0.5 MiB/, (bytes) => bytes.subarray(0, 500_000)],
    ['garbled', BASE_FILE, /./, (bytes) => bytes.fill(0x55, 200, 400)],
    [
      'with an absurd count',
      BASE_FILE,
      /counts 1099511627776 items/,
      (bytes) => (bytes.writeBigUInt64LE(2n ** 40n, 16), bytes),
    ],
    ['an adapter in place of a model', ADAPTER, /an adapter, not a whole model/, (bytes) => bytes],
  ])('%s: one clear line, and the engine goes on', async (name, source, reason, change) => {
    const path = await damaged(`${name}.gguf`, source, change);
    files = [{ ...sampleFile('broken', BASE_FILE), path }, ...SAMPLE_FILES];
    const error: unknown = await engine.load('broken', IDLE).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'EngineError', status: 503, code: 'model_file_damaged' });
    expect((error as Error).message).toContain(path);
    expect((error as Error).message).toMatch(reason);
    expect((error as Error).message).toContain('"broken"');
    expect((error as Error).message).toMatch(/Export the file again\.$/);
    expect((error as Error).message).not.toContain('\n');
    expect((await ask(engine, 'base', { messages: BASE, max_completion_tokens: 2 })).end.type).toBe('message-end');
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['cut', (bytes) => bytes.subarray(0, 60_000)],
    ['no GGUF', () => Buffer.from('x'.repeat(500))],
  ])('an adapter that is %s', async (name, change) => {
    const adapter = await damaged(`adapter ${name}.gguf`, ADAPTER, change);
    files = [{ ...sampleFile('tuned', BASE_FILE), adapter }];
    await expect(engine.load('tuned', IDLE)).rejects.toMatchObject({
      code: 'model_file_damaged',
      message: expect.stringContaining(adapter) as string,
    });
  });

  it('missing: says so, and is served once it is there', async () => {
    const path = join(folder, 'later.gguf');
    files = [
      { ...sampleFile('later', BASE_FILE), path },
      { ...sampleFile('tuned', BASE_FILE), adapter: join(folder, 'none.gguf') },
    ];
    await expect(engine.load('later', IDLE)).rejects.toMatchObject({
      status: 503,
      code: 'model_file_missing',
      message: expect.stringContaining(path) as string,
    });
    await expect(engine.load('tuned', IDLE)).rejects.toMatchObject({
      code: 'model_file_missing',
      message: expect.stringContaining('adapter') as string,
    });
    await copyFile(samplePath(BASE_FILE), path);
    expect((await engine.load('later', IDLE))?.id).toBe('later');
  });
});

/** What a process was asked for. */
const loadWeights = vi.fn();
const freeWeights = vi.fn();
beforeEach(() => vi.clearAllMocks());

/** A cache whose models share one process, and what closes both. */
function openCache(options: Partial<CacheOptions>): { cache: ModelCache; close: () => Promise<void> } {
  const hosts = new HostPool({
    gpu: 'off',
    crashes: openCrashMemory(null),
    isTrusted: () => true,
    isNear: () => true,
    report: () => undefined,
    openHost(given) {
      const host = openModelHost(given);
      return {
        ...host,
        loadWeights(...asked) {
          loadWeights();
          return host.loadWeights(...asked);
        },
        freeWeights(...asked) {
          freeWeights();
          return host.freeWeights(...asked);
        },
      };
    },
  });
  const cache = new ModelCache({ hosts, threads: 1, maxContexts: 16, hostBytes: 0, ...options });
  return {
    cache,
    async close() {
      await cache.close();
      await hosts.close();
    },
  };
}

describe('ModelCache', () => {
  const file = (index: number): ModelFile => SAMPLE_FILES[index] ?? sampleFile('base', BASE_FILE);

  it('shares weights between adapters and contexts between callers', async () => {
    const { cache, close } = openCache({});
    const [one, two, three] = await Promise.all([
      cache.acquire(file(0), IDLE),
      cache.acquire(file(1), IDLE),
      cache.acquire(file(0), IDLE),
    ]);
    expect(loadWeights).toHaveBeenCalledOnce();
    expect(one.ready).toBe(three.ready);
    expect(one.ready).not.toBe(two.ready);
    for (const { release } of [one, two, three]) release();
    await close();
    expect(freeWeights).toHaveBeenCalledOnce();
  });

  it('takes a file that was made later under the same name for another one', async () => {
    const { cache, close } = openCache({});
    const first = await cache.acquire(file(0), IDLE);
    const later = await cache.acquire({ ...file(0), created: 2 }, IDLE);
    expect(later.ready).not.toBe(first.ready);
    first.release();
    later.release();
    await close();
  });

  it('gives up the least recently used idle context, never one in use', async () => {
    const { cache, close } = openCache({ maxContexts: 2 });
    const used = await cache.acquire(file(0), IDLE);
    const idle = await cache.acquire(file(1), IDLE);
    idle.release();
    const next = await cache.acquire(file(2), IDLE);
    expect([cache.contextCount, cache.find(file(1)), cache.find(file(0))]).toEqual([2, null, used.ready]);
    const over = await cache.acquire(file(3), IDLE);
    expect(cache.contextCount).toBe(3);
    for (const { release } of [used, next, over]) release();
    const again = await cache.acquire(file(1), IDLE);
    expect(cache.find(file(1))).toBe(again.ready);
    expect(cache.contextCount).toBe(2);
    again.release();
    await close();
    expect(cache.contextCount).toBe(0);
  });
});

describe('memory', () => {
  /** The sample's models take 1 to 2 MB of weights and about as much for contexts: half of this holds one of them. */
  const memoryBytes = 9e6;
  const open = (roomWaitMs: number) => openCache({ memoryBytes, roomWaitMs });
  const base = sampleFile('base', BASE_FILE);
  const replies = sampleFile('replies', 'support-replies-1.Q8_0.gguf');

  it('gives up an idle model for another one', async () => {
    const { cache, close } = open(60_000);
    const first = await cache.acquire(base, IDLE);
    first.release();
    const second = await cache.acquire(replies, IDLE);
    expect([cache.find(base), cache.find(replies)]).toEqual([null, second.ready]);
    expect(freeWeights).toHaveBeenCalledOnce();
    second.release();
    await close();
  });

  it('waits for a busy model, and loads as soon as that one is done', async () => {
    const { cache, close } = open(60_000);
    const busy = await cache.acquire(base, IDLE);
    const waiting = cache.acquire(replies, IDLE);
    // Another caller of the busy model gets it meanwhile: the wait holds nobody up.
    const other = await cache.acquire(base, IDLE);
    expect(cache.find(replies)).toBeNull();
    other.release();
    expect(cache.find(base)).toBe(busy.ready);
    busy.release();
    const { ready, release } = await waiting;
    expect([cache.find(base), cache.find(replies)]).toEqual([null, ready]);
    release();
    await close();
  });

  it('says when to try again when the busy model is not done in time, and takes nothing', async () => {
    const { cache, close } = open(1);
    const busy = await cache.acquire(base, IDLE);
    const error: unknown = await cache.acquire(replies, IDLE).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 503, code: 'engine_busy', retryAfter: '15' });
    expect((error as Error).message).toContain('"replies" needs');
    busy.release();
    const next = await cache.acquire(replies, IDLE);
    next.release();
    await close();
  });

  it('a caller who leaves ends the wait', async () => {
    const { cache, close } = open(60_000);
    const busy = await cache.acquire(base, IDLE);
    const controller = new AbortController();
    const waiting = cache.acquire(replies, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    busy.release();
    await close();
  });

  it('a model that can never fit is refused at once', async () => {
    const { cache, close } = openCache({ memoryBytes: 1e6 });
    const never = { status: 503, code: 'engine_out_of_memory', retryAfter: null };
    await expect(cache.acquire(base, IDLE)).rejects.toMatchObject(never);
    await close();
  });

  it('counts what a process takes, once for all models that it holds', async () => {
    const { cache, close } = openCache({ memoryBytes, hostBytes: 1e6 });
    const first = await cache.acquire(base, IDLE);
    first.release();
    const second = await cache.acquire(replies, IDLE);
    second.release();
    await close();
    const larger = openCache({ memoryBytes, hostBytes: 5e6 });
    await expect(larger.cache.acquire(base, IDLE)).rejects.toMatchObject({ code: 'engine_out_of_memory' });
    await larger.close();
  });

  it("is the machine's, or the container's when that is less", () => {
    expect(readMemoryLimit(16e9, 2e9)).toBe(2e9);
    // No limit, unknown, and what control groups say when there is none.
    for (const none of [0, undefined, 2 ** 64]) expect(readMemoryLimit(16e9, none)).toBe(16e9);
    expect([1, 2, 4, 16, 64].map((gib) => toModelShare(gib * 1024 ** 3) / 1024 ** 3)).toEqual([0.5, 1, 3, 12.8, 51.2]);
  });
});

describe('toContextPlan', () => {
  const GIB = 1024 ** 3;
  it('gives small models 8 sequences of their full context on one thread', () => {
    expect(toContextPlan({ trainContext: 512, bytesPerToken: 2048, fileBytes: 1e6 }, GIB, 8)).toEqual({
      contextSize: 512,
      sequences: 8,
      promptStep: 64,
      threads: 1,
    });
  });

  it('trades sequences for context before it shrinks the context', () => {
    const shape = { trainContext: 32_768, bytesPerToken: 12_288, fileBytes: 400e6 };
    expect(toContextPlan(shape, GIB, 8)).toEqual({ contextSize: 32_768, sequences: 2, promptStep: 32, threads: 7 });
    // One whole context and a half: nobody loses the length that the model was made for.
    expect(toContextPlan(shape, GIB / 2, 8)).toMatchObject({ contextSize: 32_768, sequences: 1 });
  });

  it('divides memory that does not hold a whole context, so that one answer does not keep all others waiting', () => {
    const long = { trainContext: 131_072, bytesPerToken: 12_288, fileBytes: 400e6 };
    const plans = [131_071, 64_000, 40_000, 17_000, 16_000].map((tokens) => toContextPlan(long, tokens * 12_288, 1));
    const shapes = plans.map(({ sequences, contextSize }) => [sequences, contextSize]);
    expect(shapes).toEqual([
      [4, 32_767],
      [3, 21_333],
      [2, 20_000],
      [2, 8_500],
      [1, 16_000],
    ]);
  });
});
