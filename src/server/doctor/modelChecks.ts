// What the doctor looks at of models and of what answers with them: the operator's files, llama.cpp, servers elsewhere.
import { open } from 'node:fs/promises';
import { EngineError, type ModelFile } from '#server/engine/engine.ts';
import { openLlamaEngine } from '#server/engine/llamaEngine.ts';
import { joinModelFiles, ModelFileError, parseModelFlag, readModelsFile } from '#server/engine/modelFiles.ts';
import { openUpstreamEngine } from '#server/engine/upstream/upstreamEngine.ts';
import { toReason } from '#server/studio/database.ts';
import { toSamplePath } from '#server/studio/sampleFiles.ts';
import { ROUTES } from '#shared/contract/routes.ts';
import type { Check } from './check.ts';

const MAGIC = 'GGUF';

/** Null for a file that begins as GGUF files do, else what is wrong with it. */
async function findFileFault(path: string): Promise<string | null> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
      return buffer.subarray(0, bytesRead).toString('latin1') === MAGIC ? null : 'is no GGUF file';
    } finally {
      await file.close();
    }
  } catch (error) {
    return `can't be read (${toReason(error)})`;
  }
}

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** The models of `--model` and of models.json. `directory`: what relative paths of flags begin at. */
export async function checkModels(flags: readonly string[], dataDir: string, directory: string): Promise<Check> {
  const name = 'Models';
  let files: readonly ModelFile[];
  try {
    const named = await Promise.all(flags.map((value) => parseModelFlag(value, directory)));
    files = joinModelFiles(named, await readModelsFile(dataDir));
  } catch (error) {
    if (!(error instanceof ModelFileError)) throw error;
    return { name, state: 'problem', text: error.message };
  }
  for (const { id, path, adapter } of files) {
    for (const file of adapter === null ? [path] : [path, adapter]) {
      const fault = await findFileFault(file);
      if (fault !== null)
        return { name, state: 'problem', text: `Model ${id}: ${file} ${fault}. Give the path of a GGUF file.` };
    }
  }
  const text =
    files.length === 0
      ? 'No models of your own; add one with --model ID=FILE.gguf.'
      : `${plural(files.length, 'model')} of your own: ${files.map(({ id }) => id).join(', ')}.`;
  return { name, state: 'ok', text };
}

const LOAD_MS = 30_000;
const PROBE = 'support-base';

/** Loads a small model of the sample, as the studio does for its first answer. */
export async function checkLlama(path = toSamplePath('support-base.Q8_0.gguf')): Promise<Check> {
  const name = 'llama.cpp';
  const file: ModelFile = { id: PROBE, aliases: [], path, adapter: null, created: 0, owned_by: 'model-studio' };
  const engine = openLlamaEngine({ models: async () => [file] });
  try {
    await engine.load(PROBE, AbortSignal.timeout(LOAD_MS));
    return { name, state: 'ok', text: 'It loads a model on this machine.' };
  } catch (error) {
    const text =
      `It can't load a small model here (${toReason(error)}). Install the packages again without --omit=optional, ` +
      'or use a server with --engine.';
    return { name, state: 'problem', text };
  } finally {
    await engine.close();
  }
}

/** The OpenAI-compatible server of `--engine`. */
export async function checkEngine(server: {
  readonly baseUrl: string;
  readonly apiKey: string | null;
}): Promise<Check> {
  const name = 'Engine';
  const engine = openUpstreamEngine(server);
  try {
    const models = await engine.listModels();
    const { origin } = new URL(server.baseUrl);
    return models.length === 0
      ? { name, state: 'note', text: `${origin} answers and lists no models. Load one there.` }
      : { name, state: 'ok', text: `${origin} answers and lists ${plural(models.length, 'model')}.` };
  } catch (error) {
    const known = error instanceof EngineError ? error.message : `The engine can't be used (${toReason(error)}).`;
    return { name, state: 'problem', text: `${known} --engine gives its address, STUDIO_ENGINE_KEY its key.` };
  } finally {
    await engine.close();
  }
}

const REMOTE_MS = 10_000;

const causeOf = (error: unknown): unknown => (error instanceof Error && error.cause ? error.cause : error);

/** The remote studio of `--base-url`. */
export async function checkRemote(baseUrl: URL, apiKey: string): Promise<Check> {
  const name = 'Remote studio';
  const { origin } = baseUrl;
  const problem = (text: string): Check => ({ name, state: 'problem', text });
  try {
    const answer = await fetch(new URL(baseUrl.pathname.replace(/\/+$/, '') + ROUTES.projects, origin), {
      headers: { Authorization: `Bearer ${apiKey}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(REMOTE_MS),
    });
    await answer.body?.cancel();
    if (answer.ok) return { name, state: 'ok', text: `${origin} answers and takes the key.` };
    if (answer.status === 401 || answer.status === 403)
      return problem(`${origin} refuses the key (${answer.status}). Put the studio's own token into STUDIO_API_KEY.`);
    // Not every remote lists projects; then its address alone has been shown to answer.
    if (answer.status === 404)
      return { name, state: 'note', text: `${origin} answers, but lists no projects. Open one by its id.` };
    return problem(`${origin} answered ${answer.status}. Check the address in --base-url.`);
  } catch (error) {
    return problem(`${origin} can't be reached (${toReason(causeOf(error))}). Check the address in --base-url.`);
  }
}
