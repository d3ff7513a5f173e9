// A LoRA adapter of PEFT as a GGUF adapter for llama.cpp, for the families of `families.ts`. Exact or refused: a wrong
// adapter would answer, only worse. llama.cpp scales B*A by alpha / rank; what PEFT does otherwise goes into B.
// Sources: peft's tuners/lora/layer.py, llama.cpp's convert_lora_to_gguf.py and src/llama-adapter.cpp.
import { findFamily, FAMILIES, type Family } from './families.ts';
import { floatWidth, toFloats } from './floats.ts';
import type { GgufHeader } from './ggufHeader.ts';
import { findObstacle, judgeLora, type LoraTensor } from './loraConfig.ts';
import { readSafetensors, type SafeTensor } from './safetensors.ts';
import { writeGguf, type GgufEntry, type GgufTensorData } from './writeGguf.ts';

/** The adapter can't be converted exactly. The message says why, and what to do instead. */
export class AdapterRefused extends Error {
  override readonly name = 'AdapterRefused';
}

const ADVICE = 'Merge it into its base with PEFT and convert the merged model, or serve it with vLLM.';
const refuse = (reason: string, advice = ADVICE): AdapterRefused => new AdapterRefused(`${reason} ${advice}`);

/** The name of the matrix in the base's GGUF file, and in which kind of matrix it is; null: it has no place there. */
function toTarget(module: string, { modules }: Family): { readonly target: string; readonly kind: string } | null {
  if (/^(?:[\w]+\.)*lm_head$/.test(module)) return { target: 'output.weight', kind: 'output' };
  const [, layer, path = ''] = /^(?:model\.)?(?:language_model\.)?(?:model\.)?layers\.(\d+)\.(.+)$/.exec(module) ?? [];
  const kind = Object.hasOwn(modules, path) ? modules[path] : undefined;
  return layer === undefined || kind === undefined ? null : { target: `blk.${layer}.${kind}.weight`, kind };
}

/** Rows of q and k as llama.cpp rotates them: the two halves of each head interleaved. `rows` have `width` numbers. */
export function toInterleaved(
  rows: Float32Array<ArrayBuffer>,
  heads: number,
  width: number,
): Float32Array<ArrayBuffer> {
  const count = rows.length / width;
  const half = count / heads / 2;
  const turned = new Float32Array(rows.length);
  for (let head = 0; head < heads; head += 1) {
    for (let side = 0; side < 2; side += 1) {
      for (let row = 0; row < half; row += 1) {
        const from = ((head * 2 + side) * half + row) * width;
        const to = (head * 2 * half + row * 2 + side) * width;
        turned.set(rows.subarray(from, from + width), to);
      }
    }
  }
  return turned;
}

function toMatrix({ name, dtype, shape, data }: SafeTensor): Float32Array<ArrayBuffer> {
  const width = floatWidth(dtype);
  if (width === null || (dtype !== 'F32' && dtype !== 'F16' && dtype !== 'BF16'))
    throw refuse(`The tensor ${name} has the type ${dtype}, and only F32, F16 and BF16 are read.`);
  const [rows = 0, columns = 0] = shape;
  if (shape.length !== 2 || rows * columns * width !== data.byteLength)
    throw refuse(`The tensor ${name} has the shape [${shape.join(', ')}], not that of a matrix of its size.`);
  return toFloats(data, dtype);
}

function toHeads(base: GgufHeader, architecture: string, module: string): number {
  const heads = base.values.get(`${architecture}.attention.head_count`);
  const keyHeads = base.values.get(`${architecture}.attention.head_count_kv`) ?? heads;
  const count = Number(module === 'attn_k' ? keyHeads : heads);
  if (!Number.isInteger(count) || count < 1)
    throw refuse('The base model does not say one number of attention heads for all its layers.');
  return count;
}

/** The matrix of the base that this one changes must be there, in the same shape. Shapes are in PyTorch's order. */
function checkBase(base: GgufHeader, target: string, a: readonly number[], b: readonly number[]): void {
  const tensor = base.tensors.get(target);
  if (!tensor && target === 'output.weight')
    throw refuse(
      'It adapts lm_head, which this base shares with its embeddings: llama.cpp has no matrix of its own for it, and merging ' +
        'with PEFT would change the embeddings, too.',
      'Before you merge, untie them: set tie_word_embeddings to false and give lm_head a copy of the weights.',
    );
  if (!tensor) throw refuse(`The base model has no ${target}, so the adapter belongs to another one.`);
  const [columns = 0, rows = 0] = tensor.shape;
  if (columns !== a[1] || rows !== b[0])
    throw refuse(
      `${target} of the base model is ${rows} x ${columns} where the adapter has ${b[0]} x ${a[1]}: it belongs to another one.`,
    );
}

/** The name of the family of a base. Throws AdapterRefused: its adapters are not converted. */
function toFamily(base: GgufHeader): { readonly architecture: string; readonly family: Family } {
  const architecture = String(base.values.get('general.architecture') ?? 'unknown');
  const family = findFamily(architecture);
  if (family) return { architecture, family };
  throw refuse(
    `The base model is of the family ${architecture}. Converted are ${Object.keys(FAMILIES).toSorted().join(', ')}.`,
  );
}

/** Why an adapter can't be converted for a base, and what to do; null: it can. Knows it without the numbers. */
export function findRefusal(config: unknown, tensors: readonly LoraTensor[], base: GgufHeader): string | null {
  try {
    toPlaces(config, tensors, base);
    return null;
  } catch (error) {
    if (error instanceof AdapterRefused) return error.message;
    throw error;
  }
}

/** Where each module of the adapter goes. Throws AdapterRefused. */
function toPlaces(config: unknown, tensors: readonly LoraTensor[], base: GgufHeader) {
  const judgement = judgeLora(config, tensors);
  const obstacle = findObstacle(judgement, 'llama');
  if (obstacle !== null) throw new AdapterRefused(obstacle);
  const { architecture, family } = toFamily(base);
  const shapes = new Map<string, Map<string, readonly number[]>>();
  for (const { name, shape } of tensors) {
    const [module, side] = toModule(name);
    if (judgement.modules.has(module)) shapes.set(module, (shapes.get(module) ?? new Map()).set(side, shape));
  }
  const places = new Map<string, { readonly target: string; readonly heads: number | null }>();
  for (const { name } of judgement.modules.values()) {
    const found = toTarget(name, family);
    if (!found) throw refuse(`It adapts ${name.slice(0, 200)}, which is not converted for the family ${architecture}.`);
    checkBase(base, found.target, shapes.get(name)?.get('A') ?? [], shapes.get(name)?.get('B') ?? []);
    const isTurned = family.isInterleaved && (found.kind === 'attn_q' || found.kind === 'attn_k');
    places.set(name, { target: found.target, heads: isTurned ? toHeads(base, architecture, found.kind) : null });
  }
  return { judgement, architecture, places };
}

/** The module of a matrix, and its side; two empty texts: it is none. */
function toModule(name: string): readonly [module: string, side: string] {
  const [, module = '', side = ''] = /^(?:base_model\.model\.)?(.+)\.lora_([AB])(?:\.[^.]+)?\.weight$/.exec(name) ?? [];
  return [module, side];
}

export interface PeftAdapter {
  /** The parsed adapter_config.json. */
  readonly config: unknown;
  /** The bytes of adapter_model.safetensors. */
  readonly weights: Uint8Array;
  /** A chat template to answer with instead of the base's; null: the base's. */
  readonly chatTemplate?: string | null;
}

/**
 * The bytes of a GGUF adapter for this base model. Throws AdapterRefused if the result would not be exact, and
 * SafetensorsError for a damaged file.
 */
export function toGgufAdapter({ config, weights, chatTemplate = null }: PeftAdapter, base: GgufHeader): Uint8Array {
  const all = readSafetensors(weights);
  const { judgement, architecture, places } = toPlaces(config, all, base);
  const [first] = judgement.modules.values();
  // llama.cpp divides by the rank of each matrix. With one scale for all, B stays as it is.
  const alpha = (first?.scale ?? 1) * (first?.rank ?? 1);
  const tensors = all.flatMap((tensor): readonly GgufTensorData[] => {
    const [module, side] = toModule(tensor.name);
    const [place, about] = [places.get(module), judgement.modules.get(module)];
    if (!place || !about) return [];
    const [rows = 0, columns = 0] = tensor.shape;
    let matrix = toMatrix(tensor);
    if (side === 'B') {
      const factor = (about.scale * about.rank) / alpha;
      if (Math.abs(factor - 1) > 1e-9) matrix = matrix.map((value) => value * factor);
      if (place.heads !== null) matrix = toInterleaved(matrix, place.heads, columns);
    }
    return [
      {
        name: `${place.target}.lora_${side.toLowerCase()}`,
        shape: [columns, rows],
        type: 'F32',
        data: new Uint8Array(matrix.buffer),
      },
    ];
  });
  return writeGguf(
    new Map<string, GgufEntry>([
      ['general.architecture', { type: 'string', value: architecture }],
      ['general.type', { type: 'string', value: 'adapter' }],
      ['adapter.type', { type: 'string', value: 'lora' }],
      ['adapter.lora.alpha', { type: 'float32', value: alpha }],
      ...(chatTemplate === null ? [] : [['tokenizer.chat_template', { type: 'string', value: chatTemplate }] as const]),
    ]),
    tensors,
  );
}
