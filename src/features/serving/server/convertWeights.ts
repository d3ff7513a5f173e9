// Saved weights in a folder of runs: judged for every server, and converted into GGUF files, piece by piece. Reads only;
// writes only `target`.
import { open, rename, rm } from 'node:fs/promises';
import { judgeBase } from '#engine/gguf/baseFit.ts';
import { toFloats } from '#engine/gguf/floats.ts';
import { readHeaderWithLists } from '#engine/gguf/ggufFile.ts';
import { ModelRefused } from '#engine/gguf/hfConfig.ts';
import { planModel, toQ8, type ModelForm, type ModelPlan, type PlannedTensor } from '#engine/gguf/hfModel.ts';
import { findObstacle, judgeLora, type LoraServer } from '#engine/gguf/loraConfig.ts';
import { AdapterRefused, findRefusal, toGgufAdapter, toInterleaved } from '#engine/gguf/peftAdapter.ts';
import { toByteCount, toTensorData } from '#engine/gguf/tensorNumbers.ts';
import { toGgufHead, toPadding } from '#engine/gguf/writeGguf.ts';
import { CannotServe } from './cannotServe.ts';
import { ADAPTER_WEIGHTS, RunWeights, toCannotServe, type StoredTensor, type WeightsPlace } from './runWeights.ts';

/** `base`: the GGUF file of the base model. `name`: for people. */
export type WantedGguf =
  | { readonly place: WeightsPlace; readonly kind: 'adapter'; readonly base: string }
  | { readonly place: WeightsPlace; readonly kind: 'full'; readonly name: string; readonly form: ModelForm };

/** `target`: written at once, and there only when it is whole. */
export type ConvertOrder = WantedGguf & { readonly target: string };

/** A GGUF file that is made while it is taken. */
export interface MadeGguf {
  /** Of all pieces. */
  readonly bytes: number;
  readonly pieces: AsyncIterable<Uint8Array>;
}

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

export interface ModelVerdict {
  /** Why it can't be converted here; null: it can. */
  readonly reason: string | null;
  /** The files that it becomes. */
  readonly files: readonly { readonly form: ModelForm; readonly type: string; readonly bytes: number }[];
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

/** Judges a whole model before anything is converted. `name`: as in WantedGguf, since it takes bytes, too. */
export async function judgeModel(place: WeightsPlace, name: string): Promise<ModelVerdict> {
  const weights = new RunWeights(place);
  try {
    const saved = planModel(await weights.readFacts(null), await weights.readModelTensors(), name);
    const files = (['saved', 'q8_0'] as const).map((form) => {
      const plan = form === 'saved' ? saved : toQ8(saved);
      return { form, type: plan.type, bytes: toLayout(plan).bytes };
    });
    return { reason: null, files };
  } catch (error) {
    const known = toCannotServe(error, MODEL_FILES);
    if (error instanceof ModelRefused || known instanceof CannotServe)
      return { reason: (known as Error).message, files: [] };
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

/** The first bytes of a model's file, and how many there are in all. */
function toLayout({ entries, tensors }: ModelPlan): { readonly head: Uint8Array; readonly bytes: number } {
  const places = tensors.map((tensor) => {
    const count = tensor.shape.reduce((product, size) => product * size, 1);
    return { ...tensor, bytes: toByteCount(count, tensor.type) };
  });
  const head = toGgufHead(entries, places);
  return { head, bytes: places.reduce((sum, { bytes }) => sum + bytes + toPadding(bytes), head.byteLength) };
}

/** The data of one tensor. */
async function* toPieces(
  { source, type, heads, shape, shift }: PlannedTensor,
  weights: RunWeights,
  stored: ReadonlyMap<string, StoredTensor>,
): AsyncGenerator<Uint8Array, void> {
  if (typeof source !== 'string') {
    yield toTensorData(source, type);
    return;
  }
  const tensor = stored.get(source);
  const dtype = tensor?.dtype;
  if (!tensor || (dtype !== 'F32' && dtype !== 'F16' && dtype !== 'BF16')) throw new ModelRefused(`${source} is gone.`);
  const width = shape[0] ?? 1;
  // The order of rows is changed in the whole matrix, which is small beside the embeddings.
  const most = heads === null ? PIECE_BYTES : Math.max(1, tensor.to - tensor.from);
  for await (const bytes of weights.readData(tensor, most)) {
    if (type === dtype && heads === null && shift === 0) yield bytes;
    else {
      const numbers = toFloats(bytes, dtype);
      if (shift !== 0) for (let at = 0; at < numbers.length; at += 1) numbers[at] = (numbers[at] ?? 0) + shift;
      yield toTensorData(heads === null ? numbers : toInterleaved(numbers, heads, width), type);
    }
  }
}

async function* toModelPieces(
  plan: ModelPlan,
  head: Uint8Array,
  weights: RunWeights,
  stored: ReadonlyMap<string, StoredTensor>,
): AsyncGenerator<Uint8Array, void> {
  yield head;
  for (const tensor of plan.tensors) {
    let written = 0;
    for await (const piece of toPieces(tensor, weights, stored)) {
      written += piece.byteLength;
      yield piece;
    }
    const padding = toPadding(written);
    if (padding > 0) yield new Uint8Array(padding);
  }
}

async function* toOne(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

/** Throws CannotServe for what a person can mend: a damaged file, weights that can't be exact, a missing base. */
export async function openGguf(wanted: WantedGguf): Promise<MadeGguf> {
  try {
    if (wanted.kind === 'adapter') {
      const bytes = await convertAdapter(wanted.place, wanted.base);
      return { bytes: bytes.byteLength, pieces: toOne(bytes) };
    }
    const weights = new RunWeights(wanted.place);
    const all = await weights.readModelTensors();
    const saved = planModel(await weights.readFacts(null), all, wanted.name);
    const plan = wanted.form === 'saved' ? saved : toQ8(saved);
    const { head, bytes } = toLayout(plan);
    const stored = new Map(all.map((tensor) => [tensor.name, tensor]));
    return { bytes, pieces: toModelPieces(plan, head, weights, stored) };
  } catch (error) {
    throw toProblem(error, wanted.kind);
  }
}

function toProblem(error: unknown, kind: WantedGguf['kind']): CannotServe {
  if (error instanceof AdapterRefused || error instanceof ModelRefused) return new CannotServe(error.message);
  const known = toCannotServe(error, kind === 'full' ? MODEL_FILES : FILES);
  if (known instanceof CannotServe) return known;
  const { code, message } = error as NodeJS.ErrnoException;
  return new CannotServe(`The weights could not be converted (${code ?? message}).`);
}

/** Throws as openGguf does. */
export async function convertWeights({ target, ...wanted }: ConvertOrder): Promise<void> {
  const draft = `${target}.${process.pid}.part`;
  try {
    const { pieces } = await openGguf(wanted);
    const into = await open(draft, 'w', 0o600);
    try {
      for await (const piece of pieces) await into.writeFile(piece);
    } finally {
      await into.close();
    }
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw toProblem(error, wanted.kind);
  }
}
