// Loads adapters into the server of `--engine` at run time: vLLM, SGLang or Ollama. What the server is, its own endpoints
// say. Only called when a person asks for it.
import { isAbsolute, relative } from 'node:path';
import { isObject } from '#core/contract/readJson.ts';
import { nearFiles, type Files } from '#service/files/files.ts';
import { openOllama, openOther, openSglang, openVllm, type AdapterServer } from './adapterServers.ts';
import { openEngineHttp } from './engineHttp.ts';

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

export interface EngineLoader extends AdapterServer {
  /** What the server is; `other` also if it does not answer. */
  readKind(): Promise<EngineKind>;
}

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

export function openEngineLoader({ baseUrl, apiKey, paths, files = nearFiles }: EngineLoaderOptions): EngineLoader {
  const http = openEngineHttp(baseUrl, apiKey);
  const toTheirs = (folder: string): string => toEnginePath(folder, paths);
  const servers: Record<EngineKind, AdapterServer> = {
    vllm: openVllm(http, toTheirs),
    sglang: openSglang(http, toTheirs),
    ollama: openOllama(http, files),
    other: openOther(http),
  };

  async function readKind(): Promise<EngineKind> {
    const [sglang, older, ollama, vllm] = await Promise.all(
      ['/model_info', '/get_model_info', '/api/version', '/version'].map(http.read),
    );
    // SGLang first: it also has a part of Ollama's API.
    if ([sglang, older].some((info) => isObject(info) && 'model_path' in info)) return 'sglang';
    if (isObject(ollama) && 'version' in ollama) return 'ollama';
    return isObject(vllm) && 'version' in vllm ? 'vllm' : 'other';
  }

  return {
    readKind,
    load: async (adapter) => servers[await readKind()].load(adapter),
    unload: async (name) => servers[await readKind()].unload(name),
  };
}
