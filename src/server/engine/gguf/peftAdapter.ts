// A LoRA adapter of PEFT as a GGUF adapter for llama.cpp, for dense models of the families llama, qwen and gemma. Exact or
// refused: a wrong adapter would answer, only worse. llama.cpp scales B*A by alpha / rank, PEFT also by alpha / sqrt(rank).
// Sources: peft's tuners/lora/layer.py, llama.cpp's convert_lora_to_gguf.py and src/llama-adapter.cpp.
import { isObject, ownField, type JsonObject } from '#shared/contract/reading.ts';
import { floatWidth, toFloats } from './floats.ts';
import type { GgufHeader } from './ggufHeader.ts';
import { readSafetensors, type SafeTensor } from './safetensors.ts';
import { writeGguf, type GgufTensorData } from './writeGguf.ts';

/** The adapter can't be converted exactly. The message says why, and what to do instead. */
export class AdapterRefused extends Error {
  override readonly name = 'AdapterRefused';
}

const ARCHITECTURES: readonly string[] = ['llama', 'qwen2', 'qwen3', 'gemma2', 'gemma3'];

/** PyTorch's names of the matrices of a layer, and llama.cpp's. */
const MODULES: Readonly<Record<string, string>> = {
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output',
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
};

const ADVICE = 'Merge the adapter into its base and convert the merged model, or serve it with vLLM.';
const refuse = (reason: string): AdapterRefused => new AdapterRefused(`${reason} ${ADVICE}`);

/** Fields of adapter_config.json that change what an adapter does, and when they don't. */
const NEUTRAL: Readonly<Record<string, { readonly isNeutral: (value: unknown) => boolean; readonly why: string }>> = {
  use_dora: { isNeutral: (value) => value !== true, why: 'DoRA also changes the size of the weights.' },
  lora_bias: { isNeutral: (value) => value !== true, why: 'It trains biases of the adapter.' },
  bias: { isNeutral: (value) => value === 'none', why: 'It trains biases of the model.' },
  fan_in_fan_out: { isNeutral: (value) => value !== true, why: 'Its weights are stored transposed.' },
  modules_to_save: { isNeutral: isEmpty, why: 'It holds whole layers that were trained, too.' },
  target_parameters: { isNeutral: isEmpty, why: 'It adapts parameters of mixture-of-experts layers.' },
  trainable_token_indices: { isNeutral: isEmpty, why: 'It holds embeddings of tokens that were trained, too.' },
  alora_invocation_tokens: { isNeutral: isEmpty, why: 'It is active only after certain tokens (aLoRA).' },
  init_lora_weights: {
    isNeutral: (value) => typeof value === 'boolean' || value === 'gaussian' || value === 'eva',
    why: 'Its start changed the base weights, so it does not fit the original base model.',
  },
};

function isEmpty(value: unknown): boolean {
  return (Array.isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);
}

interface LoraSettings {
  readonly rank: number;
  readonly alpha: number;
  readonly isRankStabilised: boolean;
  readonly alphaPattern: JsonObject;
}

function toPositive(config: JsonObject, field: string): number {
  const value = ownField(config, field);
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
  throw refuse(`adapter_config.json has no number above 0 as ${field}.`);
}

/** Throws AdapterRefused. */
function toSettings(config: unknown): LoraSettings {
  if (!isObject(config)) throw refuse('adapter_config.json is not a JSON object.');
  const type = ownField(config, 'peft_type');
  if (type !== 'LORA')
    throw refuse(`Its peft_type is ${JSON.stringify(type) ?? 'missing'}, and only LORA can be converted.`);
  for (const [field, { isNeutral, why }] of Object.entries(NEUTRAL)) {
    const value = ownField(config, field);
    if (value !== undefined && value !== null && !isNeutral(value))
      throw refuse(`adapter_config.json sets ${field} to ${JSON.stringify(value).slice(0, 80)}. ${why}`);
  }
  const isRankStabilised = ownField(config, 'use_rslora') === true;
  const ranks = ownField(config, 'rank_pattern');
  if (isRankStabilised && isObject(ranks) && !isEmpty(ranks))
    throw refuse('It uses rsLoRA with several ranks, and llama.cpp has one scale for all.');
  const alphas = ownField(config, 'alpha_pattern');
  return {
    rank: toPositive(config, 'r'),
    alpha: toPositive(config, 'lora_alpha'),
    isRankStabilised,
    alphaPattern: isObject(alphas) ? alphas : {},
  };
}

interface Place {
  /** The name of the matrix in the base's GGUF file. */
  readonly target: string;
  /** The module as PEFT names it, for `alpha_pattern`. */
  readonly module: string;
  readonly side: 'A' | 'B';
  readonly name: string;
}

const TENSOR =
  /^(?:base_model\.model\.)?((?:model\.)?(?:language_model\.)?(?:model\.)?layers\.(\d+)\.(.+))\.lora_([AB])(?:\.[^.]+)?\.weight$/;

function toPlace(name: string): Place {
  const [, module, layer, path, side] = TENSOR.exec(name) ?? [];
  const short = path === undefined || !Object.hasOwn(MODULES, path) ? undefined : MODULES[path];
  if (short === undefined || module === undefined)
    throw refuse(`It holds ${name.slice(0, 200)}, which has no place in llama.cpp's adapters.`);
  return { target: `blk.${layer}.${short}.weight`, module, side: side === 'A' ? 'A' : 'B', name: short };
}

/** PEFT matches a key of a pattern with the end of the module's name, as a regular expression. Only plain names are taken. */
function findAlpha(module: string, { alpha, alphaPattern }: LoraSettings): number {
  for (const [key, value] of Object.entries(alphaPattern)) {
    if (!/^[\w.]+$/.test(key)) throw refuse(`Its alpha_pattern holds the expression ${key.slice(0, 80)}.`);
    if (module !== key && !module.endsWith(`.${key}`)) continue;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    throw refuse('A value of its alpha_pattern is not a number.');
  }
  return alpha;
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

/** The matrix of the base that this one changes must be there, in the same shape. `size`: in and out. */
function checkBase(base: GgufHeader, target: string, side: 'A' | 'B', size: number): void {
  const tensor = base.tensors.get(target);
  if (!tensor) throw refuse(`The base model has no ${target}, so the adapter belongs to another one.`);
  const expected = tensor.shape[side === 'A' ? 0 : 1];
  if (expected !== size)
    throw refuse(
      `${target} of the base model has ${expected} where the adapter has ${size}: it belongs to another one.`,
    );
}

export interface PeftAdapter {
  /** The parsed adapter_config.json. */
  readonly config: unknown;
  /** The bytes of adapter_model.safetensors. */
  readonly weights: Uint8Array;
}

/**
 * The bytes of a GGUF adapter for this base model. Throws AdapterRefused if the result would not be exact, and
 * SafetensorsError for a damaged file.
 */
export function toGgufAdapter({ config, weights }: PeftAdapter, base: GgufHeader): Uint8Array {
  const settings = toSettings(config);
  const architecture = String(base.values.get('general.architecture') ?? 'unknown');
  if (!ARCHITECTURES.includes(architecture))
    throw refuse(
      `The base model is of the family ${architecture}, and only ${ARCHITECTURES.join(', ')} are converted.`,
    );
  const sides = new Map<string, Set<string>>();
  const tensors = readSafetensors(weights).map((tensor): GgufTensorData => {
    const { target, module, side, name } = toPlace(tensor.name);
    const [rows = 0, columns = 0] = tensor.shape;
    let matrix = toMatrix(tensor);
    checkBase(base, target, side, side === 'A' ? columns : rows);
    sides.set(target, (sides.get(target) ?? new Set()).add(side));
    if (side === 'B') {
      const factor = findAlpha(module, settings) / settings.alpha;
      if (factor !== 1) matrix = matrix.map((value) => value * factor);
      if (architecture === 'llama' && (name === 'attn_q' || name === 'attn_k'))
        matrix = toInterleaved(matrix, toHeads(base, architecture, name), columns);
    }
    return {
      name: `${target}.lora_${side.toLowerCase()}`,
      shape: [columns, rows],
      type: 'F32',
      data: new Uint8Array(matrix.buffer),
    };
  });
  const single = [...sides].find(([, found]) => found.size !== 2);
  if (single) throw refuse(`${single[0]} has only one of its two matrices: the file is incomplete.`);
  if (tensors.length === 0) throw refuse('adapter_model.safetensors holds no tensors.');
  const alpha = settings.isRankStabilised ? settings.alpha * Math.sqrt(settings.rank) : settings.alpha;
  return writeGguf(
    new Map([
      ['general.architecture', { type: 'string', value: architecture }],
      ['general.type', { type: 'string', value: 'adapter' }],
      ['adapter.type', { type: 'string', value: 'lora' }],
      ['adapter.lora.alpha', { type: 'float32', value: alpha }],
    ] as const),
    tensors,
  );
}
