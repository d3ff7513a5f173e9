// Loads adapters into the server of `--engine` at run time: vLLM, SGLang or Ollama. What the server is, its own endpoints
// say. Only called when a person asks for it.
import { createHash } from 'node:crypto';
import { isAbsolute, relative } from 'node:path';
import { Readable } from 'node:stream';
import { isObject, textOr } from '#core/contract/readJson.ts';
import { nearFiles, streamFile, type Files } from '#service/files/files.ts';
import { Silence } from '#service/files/mountCalls.ts';
import { CannotServe } from './cannotServe.ts';

type EngineKind = 'vllm' | 'sglang' | 'ollama' | 'other';

/** `--engine-path /mnt/runs=/data/runs`: a folder here and the same folder on the engine's machine. */
export interface PathMap {
  readonly here: string;
  readonly there: string;
}

export interface EngineLoaderOptions {
  /** With or without `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly paths: readonly PathMap[];
  /** Asks about the files of adapters. */
  readonly files?: Files;
}

export interface LoadedAdapter {
  /** Absolute path of its folder here. */
  readonly folder: string;
  /** Its files by name, with their real paths, which were checked to be inside the root of runs. */
  readonly files: ReadonlyMap<string, string>;
  readonly name: string;
  /** As the engine names the model to load it on. */
  readonly baseModel: string;
}

export interface EngineLoader {
  /** What the server is; `other` also if it does not answer. */
  readKind(): Promise<EngineKind>;
  /** Loads an adapter under a name. Resolves to the name to chat with. Throws CannotServe. */
  load(adapter: LoadedAdapter): Promise<string>;
  /** Throws CannotServe. */
  unload(name: string): Promise<void>;
}

const ASK_MS = 3_000;
const LOAD_MS = 300_000;
const MAX_TEXT = 64 * 1024;

/** The same folder as the engine's machine names it. The longest map that fits counts. */
export function toEnginePath(folder: string, paths: readonly PathMap[]): string {
  const fitting = paths.filter(({ here }) => {
    const rest = relative(here, folder);
    return !rest.startsWith('..') && !isAbsolute(rest);
  });
  const best = fitting.toSorted((a, b) => b.here.length - a.here.length)[0];
  if (!best) return folder;
  const rest = relative(best.here, folder);
  return rest === '' ? best.there : `${best.there.replace(/\/$/, '')}/${rest.split('\\').join('/')}`;
}

export function openEngineLoader({
  baseUrl,
  apiKey,
  paths,
  files: disk = nearFiles,
}: EngineLoaderOptions): EngineLoader {
  /** Its size, and the SHA-256 of its bytes. Throws CannotServe. */
  async function readDigest(path: string, file: string): Promise<{ readonly size: number; readonly sha256: string }> {
    try {
      const size = (await disk.find(path))?.bytes ?? 0;
      const hash = createHash('sha256');
      for await (const chunk of streamFile(disk, path, size)) hash.update(chunk);
      return { size, sha256: hash.digest('hex') };
    } catch (error) {
      if (error instanceof Silence) throw new CannotServe(`${file} can't be read: ${error.message}. Check the mount.`);
      throw error;
    }
  }

  const root = new URL(baseUrl).href.replace(/\/+$/, '').replace(/\/v1$/, '');
  const { origin } = new URL(baseUrl);
  const headers: Record<string, string> = apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };

  async function send(path: string, init: RequestInit, ms = LOAD_MS): Promise<Response> {
    try {
      return await fetch(`${root}${path}`, {
        redirect: 'error',
        signal: AbortSignal.timeout(ms),
        ...init,
        headers: { ...headers, ...(init.headers as Record<string, string> | undefined) },
      });
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const reason = cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : String(cause);
      throw new CannotServe(`The engine at ${origin} can't be reached (${reason}). Start it, or correct --engine.`);
    }
  }

  const readBody = async (response: Response): Promise<string> =>
    (await response.text().catch(() => '')).slice(0, MAX_TEXT);

  async function postJson(path: string, body: unknown): Promise<string> {
    const response = await send(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
    const text = await readBody(response);
    if (response.ok) return text;
    throw new CannotServe(`The engine at ${origin} refuses (status ${response.status}): ${toReason(text)}`);
  }

  /** The message of a server's error, whichever form it has. */
  function toReason(text: string): string {
    const clean = apiKey ? text.replaceAll(apiKey, '[key]') : text;
    try {
      const body: unknown = JSON.parse(clean);
      if (isObject(body)) {
        const { error, message, detail, error_message: sglang } = body;
        return textOr(isObject(error) ? error['message'] : error, textOr(message ?? sglang, textOr(detail, clean)));
      }
    } catch {
      // Plain text.
    }
    return clean.trim() || 'no reason given';
  }

  async function asks(path: string): Promise<unknown> {
    const response = await send(path, { method: 'GET' }, ASK_MS).catch(() => null);
    if (!response?.ok) return null;
    try {
      return JSON.parse(await readBody(response));
    } catch {
      return null;
    }
  }

  async function readKind(): Promise<EngineKind> {
    const [sglang, older, ollama, vllm] = await Promise.all(
      ['/model_info', '/get_model_info', '/api/version', '/version'].map(asks),
    );
    // SGLang first: it also has a part of Ollama's API.
    if ([sglang, older].some((info) => isObject(info) && 'model_path' in info)) return 'sglang';
    if (isObject(ollama) && 'version' in ollama) return 'ollama';
    return isObject(vllm) && 'version' in vllm ? 'vllm' : 'other';
  }

  /** Uploads the files of the adapter that Ollama does not have yet, then makes a model of them. */
  async function createInOllama({ files, name, baseModel }: LoadedAdapter): Promise<string> {
    const adapters: Record<string, string> = {};
    for (const [file, path] of files) {
      const { size, sha256 } = await readDigest(path, file);
      const digest = `sha256:${sha256}`;
      const known = await send(`/api/blobs/${digest}`, { method: 'HEAD' });
      if (!known.ok) {
        const sent = await send(`/api/blobs/${digest}`, {
          method: 'POST',
          body: Readable.from(streamFile(disk, path, size), { objectMode: false }) as unknown as BodyInit,
          headers: { 'content-length': String(size) },
          // Node's fetch wants this for a body that is a stream.
          duplex: 'half',
        } as RequestInit);
        if (!sent.ok) throw new CannotServe(`Ollama did not take ${file}: ${toReason(await readBody(sent))}`);
      }
      adapters[file] = digest;
    }
    const answer = await postJson('/api/create', { model: name, from: baseModel, adapters, stream: false });
    const last = answer.trim().split('\n').at(-1) ?? '';
    if (!last.includes('success')) throw new CannotServe(`Ollama did not make the model: ${toReason(last)}`);
    return name;
  }

  /** Of a name that is taken, the older adapter goes first: the studio may have started anew since it was loaded. */
  async function loadAgain(base: string, adapter: { readonly lora_name: string; readonly lora_path: string }) {
    try {
      await postJson(`${base}/load_lora_adapter`, adapter);
    } catch (error) {
      if (!(error instanceof CannotServe && /already (?:been loaded|exists|loaded)/.test(error.message))) throw error;
      await postJson(`${base}/unload_lora_adapter`, { lora_name: adapter.lora_name });
      await postJson(`${base}/load_lora_adapter`, adapter);
    }
  }

  return {
    readKind,
    async load(adapter) {
      const { folder, name, baseModel } = adapter;
      const kind = await readKind();
      const there = toEnginePath(folder, paths);
      switch (kind) {
        case 'vllm':
          await loadAgain('/v1', { lora_name: name, lora_path: there }).catch((error: unknown) => {
            // Without the route. An adapter that it does not find is a 404 too, with the path.
            if (error instanceof CannotServe && error.message.endsWith('status 404): Not Found'))
              throw new CannotServe(
                'This vLLM does not load adapters at run time. Start it with --enable-lora and ' +
                  'VLLM_ALLOW_RUNTIME_LORA_UPDATING=True.',
              );
            if (error instanceof CannotServe && error.message.includes('status 404'))
              throw new CannotServe(
                `${error.message} It looked for ${there} on its own machine: say where the folder is there, with ` +
                  '--engine-path HERE=THERE.',
              );
            throw error;
          });
          return name;
        case 'sglang':
          await loadAgain('', { lora_name: name, lora_path: there });
          return `${baseModel}:${name}`;
        case 'ollama':
          return createInOllama(adapter);
        case 'other':
          throw new CannotServe(
            `The engine at ${origin} is not vLLM, SGLang or Ollama, or does not answer. Start it with the adapter: see ` +
              'the command.',
          );
      }
    },
    async unload(name) {
      const kind = await readKind();
      if (kind === 'vllm') await postJson('/v1/unload_lora_adapter', { lora_name: name });
      else if (kind === 'sglang') await postJson('/unload_lora_adapter', { lora_name: name.split(':').at(-1) });
      else if (kind === 'ollama') {
        const response = await send('/api/delete', {
          method: 'DELETE',
          body: JSON.stringify({ model: name }),
          headers: { 'content-type': 'application/json' },
        });
        if (!response.ok)
          throw new CannotServe(`Ollama did not remove the model: ${toReason(await readBody(response))}`);
      } else throw new CannotServe(`The engine at ${origin} can't unload adapters.`);
    },
  };
}
