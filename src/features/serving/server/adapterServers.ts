// The kinds of servers that load adapters at run time, and how each does it.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { streamFile, type Files } from '#service/files/files.ts';
import { CannotServe, fromMount } from './cannotServe.ts';
import type { EngineHttp } from './engineHttp.ts';

interface LoadedAdapter {
  /** Absolute path of its folder here. */
  readonly folder: string;
  /** Its files by name, with their real paths, which were checked to be inside the root of runs. */
  readonly files: ReadonlyMap<string, string>;
  readonly name: string;
  /** As the engine names the model to load it on. */
  readonly baseModel: string;
}

export interface AdapterServer {
  /** Loads an adapter under a name. Resolves to the name to chat with. Throws CannotServe. */
  load(adapter: LoadedAdapter): Promise<string>;
  /** Throws CannotServe. */
  unload(name: string): Promise<void>;
}

/** As the engine's machine names a folder. */
type ToEnginePath = (folder: string) => string;

/** Of a name that is taken, the older adapter goes first: the studio may have started anew since it was loaded. */
async function loadAgain(http: EngineHttp, base: string, name: string, path: string): Promise<void> {
  const adapter = { lora_name: name, lora_path: path };
  try {
    await http.post(`${base}/load_lora_adapter`, adapter);
  } catch (error) {
    if (!(error instanceof CannotServe && /already (?:been loaded|exists|loaded)/.test(error.message))) throw error;
    await http.post(`${base}/unload_lora_adapter`, { lora_name: name });
    await http.post(`${base}/load_lora_adapter`, adapter);
  }
}

/** What to do about vLLM's 404; the error itself for others. `there`: the folder on its machine. */
function toVllmError(error: unknown, there: string): unknown {
  if (!(error instanceof CannotServe)) return error;
  // Without the route. An adapter that it does not find is a 404 too, with the path.
  if (error.message.endsWith('status 404): Not Found'))
    return new CannotServe(
      'This vLLM does not load adapters at run time. Start it with --enable-lora and ' +
        'VLLM_ALLOW_RUNTIME_LORA_UPDATING=True.',
    );
  if (!error.message.includes('status 404')) return error;
  return new CannotServe(
    `${error.message} It looked for ${there} on its own machine: say where the folder is there, with ` +
      '--engine-path HERE=THERE.',
  );
}

export const openVllm = (http: EngineHttp, toEnginePath: ToEnginePath): AdapterServer => ({
  async load({ folder, name }) {
    const there = toEnginePath(folder);
    await loadAgain(http, '/v1', name, there).catch((error: unknown) => {
      throw toVllmError(error, there);
    });
    return name;
  },
  async unload(name) {
    await http.post('/v1/unload_lora_adapter', { lora_name: name });
  },
});

export const openSglang = (http: EngineHttp, toEnginePath: ToEnginePath): AdapterServer => ({
  async load({ folder, name, baseModel }) {
    await loadAgain(http, '', name, toEnginePath(folder));
    return `${baseModel}:${name}`;
  },
  async unload(name) {
    await http.post('/unload_lora_adapter', { lora_name: name.split(':').at(-1) });
  },
});

/** Its size, and the SHA-256 of its bytes. */
async function readDigest(disk: Files, path: string): Promise<{ readonly size: number; readonly sha256: string }> {
  const size = (await disk.find(path))?.bytes ?? 0;
  const hash = createHash('sha256');
  for await (const chunk of streamFile(disk, path, size)) hash.update(chunk);
  return { size, sha256: hash.digest('hex') };
}

export function openOllama(http: EngineHttp, disk: Files): AdapterServer {
  /** Uploads a file that Ollama does not have yet. Resolves to its digest. */
  async function upload(name: string, path: string): Promise<string> {
    const { size, sha256 } = await fromMount(name, readDigest(disk, path));
    const digest = `sha256:${sha256}`;
    const known = await http.send(`/api/blobs/${digest}`, { method: 'HEAD' });
    if (known.ok) return digest;
    const sent = await http.send(`/api/blobs/${digest}`, {
      method: 'POST',
      body: Readable.from(streamFile(disk, path, size), { objectMode: false }) as unknown as BodyInit,
      headers: { 'content-length': String(size) },
      duplex: 'half',
    });
    if (!sent.ok) throw new CannotServe(`Ollama did not take ${name}: ${await http.readReason(sent)}`);
    return digest;
  }

  return {
    async load({ files, name, baseModel }) {
      const adapters: Record<string, string> = {};
      for (const [file, path] of files) adapters[file] = await upload(file, path);
      const answer = await http.post('/api/create', { model: name, from: baseModel, adapters, stream: false });
      const last = answer.trim().split('\n').at(-1) ?? '';
      if (!last.includes('success')) throw new CannotServe(`Ollama did not make the model: ${http.toReason(last)}`);
      return name;
    },
    async unload(name) {
      const response = await http.sendJson('DELETE', '/api/delete', { model: name });
      if (!response.ok) throw new CannotServe(`Ollama did not remove the model: ${await http.readReason(response)}`);
    },
  };
}

export const openOther = ({ origin }: EngineHttp): AdapterServer => ({
  async load() {
    throw new CannotServe(
      `The engine at ${origin} is not vLLM, SGLang or Ollama, or does not answer. Start it with the adapter: see ` +
        'the command.',
    );
  },
  async unload() {
    throw new CannotServe(`The engine at ${origin} can't unload adapters.`);
  },
});
