// Loads a model file and opens a context on it, and says in one line what is wrong with a file that can't be loaded.
import { stat } from 'node:fs/promises';
import type { LlamaContext, LlamaModel } from 'node-llama-cpp';
import { isObject, numberOr } from '#shared/contract/reading.ts';
import { throwIfAborted } from './abort.ts';
import type { ContextPlan, ModelShape } from './contextPlan.ts';
import { EngineError, type ModelFile } from './engine.ts';
import type { LlamaRuntime } from './llamaRuntime.ts';

/** Size of a file in bytes; EngineError when it is not there. */
async function readSize(path: string, what: string, id: string): Promise<number> {
  try {
    const info = await stat(path);
    if (info.isFile()) return info.size;
  } catch {
    // Said below.
  }
  throw new EngineError(
    `The ${what} of model "${id}" is missing: ${path}. Put the file back or remove the model.`,
    503,
    'model_file_missing',
  );
}

async function toDamaged(
  error: unknown,
  runtime: LlamaRuntime,
  path: string,
  what: string,
  id: string,
): Promise<EngineError> {
  const reason = (await runtime.readComplaint()) ?? (error instanceof Error ? error.message : String(error));
  const end = /[.!?]$/.test(reason) ? '' : '.';
  return new EngineError(
    `The ${what} of model "${id}" can't be loaded: ${path}: ${reason}${end} Export the file again.`,
    503,
    'model_file_damaged',
  );
}

/** Bytes of the weights. Throws EngineError 503 when a file of the model is not there. */
export async function assertFiles({ path, adapter, id }: ModelFile): Promise<number> {
  const bytes = await readSize(path, 'file', id);
  if (adapter !== null) await readSize(adapter, 'adapter', id);
  return bytes;
}

/** Loads the weights. Aborting stops the load (AbortError). */
export async function loadWeights(
  runtime: LlamaRuntime,
  { path, id }: ModelFile,
  signal: AbortSignal,
): Promise<LlamaModel> {
  runtime.clearComplaints();
  try {
    return await runtime.llama.loadModel({ modelPath: path, loadSignal: signal, ignoreMemorySafetyChecks: true });
  } catch (error) {
    throwIfAborted(signal);
    throw await toDamaged(error, runtime, path, 'file', id);
  }
}

/** The attention cache's size from the file's own numbers (16-bit keys and values). */
function toBytesPerToken(model: LlamaModel): number {
  const shape: unknown = model.fileInfo.architectureMetadata;
  const fields = isObject(shape) ? shape : {};
  const attention = isObject(fields['attention']) ? fields['attention'] : {};
  const layers = numberOr(fields['block_count'], 32);
  const heads = Math.max(1, numberOr(attention['head_count'], 1));
  const headSize = numberOr(fields['embedding_length'], 4096) / heads;
  const keyHeads: unknown = attention['head_count_kv'];
  const keySize = numberOr(attention['key_length'], headSize) + numberOr(attention['value_length'], headSize);
  // One number for all layers, or a list with one for each.
  const allHeads = Array.isArray(keyHeads)
    ? keyHeads.reduce((sum: number, count: unknown) => sum + numberOr(count, heads), 0)
    : layers * numberOr(keyHeads, heads);
  return allHeads * keySize * 2;
}

/** What the plan of a context depends on. */
export async function readShape(model: LlamaModel, { path, id }: ModelFile): Promise<ModelShape> {
  return {
    trainContext: model.trainContextSize,
    bytesPerToken: toBytesPerToken(model),
    fileBytes: await readSize(path, 'file', id),
  };
}

/**
 * Opens a context for one answer at a time, with the model's adapter when it has one. Aborting stops it (AbortError).
 * One sequence a context: answers that share a batch change each other's numbers in the last digits, and now and then
 * a token with them; the same seed must give the same text beside any others (SPEC 4.3).
 */
async function openContext(
  runtime: LlamaRuntime,
  model: LlamaModel,
  file: ModelFile,
  plan: ContextPlan,
  signal: AbortSignal,
): Promise<LlamaContext> {
  runtime.clearComplaints();
  try {
    return await model.createContext({
      contextSize: plan.contextSize,
      sequences: 1,
      batchSize: plan.promptStep,
      threads: plan.threads,
      createSignal: signal,
      failedCreationRemedy: false,
      ignoreMemorySafetyChecks: true,
      ...(file.adapter === null ? {} : { lora: { adapters: [{ filePath: file.adapter }] } }),
    });
  } catch (error) {
    throwIfAborted(signal);
    if (file.adapter !== null && error instanceof Error && error.message.includes('LoRA')) {
      throw await toDamaged(error, runtime, file.adapter, 'adapter', file.id);
    }
    const reason = (await runtime.readComplaint()) ?? (error instanceof Error ? error.message : String(error));
    throw new EngineError(
      `There is no room for model "${file.id}": ${reason}. Close other programs or use a smaller model.`,
      503,
      'engine_out_of_memory',
    );
  }
}

/** Opens a context for each of the plan's answers; closes those that are open when one of them fails. */
export async function openContexts(
  runtime: LlamaRuntime,
  model: LlamaModel,
  file: ModelFile,
  plan: ContextPlan,
  signal: AbortSignal,
): Promise<readonly LlamaContext[]> {
  const contexts: LlamaContext[] = [];
  try {
    while (contexts.length < plan.sequences) contexts.push(await openContext(runtime, model, file, plan, signal));
    return contexts;
  } catch (error) {
    await Promise.all(contexts.map((context) => context.dispose()));
    throw error;
  }
}
