// Files that can't be served, and models that come and go.
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toContextPlan } from './contextPlan.ts';
import type { ModelFile } from './engine.ts';
import { openLlamaRuntime, type LlamaRuntime } from './llamaRuntime.ts';
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
    ['empty', BASE_FILE, /Invalid GGUF/, () => Buffer.alloc(0)],
    ['no GGUF', BASE_FILE, /Invalid GGUF/, () => Buffer.from('<html>'.repeat(1000))],
    ['cut in its header', BASE_FILE, /failed to read key-value pairs/, (bytes) => bytes.subarray(0, 5000)],
    ['cut in its weights', BASE_FILE, /not within the file bounds/, (bytes) => bytes.subarray(0, 500_000)],
    ['garbled', BASE_FILE, /./, (bytes) => bytes.fill(0x55, 200, 400)],
    ['with an absurd count', BASE_FILE, /out of range/, (bytes) => (bytes.writeBigUInt64LE(2n ** 40n, 16), bytes)],
    ['an adapter in place of a model', ADAPTER, /key not found/, (bytes) => bytes],
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

describe('ModelCache', () => {
  let runtime: LlamaRuntime;
  beforeAll(async () => {
    runtime = await openLlamaRuntime();
  });
  afterAll(() => runtime.close());
  const open = (maxContexts: number, more: Partial<CacheOptions> = {}): ModelCache =>
    new ModelCache({ openRuntime: () => Promise.resolve(runtime), threads: 1, maxContexts, ...more });
  const file = (index: number): ModelFile => SAMPLE_FILES[index] ?? sampleFile('base', BASE_FILE);

  it('shares weights between adapters and contexts between callers', async () => {
    const cache = open(8);
    const [one, two, three] = await Promise.all([
      cache.acquire(file(0), IDLE),
      cache.acquire(file(1), IDLE),
      cache.acquire(file(0), IDLE),
    ]);
    expect(one.ready.model).toBe(two.ready.model);
    expect(one.ready.contexts).toBe(three.ready.contexts);
    expect(one.ready.contexts).not.toBe(two.ready.contexts);
    for (const { release } of [one, two, three]) release();
    await cache.close();
    expect([one.ready.contexts[0]?.disposed, one.ready.model.disposed]).toEqual([true, true]);
  });

  it('gives up the least recently used idle context, never one in use', async () => {
    const cache = open(2);
    const used = await cache.acquire(file(0), IDLE);
    const idle = await cache.acquire(file(1), IDLE);
    idle.release();
    const next = await cache.acquire(file(2), IDLE);
    expect([cache.contextCount, idle.ready.contexts[0]?.disposed, used.ready.contexts[0]?.disposed]).toEqual([
      2,
      true,
      false,
    ]);
    const over = await cache.acquire(file(3), IDLE);
    expect(cache.contextCount).toBe(3);
    for (const { release } of [used, next, over]) release();
    const again = await cache.acquire(file(1), IDLE);
    expect(again.ready.contexts[0]?.disposed).toBe(false);
    expect(cache.contextCount).toBe(2);
    again.release();
    await cache.close();
    expect(cache.contextCount).toBe(0);
  });
});

describe('memory', () => {
  let runtime: LlamaRuntime;
  beforeAll(async () => {
    runtime = await openLlamaRuntime();
  });
  afterAll(() => runtime.close());
  /** The sample's models take 1 to 2 MB of weights and about as much for contexts: half of this holds one of them. */
  const memoryBytes = 9e6;
  const openRuntime = (): Promise<LlamaRuntime> => Promise.resolve(runtime);
  const open = (roomWaitMs: number): ModelCache =>
    new ModelCache({ openRuntime, threads: 1, maxContexts: 16, memoryBytes, roomWaitMs });
  const base = sampleFile('base', BASE_FILE);
  const replies = sampleFile('replies', 'support-replies-1.Q8_0.gguf');

  it('gives up an idle model for another one', async () => {
    const cache = open(60_000);
    const first = await cache.acquire(base, IDLE);
    first.release();
    const second = await cache.acquire(replies, IDLE);
    expect([first.ready.model.disposed, second.ready.model.disposed]).toEqual([true, false]);
    second.release();
    await cache.close();
  });

  it('waits for a busy model, and loads as soon as that one is done', async () => {
    const cache = open(60_000);
    const busy = await cache.acquire(base, IDLE);
    const waiting = cache.acquire(replies, IDLE);
    // Another caller of the busy model gets it meanwhile: the wait holds nobody up.
    const other = await cache.acquire(base, IDLE);
    expect(cache.isReady(replies)).toBe(false);
    other.release();
    expect(busy.ready.model.disposed).toBe(false);
    busy.release();
    const { ready, release } = await waiting;
    expect([busy.ready.model.disposed, ready.model.disposed]).toEqual([true, false]);
    release();
    await cache.close();
  });

  it('says when to try again when the busy model is not done in time, and takes nothing', async () => {
    const cache = open(1);
    const busy = await cache.acquire(base, IDLE);
    const error: unknown = await cache.acquire(replies, IDLE).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 503, code: 'engine_busy', retryAfter: '15' });
    expect((error as Error).message).toContain('"replies" needs');
    busy.release();
    const next = await cache.acquire(replies, IDLE);
    next.release();
    await cache.close();
  });

  it('a caller who leaves ends the wait', async () => {
    const cache = open(60_000);
    const busy = await cache.acquire(base, IDLE);
    const controller = new AbortController();
    const waiting = cache.acquire(replies, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    busy.release();
    await cache.close();
  });

  it('a model that can never fit is refused at once', async () => {
    const cache = new ModelCache({ openRuntime, threads: 1, maxContexts: 16, memoryBytes: 1e6 });
    const never = { status: 503, code: 'engine_out_of_memory', retryAfter: null };
    await expect(cache.acquire(base, IDLE)).rejects.toMatchObject(never);
    await cache.close();
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
