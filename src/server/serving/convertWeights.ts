// Saved weights in a folder of runs: judged for every server, and converted into GGUF files of the studio. Reads only;
// writes only `target`.
import { open, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { judgeBase } from '#server/engine/gguf/baseFit.ts';
import { toFloats } from '#server/engine/gguf/floats.ts';
import { readHeaderWithLists } from '#server/engine/gguf/ggufFile.ts';
import { ModelRefused, planModel, type PlannedTensor } from '#server/engine/gguf/hfModel.ts';
import { findObstacle, judgeLora, type LoraServer } from '#server/engine/gguf/loraConfig.ts';
import { AdapterRefused, findRefusal, toGgufAdapter, toInterleaved } from '#server/engine/gguf/peftAdapter.ts';
import { toByteCount, toTensorData } from '#server/engine/gguf/tensorNumbers.ts';
import { toGgufHead, toPadding } from '#server/engine/gguf/writeGguf.ts';
import { CannotServe } from './cannotServe.ts';
import { ADAPTER_WEIGHTS, RunWeights, toCannotServe, type StoredTensor, type WeightsPlace } from './runWeights.ts';

/** `base`: the GGUF file of the base model. `target`: written at once, and there only when it is whole. */
export type ConvertOrder =
  | { readonly place: WeightsPlace; readonly kind: 'adapter'; readonly base: string; readonly target: string }
  | { readonly place: WeightsPlace; readonly kind: 'full'; readonly name: string; readonly target: string };

export interface AdapterVerdict {
  /** Why a server can't run it, and what to do; null: it can. */
  readonly reasons: Readonly<Record<LoraServer, string | null>>;
  /** 0: not known. */
  readonly maxRank: number;
  /** Parts for images and sounds are left out. */
  readonly hasTowers: boolean;
  /** By the path of the base's file: why it can't be the base, and what a person should know. */
  readonly bases: Readonly<Record<string, { readonly reason: string | null; readonly notes: readonly string[] }>>;
}

/** Adapters of rank 256 on models of 70 billion parameters are about this large. */
const MAX_ADAPTER_BYTES = 4 * 2 ** 30;
/** A multiple of the bytes of all blocks and numbers. */
const PIECE_BYTES = 16 * 2 ** 20;
const FILES = 'Adapters need adapter_config.json and adapter_model.safetensors.';
const MODEL_FILES = 'A model needs config.json, tokenizer.json and its weights as safetensors.';

/** Judges an adapter before anything is converted or loaded. Throws CannotServe: its files can't be read. */
export async function judgeAdapter(place: WeightsPlace, bases: readonly string[]): Promise<AdapterVerdict> {
  try {
    const weights = new RunWeights(place);
    const config = await weights.readAdapterConfig();
    const tensors = await weights.readTensors(ADAPTER_WEIGHTS);
    const judgement = judgeLora(config, tensors);
    const reasonOf = (server: LoraServer): string | null => findObstacle(judgement, server);
    const facts = await weights.readFacts(config);
    const verdicts: [string, AdapterVerdict['bases'][string]][] = [];
    for (const path of reasonOf('llama') === null ? bases : []) {
      const header = await readHeaderWithLists(path).catch(() => null);
      if (header === null) {
        verdicts.push([
          path,
          { reason: `The file ${path} can’t be read. Put it back, or choose another base.`, notes: [] },
        ]);
        continue;
      }
      const { refusal, notes } = judgeBase(facts, header);
      verdicts.push([path, { reason: refusal ?? findRefusal(config, tensors, header), notes }]);
    }
    return {
      reasons: {
        llama: reasonOf('llama'),
        vllm: reasonOf('vllm'),
        sglang: reasonOf('sglang'),
        ollama: reasonOf('ollama'),
      },
      maxRank: judgement.maxRank,
      hasTowers: judgement.hasTowers,
      bases: Object.fromEntries(verdicts),
    };
  } catch (error) {
    throw toCannotServe(error, FILES);
  }
}

/** Why a whole model can't be converted here; null: it can. */
export async function judgeModel(place: WeightsPlace): Promise<string | null> {
  const weights = new RunWeights(place);
  try {
    planModel(await weights.readFacts(null), await weights.readModelTensors(), '');
    return null;
  } catch (error) {
    const known = toCannotServe(error, MODEL_FILES);
    if (error instanceof ModelRefused || known instanceof CannotServe) return (known as Error).message;
    throw error;
  }
}

async function convertAdapter(place: WeightsPlace, base: string): Promise<Uint8Array> {
  const weights = new RunWeights(place);
  const header = await readHeaderWithLists(base);
  const config = await weights.readAdapterConfig();
  const bytes = await weights.read(ADAPTER_WEIGHTS, MAX_ADAPTER_BYTES);
  const { refusal, chatTemplate } = judgeBase(await weights.readFacts(config), header);
  if (refusal !== null) throw new CannotServe(`${refusal} Choose the base that the run was trained on.`);
  return toGgufAdapter({ config, weights: bytes, chatTemplate }, header);
}

/** Writes the data of one tensor, piece by piece. */
async function writeTensor(
  into: FileHandle,
  { source, type, heads, shape }: PlannedTensor,
  weights: RunWeights,
  stored: ReadonlyMap<string, StoredTensor>,
): Promise<void> {
  let written = 0;
  const write = async (numbers: Float32Array<ArrayBuffer>): Promise<void> => {
    const data = toTensorData(numbers, type);
    await into.writeFile(data);
    written += data.byteLength;
  };
  if (typeof source !== 'string') await write(Float32Array.from(source));
  else {
    const tensor = stored.get(source);
    const dtype = tensor?.dtype;
    if (!tensor || (dtype !== 'F32' && dtype !== 'F16' && dtype !== 'BF16'))
      throw new ModelRefused(`${source} is gone.`);
    // The order of rows is changed in the whole matrix, which is small beside the embeddings.
    const most = heads === null ? PIECE_BYTES : tensor.to - tensor.from;
    for await (const bytes of weights.readData(tensor, Math.max(1, most))) {
      const numbers = toFloats(bytes, dtype);
      await write(heads === null ? numbers : toInterleaved(numbers, heads, shape[0] ?? 1));
    }
  }
  const padding = toPadding(written);
  if (padding > 0) await into.writeFile(new Uint8Array(padding));
}

async function convertModel(place: WeightsPlace, name: string, draft: string): Promise<void> {
  const weights = new RunWeights(place);
  const all = await weights.readModelTensors();
  const stored = new Map(all.map((tensor) => [tensor.name, tensor]));
  const { entries, tensors } = planModel(await weights.readFacts(null), all, name);
  const places = tensors.map((tensor) => ({
    ...tensor,
    bytes: toByteCount(
      tensor.shape.reduce((product, size) => product * size, 1),
      tensor.type,
    ),
  }));
  const into = await open(draft, 'w', 0o600);
  try {
    await into.writeFile(toGgufHead(entries, places));
    for (const tensor of tensors) await writeTensor(into, tensor, weights, stored);
  } finally {
    await into.close();
  }
}

/** Throws CannotServe for what a person can mend: a damaged file, weights that can't be exact, a missing base. */
export async function convertWeights(order: ConvertOrder): Promise<void> {
  const { place, target } = order;
  const draft = `${target}.${process.pid}.part`;
  try {
    if (order.kind === 'full') await convertModel(place, order.name, draft);
    else await writeFile(draft, await convertAdapter(place, order.base), { mode: 0o600 });
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    if (error instanceof AdapterRefused || error instanceof ModelRefused) throw new CannotServe(error.message);
    const known = toCannotServe(error, order.kind === 'full' ? MODEL_FILES : FILES);
    if (known instanceof CannotServe) throw known;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CannotServe(`The weights could not be converted (${code ?? message}).`);
  }
}
