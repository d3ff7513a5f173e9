// What the doctor looks at of models and of what answers with them: the operator's files, llama.cpp, servers elsewhere.
import { formatBytes } from '#core/contract/numberNotation.ts';
import { EngineError, type Engine, type ModelFile, type Residence } from '#engine/engine.ts';
import { findGgufProblem } from '#engine/gguf/ggufFile.ts';
import { openCrashMemory, readIdentity } from '#engine/host/crashMemory.ts';
import { openLlamaEngine } from '#engine/llamaEngine.ts';
import type { GpuChoice } from '#engine/llamaRuntime.ts';
import { joinModelFiles, ModelFileError, parseModelFlag, readModelsFile } from '#engine/modelFiles.ts';
import { openUpstreamEngine } from '#engine/upstream/upstreamEngine.ts';
import { STUDIO } from '#core/contract/studioEndpoints.ts';
import { openUpstream } from '#app/server/gateway/upstream.ts';
import { toRefusal } from '#app/server/gateway/upstreamFailure.ts';
import { toReason } from '#service/database/database.ts';
import { toSamplePath } from '#features/projects/server/sampleFiles.ts';
import type { Check } from './check.ts';

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
  const crashes = openCrashMemory(dataDir);
  for (const { id, path, adapter } of files) {
    const parts = [
      [path, 'gguf'],
      [adapter, 'adapter'],
    ] as const;
    for (const [file, kind] of parts) {
      if (file === null) continue;
      const fault = await findGgufProblem(file, kind);
      if (fault !== null) return { name, state: 'problem', text: `Model ${id}: ${file}: ${fault} Export it again.` };
      const crash = await crashes.find(file, await readIdentity(file));
      if (crash !== null)
        return {
          name,
          state: 'problem',
          text: `Model ${id}: ${file} ended llama.cpp on ${crash.at.slice(0, 10)} (${crash.reason}). Export it again.`,
        };
    }
  }
  const text =
    files.length === 0
      ? 'No models of your own; add one with --model ID=FILE.gguf.'
      : `${plural(files.length, 'model')} of your own: ${files.map(({ id }) => id).join(', ')}.`;
  return { name, state: 'ok', text };
}

/** A graphics card's driver compiles at the first load. */
const LOAD_MS = 90_000;
const PROBE = 'support-base';

/** Requests with a seed that are compared. */
const SEEDS = 6;

async function askProbe(engine: Engine, seed: number, question: string): Promise<string> {
  const model = await engine.load(PROBE, AbortSignal.timeout(LOAD_MS));
  const messages = [{ role: 'user' as const, content: question }];
  const request = { model: PROBE, messages, seed, temperature: 1, max_completion_tokens: 24 };
  let text = '';
  for await (const event of model?.generate(request, AbortSignal.timeout(LOAD_MS)) ?? [])
    if (event.type === 'text-delta') text += event.text;
  return text;
}

/** How many of `SEEDS` seeds give the same text alone, beside others and after a beginning that was read before. */
async function countSame(engine: Engine): Promise<number> {
  const question = 'Where is my order? '.repeat(12);
  const seeds = Array.from({ length: SEEDS }, (_, seed) => seed);
  const alone: string[] = [];
  for (const seed of seeds) alone.push(await askProbe(engine, seed, question));
  const beside = await Promise.all(seeds.map((seed) => askProbe(engine, seed, question)));
  await askProbe(engine, 0, `${question}It was a chair.`);
  const after: string[] = [];
  for (const seed of seeds) after.push(await askProbe(engine, seed, question));
  return seeds.filter((seed) => beside[seed] === alone[seed] && after[seed] === alone[seed]).length;
}

async function describeProbe(engine: Engine & Residence): Promise<string> {
  const memory = await engine.findMemory(PROBE);
  if (memory === null || memory === 'absent' || memory.gpu === null)
    return 'It loads a model on this machine’s processor.';
  const { gpu, layers, gpuLayers } = memory;
  const same = await countSame(engine);
  const seeds =
    same === SEEDS
      ? `The same seed gave the same text in ${SEEDS} of ${SEEDS} tries.`
      : `The same seed gave the same text in ${same} of ${SEEDS} tries: start with --gpu off where that matters.`;
  return (
    `It loads a model on ${gpu.devices.join(', ')} (${gpu.kind}, ${formatBytes(gpu.bytes)}): ${gpuLayers} of ${layers} ` +
    `layers. ${seeds}`
  );
}

/** Loads a small model of the sample, as the studio does for its first answer. */
export async function checkLlama(gpu: GpuChoice, path = toSamplePath('support-base.Q8_0.gguf')): Promise<Check> {
  const name = 'llama.cpp';
  const file: ModelFile = { id: PROBE, aliases: [], path, adapter: null, created: 0, owned_by: 'model-studio' };
  const engine = openLlamaEngine({ models: async () => [file], gpu, report: () => undefined });
  try {
    await engine.load(PROBE, AbortSignal.timeout(LOAD_MS));
    return { name, state: 'ok', text: await describeProbe(engine) };
  } catch (error) {
    const isTooLong = error instanceof Error && error.name === 'AbortError';
    const reason = isTooLong ? `it took longer than ${LOAD_MS / 1000} s` : toReason(error);
    const text =
      `It can't load a small model here (${reason}). Install the packages again without --omit=optional, ` +
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
  readonly named?: readonly string[];
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

/** The remote studio of `--base-url`, asked as the gateway asks it. */
export async function checkRemote(baseUrl: URL, apiKey: string, version: string): Promise<Check> {
  const name = 'Remote studio';
  const { origin } = baseUrl;
  const upstream = openUpstream({ baseUrl, apiKey, version });
  const problem = (text: string): Check => ({ name, state: 'problem', text });
  try {
    const signal = AbortSignal.timeout(REMOTE_MS);
    const { path } = STUDIO.listProjects;
    const answer = await upstream.send({ method: 'GET', path, headers: {}, signal, firstByteMs: REMOTE_MS });
    answer.destroy();
    const { statusCode: status = 502, headers } = answer;
    const refusal = toRefusal(origin, status, headers.location);
    if (refusal !== null) return problem(refusal.message);
    if (status < 300) return { name, state: 'ok', text: `${origin} answers and takes the key.` };
    // Not every remote lists projects; then its address alone has been shown to answer.
    if (status === 404)
      return { name, state: 'note', text: `${origin} answers, but lists no projects. Open one by its id.` };
    return problem(`${origin} answered ${status}. Check the address in --base-url and the key in STUDIO_API_KEY.`);
  } catch (error) {
    return problem(toReason(error));
  } finally {
    upstream.close();
  }
}
