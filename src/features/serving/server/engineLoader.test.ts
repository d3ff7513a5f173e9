// Against servers on this machine that answer as vLLM, SGLang and Ollama do.
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Files } from '#service/files/files.ts';
import { SILENCE, silentFiles } from '#service/files/silent.fixture.ts';
import { CannotServe } from './cannotServe.ts';
import { openEngineLoader, toEnginePath, type EngineLoader } from './engineLoader.ts';
import { keepFolder } from '#service/files/keep.fixture.ts';

type Answer = readonly [status: number, body: unknown];
/** Answers of one path in turn; the last of them again and again. */
type Answers = Answer | readonly Answer[];
const isOne = (answers: Answers): answers is Answer => typeof answers[0] === 'number';
interface Seen {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly body: string;
}

const KEY = 'secret-key';
let server: Server | null = null;
let seen: Seen[] = [];

const folder = keepFolder();
const files = ['adapter_config.json', 'adapter_model.safetensors'].map((name) => [name, join(folder, name)] as const);
for (const [name, path] of files) await writeFile(path, `content of ${name}`);
const adapter = { folder, files: new Map(files), name: 'tickets-500', baseModel: 'base' };
afterEach(() => server?.close());

async function openServer(answers: Readonly<Record<string, Answers>>, files?: Files): Promise<EngineLoader> {
  seen = [];
  const given = new Map<string, number>();
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const [method = '', path = ''] = [request.method, request.url];
    seen.push({ method, path, key: request.headers.authorization, body: Buffer.concat(parts).toString() });
    const all = answers[`${method} ${path}`] ?? [404, { detail: 'Not Found' }];
    const count = given.get(`${method} ${path}`) ?? 0;
    given.set(`${method} ${path}`, count + 1);
    const [status, body] = isOne(all) ? all : all[Math.min(count, all.length - 1)]!;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => void server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return openEngineLoader({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: KEY,
    paths: [{ here: folder, there: '/data/a' }],
    ...(files && { files }),
  });
}

const VLLM = { 'GET /version': [200, { version: '0.11.0' }] } as const;
const loads = (): Seen[] => seen.filter(({ method, path }) => method === 'POST' && !path.startsWith('/api/blobs'));

describe('vLLM', () => {
  it('gets the path of the adapter on its own machine, with the key', async () => {
    const loader = await openServer({ ...VLLM, 'POST /v1/load_lora_adapter': [200, 'Success'] });
    expect(await loader.load(adapter)).toBe('tickets-500');
    expect(loads()).toEqual([
      {
        method: 'POST',
        path: '/v1/load_lora_adapter',
        key: `Bearer ${KEY}`,
        body: JSON.stringify({ lora_name: 'tickets-500', lora_path: '/data/a' }),
      },
    ]);
  });

  it('says how to start it when it does not load at run time', async () => {
    const loader = await openServer(VLLM);
    await expect(loader.load(adapter)).rejects.toThrow(/VLLM_ALLOW_RUNTIME_LORA_UPDATING=True/);
  });

  it('is quoted without the key when it refuses', async () => {
    const body = { error: { message: `rank 64 is above 16 (${KEY})` } };
    const loader = await openServer({ ...VLLM, 'POST /v1/load_lora_adapter': [400, body] });
    await expect(loader.load(adapter)).rejects.toThrow(/rank 64 is above 16 \(\[key\]\)/);
  });

  it('that has the name already, from before the studio was started, gets the adapter anew', async () => {
    // As of 0.15: `load_inplace` would do, which older ones don't know.
    const message = "The lora adapter 'tickets-500' has already been loaded.";
    const taken = [400, { error: { message, type: 'InvalidUserInput', param: null, code: 400 } }] as const;
    const loader = await openServer({
      ...VLLM,
      'POST /v1/load_lora_adapter': [taken, [200, "Success: LoRA adapter 'tickets-500' added successfully."]],
      'POST /v1/unload_lora_adapter': [200, 'Success'],
    });
    expect(await loader.load(adapter)).toBe('tickets-500');
    expect(loads().map(({ path }) => path)).toEqual([
      '/v1/load_lora_adapter',
      '/v1/unload_lora_adapter',
      '/v1/load_lora_adapter',
    ]);
  });

  it('that does not find the folder is told from one that loads nothing at run time', async () => {
    const message = 'Loading lora tickets-500 failed: No adapter found for /data/a';
    const body = { error: { message, type: 'NotFoundError', param: null, code: 404 } };
    const loader = await openServer({ ...VLLM, 'POST /v1/load_lora_adapter': [404, body] });
    await expect(loader.load(adapter)).rejects.toThrow(/No adapter found for \/data\/a.*--engine-path HERE=THERE/);
  });

  it('unloads', async () => {
    const loader = await openServer({ ...VLLM, 'POST /v1/unload_lora_adapter': [200, 'Success'] });
    await loader.unload('tickets-500');
    expect(loads().map(({ body }) => body)).toEqual([JSON.stringify({ lora_name: 'tickets-500' })]);
  });
});

describe('SGLang', () => {
  it('serves an adapter under the name of its base', async () => {
    const loader = await openServer({
      'GET /get_model_info': [200, { model_path: 'base' }],
      'POST /load_lora_adapter': [200, { success: true }],
      'POST /unload_lora_adapter': [200, { success: true }],
    });
    expect(await loader.load(adapter)).toBe('base:tickets-500');
    await loader.unload('base:tickets-500');
    expect(loads().at(-1)?.body).toBe(JSON.stringify({ lora_name: 'tickets-500' }));
  });

  it('is known by the path of newer versions, also if it answers as Ollama, and says why it refuses', async () => {
    const loader = await openServer({
      'GET /model_info': [200, { model_path: 'base', is_generation: true }],
      'GET /api/version': [200, { version: '0.5' }],
      'POST /load_lora_adapter': [400, { success: false, error_message: 'LoRA is not enabled.', loaded_adapters: {} }],
    });
    expect(await loader.readKind()).toBe('sglang');
    await expect(loader.load(adapter)).rejects.toThrow(/refuses \(status 400\): LoRA is not enabled\.$/);
  });
});

describe('Ollama', () => {
  const digest = createHash('sha256').update('content of adapter_config.json').digest('hex');
  const other = createHash('sha256').update('content of adapter_model.safetensors').digest('hex');
  const OLLAMA = { 'GET /api/version': [200, { version: '0.12' }] } as const;

  it('gets the files that it does not have, and makes a model of them', async () => {
    const loader = await openServer({
      ...OLLAMA,
      [`HEAD /api/blobs/sha256:${digest}`]: [200, ''],
      [`POST /api/blobs/sha256:${other}`]: [201, ''],
      'POST /api/create': [200, { status: 'success' }],
    });
    expect(await loader.load(adapter)).toBe('tickets-500');
    const uploads = seen.filter(({ method, path }) => method === 'POST' && path.startsWith('/api/blobs'));
    expect(uploads.map(({ body }) => body)).toEqual(['content of adapter_model.safetensors']);
    expect(JSON.parse(loads().at(-1)?.body ?? '')).toMatchObject({
      model: 'tickets-500',
      from: 'base',
      adapters: { 'adapter_config.json': `sha256:${digest}`, 'adapter_model.safetensors': `sha256:${other}` },
    });
  });

  it('says why it made no model', async () => {
    const loader = await openServer({
      ...OLLAMA,
      [`HEAD /api/blobs/sha256:${digest}`]: [200, ''],
      [`HEAD /api/blobs/sha256:${other}`]: [200, ''],
      'POST /api/create': [400, { error: 'unsupported architecture' }],
    });
    await expect(loader.load(adapter)).rejects.toThrow(/unsupported architecture/);
  });
});

describe('another server', () => {
  it('loads nothing, and the reason says what to do', async () => {
    const loader = await openServer({});
    expect(await loader.readKind()).toBe('other');
    await expect(loader.load(adapter)).rejects.toThrow(CannotServe);
    server?.close();
    await expect(loader.unload('x')).rejects.toThrow(CannotServe);
  });
});

describe('toEnginePath', () => {
  it('takes the longest folder that fits, and leaves others alone', () => {
    const paths = [
      { here: '/mnt', there: '/a' },
      { here: '/mnt/runs', there: '/b/' },
    ];
    expect(toEnginePath('/mnt/runs/x/y', paths)).toBe('/b/x/y');
    expect(toEnginePath('/mnt/other', paths)).toBe('/a/other');
    expect(toEnginePath('/mntx', paths)).toBe('/mntx');
    expect(toEnginePath('/mnt/runs', paths)).toBe('/b/');
  });
});

it('an adapter whose mount hangs is not loaded, and the reason is said', async () => {
  const loader = await openServer({ 'GET /api/version': [200, { version: '0.12.0' }] }, silentFiles);
  const loaded = loader.load(adapter);
  await expect(loaded).rejects.toBeInstanceOf(CannotServe);
  await expect(loaded).rejects.toThrow(SILENCE);
});
