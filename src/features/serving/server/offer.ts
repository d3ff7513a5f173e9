// The ways to serve a checkpoint.
import type { ModelFile } from '#engine/engine.ts';
import type { ServingOffer } from '#features/serving/shared/serving.ts';
import type { Files } from '#service/files/files.ts';
import { CannotServe } from './cannotServe.ts';
import type { ConvertedFiles } from './convertedFiles.ts';
import type { AdapterVerdict } from './convertWeights.ts';
import type { EngineLoader } from './engineLoader.ts';
import { toFolder, toObstacle, toPlace, type FoundCheckpoint } from './foundCheckpoint.ts';
import { listGguf, toAdapterFile } from './ggufFiles.ts';
import { toModelId, toNamed, toOffered } from './modelNames.ts';
import type { ServedModel } from './servedList.ts';
import { toMergeCommand, toQuantizeCommand, toServingCommands, type ServingCommand } from './servingCommands.ts';

type Way = ServingOffer['ways'][number];
/** What the servers can do with an adapter, or why its files can't be read; null: it is not looked at. */
type Verdict = AdapterVerdict | string | null;

interface OfferDeps {
  /** How it was served the last time. */
  readonly served: ServedModel | undefined;
  /** The model files that adapters can run on. */
  readonly bases: readonly ModelFile[];
  readonly engine: EngineLoader | null;
  readonly listEngineModels: () => Promise<readonly string[]>;
  readonly converted: ConvertedFiles;
  readonly files: Files;
}

/** What the servers can do with an adapter, or why its files can't be read. */
async function judge(
  checkpoint: FoundCheckpoint,
  bases: readonly string[],
  converted: ConvertedFiles,
): Promise<AdapterVerdict | string> {
  return converted.judgeAdapter(toPlace(checkpoint), bases).catch((error: unknown) => {
    if (error instanceof CannotServe) return error.message;
    throw error;
  });
}

const toCommandWays = (commands: readonly ServingCommand[], verdict: Verdict): readonly Way[] =>
  commands.map(({ server, title, command }) => {
    const reason = server !== null && verdict !== null && typeof verdict !== 'string' ? verdict.reasons[server] : null;
    return { way: 'command' as const, title, reason, command };
  });

/** llama.cpp of this studio, for an adapter. */
function toAdapterWay(
  { baseModel }: FoundCheckpoint,
  obstacle: string | null,
  verdict: Verdict,
  bases: readonly ModelFile[],
): Way {
  const way = { way: 'llama' as const, title: 'llama.cpp in this studio' };
  if (obstacle !== null || verdict === null) return { ...way, reason: obstacle };
  if (typeof verdict === 'string') return { ...way, reason: verdict };
  if (verdict.reasons.llama !== null) return { ...way, reason: verdict.reasons.llama };
  if (bases.length === 0)
    return {
      ...way,
      reason: `There is no model to run it on. Start the studio with --model NAME=FILE.gguf for ${baseModel ?? 'its base model'}.`,
    };
  const towers = verdict.hasTowers ? ['Its parts for images and sounds are left out: it answers texts only.'] : [];
  const offered = toOffered(bases, baseModel, ({ path }) => {
    const { reason = null, notes = [] } = verdict.bases[path] ?? {};
    return { reason, notes: [...towers, ...notes] };
  });
  return { ...way, reason: null, bases: offered };
}

/** The server of `--engine`; null: there is none, or it does not load such weights. */
async function toEngineWay(
  { kind, isMlx, baseModel }: FoundCheckpoint,
  obstacle: string | null,
  verdict: Verdict,
  { engine, listEngineModels }: OfferDeps,
): Promise<Way | null> {
  if (!engine || kind !== 'adapter' || isMlx) return null;
  const way = { way: 'engine' as const, title: 'the server of --engine' };
  const server = await engine.readKind();
  if (server === 'other') return { ...way, reason: 'The engine is not vLLM, SGLang or Ollama, or does not answer.' };
  const judged = typeof verdict === 'string' || verdict === null ? verdict : verdict.reasons[server];
  const reason = obstacle ?? judged;
  if (reason !== null) return { ...way, reason };
  return { ...way, reason, bases: toOffered((await listEngineModels()).map(toNamed), baseModel) };
}

/** The ways to serve a checkpoint, those that work first. `modelId`: of the model that answers with it already. */
export async function toOffer(
  checkpoint: FoundCheckpoint,
  modelId: string | null,
  deps: OfferDeps,
): Promise<ServingOffer> {
  const { path, kind, rank, step, runLabel } = checkpoint;
  const { served, bases, converted, files } = deps;
  const obstacle = toObstacle(checkpoint);
  const isJudged = kind === 'adapter' && obstacle === null;
  const verdict = isJudged
    ? await judge(checkpoint, modelId === null ? bases.map((base) => base.path) : [], converted)
    : null;
  const name = toModelId(runLabel, step, new Set());
  const known = verdict !== null && typeof verdict !== 'string' && verdict.maxRank > 0 ? verdict.maxRank : rank;
  const readable = kind === 'gguf' || obstacle === null ? kind : 'unknown';
  const { found, reason } = await listGguf({ place: toPlace(checkpoint), stem: name }, readable, converted, files);
  const commands = toCommandWays(
    [
      ...found.filter(({ form }) => kind === 'full' && form === 'saved').map(toQuantizeCommand),
      ...toServingCommands({ ...checkpoint, path: toFolder(checkpoint), rank: known, name }),
    ],
    verdict,
  );
  if (modelId !== null || kind === 'gguf') {
    const adapter = served?.id === modelId && served?.base != null ? served.file : null;
    const merged = adapter === null ? [] : [toMergeCommand(adapter, served?.base ?? '', name)];
    const own = adapter === null ? found : [toAdapterFile(name)];
    return {
      checkpoint: path,
      model_id: modelId,
      files: [...own],
      ways: [...toCommandWays(merged, null), ...commands],
    };
  }
  const here =
    kind === 'full'
      ? { way: 'llama' as const, title: 'llama.cpp in this studio', reason: obstacle ?? reason }
      : toAdapterWay(checkpoint, obstacle, verdict, bases);
  const elsewhere = await toEngineWay(checkpoint, obstacle, verdict, deps);
  const own = kind === 'adapter' && here.reason === null ? [toAdapterFile(name)] : found;
  return {
    checkpoint: path,
    model_id: null,
    files: [...own],
    ways: [here, ...(elsewhere ? [elsewhere] : []), ...commands],
  };
}
