// A process with llama.cpp that ends: who is told what, what is loaded again, and what goes on.
import { copyFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi, type Mock } from 'vitest';
import type { ChatRequest } from '#core/contract/chatRequest.ts';
import type { Engine, EngineEvent, ModelFile } from './engine.ts';
import { nearFiles } from '#service/files/files.ts';
import { SILENCE, silentFiles } from '#service/files/silent.fixture.ts';
import { openModelHost, type ModelHost } from '#engine/host/modelHost.ts';
import type { LlamaEngineOptions } from './llamaEngine.ts';
import { ask, BASE, IDLE, openSampleEngine, SAMPLE_FILES, sampleFile, samplePath } from './sampleModel.fixture.ts';
import { atEnd, keepFolder } from '#service/files/keep.fixture.ts';

const BASE_FILE = 'support-base.Q8_0.gguf';
/** Goes on until the context is full. */
const ENDLESS = {
  messages: BASE,
  response_format: {
    type: 'json_schema' as const,
    schema: { type: 'array', items: { type: 'integer', minimum: 1000 }, minItems: 1000 },
  },
};

let folder: string;
/** A model of somebody else's: it has a process of its own. */
let strange: ModelFile;
const lines: string[] = [];
beforeEach(async () => {
  folder = keepFolder();
  const path = join(folder, 'strange.gguf');
  await copyFile(samplePath(BASE_FILE), path);
  strange = { ...sampleFile('strange', BASE_FILE), path };
  lines.length = 0;
});
interface Opened {
  readonly engine: Engine;
  /** In the order in which they were started. */
  readonly hosts: readonly ModelHost[];
  readonly loadWeights: Mock;
}

function open(options: Partial<LlamaEngineOptions> = {}): Opened {
  const hosts: ModelHost[] = [];
  const loadWeights = vi.fn();
  const engine = openSampleEngine({
    models: [...SAMPLE_FILES, strange],
    dataDir: folder,
    report: (line) => lines.push(line),
    openHost(given) {
      const host = openModelHost(given);
      hosts.push(host);
      return {
        ...host,
        loadWeights(...asked) {
          loadWeights();
          return host.loadWeights(...asked);
        },
      };
    },
    ...options,
  });
  atEnd(() => engine.close());
  return { engine, hosts, loadWeights };
}

/** An answer that has begun. */
async function begin(engine: Engine, model: string): Promise<AsyncIterator<EngineEvent>> {
  const loaded = await engine.load(model, IDLE);
  if (loaded === null) throw new Error(`There is no model ${model}.`);
  const request: ChatRequest = { model, ...ENDLESS };
  const stream = loaded.generate(request, IDLE)[Symbol.asyncIterator]();
  await stream.next();
  return stream;
}

/** What the reader of an answer is told in the end. */
async function failureOf(stream: AsyncIterator<EngineEvent>): Promise<unknown> {
  try {
    for (;;) if ((await stream.next()).done === true) return null;
  } catch (error) {
    return error;
  }
}

function end(host: ModelHost | undefined, signal: NodeJS.Signals): Promise<unknown> {
  process.kill(host?.pid ?? 0, signal);
  return host?.ended ?? Promise.resolve();
}

const short = { messages: BASE, max_completion_tokens: 2 };

describe.skipIf(process.platform === 'win32')('a process with llama.cpp', () => {
  it('is one for the small files of the studio, and another one for each other file', async () => {
    const { engine, hosts } = open();
    for (const { id } of SAMPLE_FILES) await engine.load(id, IDLE);
    expect(hosts).toHaveLength(1);
    await engine.load('strange', IDLE);
    expect(hosts).toHaveLength(2);
  });

  it('crashes with one model: its readers hear why, all others go on', async () => {
    const { engine, hosts } = open();
    const other = await begin(engine, 'base');
    const stream = await begin(engine, 'strange');
    await end(hosts[1], 'SIGABRT');
    expect(await failureOf(stream)).toMatchObject({
      name: 'EngineError',
      status: 503,
      code: 'model_crashed',
      message: `Model "strange" ended llama.cpp (SIGABRT): ${strange.path}. It is not loaded again until the file changes. Export the file again.`,
    });
    expect((await other.next()).value).toMatchObject({ type: 'text-delta' });
    await other.return?.();
    expect(lines).toEqual([
      `The process that runs "strange" has ended (SIGABRT). ${strange.path} is not loaded again until it changes.`,
    ]);
  });

  it('does not load a file again that has ended it, also after a restart, until the file changes', async () => {
    const first = open();
    const stream = await begin(first.engine, 'strange');
    await end(first.hosts[1] ?? first.hosts[0], 'SIGSEGV');
    await failureOf(stream);
    const refused = {
      status: 503,
      code: 'model_crashed',
      message: expect.stringMatching(
        /^Model "strange" is not loaded: \S+strange\.gguf ended llama\.cpp on \d{4}-\d\d-\d\d \(SIGSEGV\)\. /,
      ) as string,
    };
    await vi.waitFor(() => expect(first.engine.load('strange', IDLE)).rejects.toMatchObject(refused), 20_000);
    const second = open();
    await expect(second.engine.load('strange', IDLE)).rejects.toMatchObject(refused);
    await utimes(strange.path, 1, 1);
    expect((await ask(second.engine, 'strange', short)).end.type).toBe('message-end');
  });

  it('is killed from outside: that is said, and the model is loaded again after a moment', async () => {
    const { engine, hosts } = open();
    const stream = await begin(engine, 'strange');
    await end(hosts[0], 'SIGKILL');
    expect(await failureOf(stream)).toMatchObject({
      status: 503,
      code: 'engine_restarted',
      retryAfter: '1',
      message: expect.stringContaining('often because memory ran out') as string,
    });
    await expect(engine.load('strange', IDLE)).rejects.toMatchObject({
      status: 503,
      code: 'engine_restarting',
      retryAfter: '1',
    });
    await vi.waitFor(async () => expect((await ask(engine, 'strange', short)).end.type).toBe('message-end'), 20_000);
  });

  it('crashes with several models: each gets one of its own, and none is blamed', async () => {
    const { engine, hosts } = open();
    const streams = [await begin(engine, 'base'), await begin(engine, 'replies')];
    await end(hosts[0], 'SIGABRT');
    for (const stream of streams) expect(await failureOf(stream)).toMatchObject({ code: 'engine_restarted' });
    await vi.waitFor(async () => {
      for (const model of ['base', 'replies']) await ask(engine, model, short);
    }, 20_000);
    expect(hosts).toHaveLength(3);
    // Others still share one.
    for (const model of ['triage', 'orders']) await ask(engine, model, short);
    expect(hosts).toHaveLength(4);
  });

  it('crashes while a graphics card computes: the file is not blamed, and runs on the processor from then on', async () => {
    const gpu = { kind: 'cuda', devices: ['A card'], bytes: 1e9, isUnified: false };
    const asked: string[] = [];
    const hosts: ModelHost[] = [];
    const { engine } = open({
      gpu: 'auto',
      openHost(given) {
        const host = openModelHost({ ...given, gpu: 'off' });
        asked.push(given.gpu);
        hosts.push(host);
        return given.gpu === 'off' ? host : { ...host, started: host.started.then(({ cores }) => ({ gpu, cores })) };
      },
    });
    const stream = await begin(engine, 'strange');
    await end(hosts[0], 'SIGSEGV');
    expect(await failureOf(stream)).toMatchObject({ code: 'engine_restarted' });
    expect(lines[0]).toContain('It runs on the processor from now on');
    await vi.waitFor(() => ask(engine, 'strange', short), 20_000);
    expect(asked).toEqual(['auto', 'off']);
    const again = await begin(engine, 'strange');
    await end(hosts[1], 'SIGSEGV');
    expect(await failureOf(again)).toMatchObject({ code: 'model_crashed' });
  });

  it('that ends again and again is started less and less often', async () => {
    const { engine, hosts } = open();
    const waits: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      await vi.waitFor(() => begin(engine, 'strange'), 20_000);
      await end(hosts.at(-1), 'SIGKILL');
      const error: unknown = await engine.load('strange', IDLE).catch((reason: unknown) => reason);
      waits.push((error as { retryAfter: string }).retryAfter);
    }
    expect(waits).toEqual(['1', '1', '2']);
  });
});

it('a file that changes while its model is in memory: what is opened next gets the new one', async () => {
  const tuned = { ...strange, id: 'tuned', adapter: samplePath('support-triage-1.lora.F16.gguf') };
  const again = { ...tuned, id: 'again', adapter: samplePath('support-orders-1.lora.F16.gguf') };
  const { engine, loadWeights } = open({ models: [strange, tuned, again] });
  for (const model of ['strange', 'tuned']) await ask(engine, model, short);
  expect(loadWeights).toHaveBeenCalledTimes(1);
  await utimes(strange.path, 1, 1);
  await ask(engine, 'again', short);
  expect(loadWeights).toHaveBeenCalledTimes(2);
});

it('a model whose mount hangs is refused with the reason, and no process waits for it; others answer', async () => {
  const openHost = vi.fn(openModelHost);
  const engine = openSampleEngine({
    models: [strange, ...SAMPLE_FILES],
    openHost,
    files: { ...nearFiles, find: (path) => (path === strange.path ? silentFiles : nearFiles).find(path) },
  });
  atEnd(() => engine.close());
  const error: unknown = await engine.load('strange', IDLE).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ status: 503, code: 'model_file_silent', message: expect.stringMatching(SILENCE) });
  expect(openHost).not.toHaveBeenCalled();
  expect((await engine.load(SAMPLE_FILES[0]!.id, IDLE))?.id).toBe(SAMPLE_FILES[0]!.id);
});
