// Loads a model file and opens contexts on it. If a file can't be loaded, the error says why in one line.
import type { LlamaContext, LlamaModel } from 'node-llama-cpp';
import { isObject, numberOr } from '#core/contract/readJson.ts';
import { throwIfAborted } from './abort.ts';
import type { ContextPlan, ModelShape } from './contextPlan.ts';
import { EngineError } from './engine.ts';
import type { HostFile } from '#engine/host/hostMessages.ts';
import type { LlamaRuntime } from './llamaRuntime.ts';

/** What helps against a complaint of llama.cpp. The same export of a whole file gives the same file again. */
export function toAdvice(reason: string): string {
  if (/missing tensor|wrong number of tensors|wrong shape|key not found/i.test(reason))
    return (
      'The file is whole, but its converter read the configuration otherwise than the weights. Where the configuration counts ' +
      'layers that predict several tokens (mtp_num_hidden_layers, num_nextn_predict_layers) and the weights have none, convert it with --no-mtp; else ' +
      'convert it with a newer llama.cpp.'
    );
  if (/unknown (?:model architecture|pre-tokenizer)/i.test(reason))
    return 'This version of llama.cpp does not know it: use a model of a family that it knows, or a newer studio.';
  return 'Export the file again.';
}

async function toDamagedError(
  error: unknown,
  runtime: LlamaRuntime,
  path: string,
  what: string,
  id: string,
): Promise<EngineError> {
  const reason = (await runtime.readComplaint()) ?? (error instanceof Error ? error.message : String(error));
  const end = /[.!?]$/.test(reason) ? '' : '.';
  return new EngineError(
    `The ${what} of model "${id}" can't be loaded: ${path}: ${reason}${end} ${toAdvice(reason)}`,
    503,
    'model_file_damaged',
  );
}

/** Loads the weights. Aborting stops the load (AbortError). */
export async function loadWeights(
  runtime: LlamaRuntime,
  { path, id }: HostFile,
  signal: AbortSignal,
): Promise<LlamaModel> {
  runtime.clearComplaints();
  try {
    return await runtime.llama.loadModel({ modelPath: path, loadSignal: signal, ignoreMemorySafetyChecks: true });
  } catch (error) {
    throwIfAborted(signal);
    throw await toDamagedError(error, runtime, path, 'file', id);
  }
}

/** Bytes of the attention cache for one token, from the file's metadata (16-bit keys and values). */
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

/** The figures that a context plan depends on. */
export function readShape(model: LlamaModel, fileBytes: number): ModelShape {
  return { trainContext: model.trainContextSize, bytesPerToken: toBytesPerToken(model), fileBytes };
}

/**
 * Opens a context for one answer at a time, with the model's adapter if it has one. Aborting stops it (AbortError).
 * Each context has one sequence: answers in one batch change each other's last digits, and sometimes a token. The same
 * seed must give the same text, whatever other answers are running (SPEC 4.3).
 */
async function openContext(
  runtime: LlamaRuntime,
  model: LlamaModel,
  file: HostFile,
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
      throw await toDamagedError(error, runtime, file.adapter, 'adapter', file.id);
    }
    const reason = (await runtime.readComplaint()) ?? (error instanceof Error ? error.message : String(error));
    throw new EngineError(
      `There is no room for model "${file.id}": ${reason}. Close other programs or use a smaller model.`,
      503,
      'engine_out_of_memory',
    );
  }
}

/** Opens the plan's contexts. Where there is room for fewer, such as on a graphics card, it opens those. */
export async function openContexts(
  runtime: LlamaRuntime,
  model: LlamaModel,
  file: HostFile,
  plan: ContextPlan,
  signal: AbortSignal,
): Promise<readonly LlamaContext[]> {
  const contexts: LlamaContext[] = [];
  try {
    while (contexts.length < plan.sequences) contexts.push(await openContext(runtime, model, file, plan, signal));
    return contexts;
  } catch (error) {
    if (contexts.length > 0 && !signal.aborted) return contexts;
    await Promise.all(contexts.map((context) => context.dispose()));
    throw error;
  }
}
