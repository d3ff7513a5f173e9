// Which base models the built-in trainer can train, told from the header of their GGUF file. Pure.

/** The form of a llama-architecture model. */
export interface ModelShape {
  readonly layers: number;
  /** Numbers of the state of one token. A multiple of 8, as all widths are. */
  readonly width: number;
  readonly heads: number;
  /** Heads of keys and values; `heads` is a multiple of it. */
  readonly keyHeads: number;
  readonly headWidth: number;
  readonly innerWidth: number;
  readonly vocabulary: number;
  /** Tokens. */
  readonly context: number;
  readonly epsilon: number;
  readonly ropeBase: number;
  /** Whether `output.weight` is a tensor of its own; otherwise the embedding is used for both. */
  readonly hasOutput: boolean;
}

/** What is read of a header. A GGUF reader's maps have this form. */
export interface HeaderFacts {
  readonly values: ReadonlyMap<string, unknown>;
  /** `shape` in ggml's order; `type` is ggml's number. */
  readonly tensors: ReadonlyMap<string, { readonly shape: readonly number[]; readonly type: number }>;
}

export type Trainable =
  | { readonly canTrain: true; readonly shape: ModelShape }
  | { readonly canTrain: false; readonly reason: string; readonly what_to_do: string };

/** On two cores a step of a model of 1 million parameters takes half a second; one of 50 million takes half a minute. */
export const MAX_PARAMETERS = 50_000_000;
/** The trainer's own tokenizer has the same rules as llama.cpp for these. */
export const PRE_TOKENIZERS = ['gpt-2', 'qwen2'] as const;
/** F32, F16 and Q8_0 by ggml's numbers, and BF16. */
const TENSOR_TYPES: ReadonlySet<number> = new Set([0, 1, 8, 30]);

const PER_LAYER = [
  'attn_norm',
  'ffn_norm',
  'attn_q',
  'attn_k',
  'attn_v',
  'attn_output',
  'ffn_gate',
  'ffn_up',
  'ffn_down',
] as const;

const OTHER_TRAINER =
  'Start the service with --trainer CMD and a trainer that knows this model, or choose another base model.';

const refuse = (reason: string, what_to_do = OTHER_TRAINER): Trainable => ({ canTrain: false, reason, what_to_do });

function readNumber({ values }: HeaderFacts, name: string): number | null {
  const value = values.get(name);
  const number = typeof value === 'bigint' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** Numbers in all matrices and vectors, each once. */
export function countParameters(shape: ModelShape): number {
  const { width, innerWidth, layers, heads, keyHeads, headWidth, vocabulary } = shape;
  const attention = width * headWidth * (2 * heads + 2 * keyHeads);
  const perLayer = attention + 3 * width * innerWidth + 2 * width;
  return vocabulary * width * (shape.hasOutput ? 2 : 1) + width + layers * perLayer;
}

function toShape(facts: HeaderFacts): ModelShape | string {
  const read = (name: string): number => readNumber(facts, `llama.${name}`) ?? 0;
  const width = read('embedding_length');
  const heads = read('attention.head_count');
  const headWidth = readNumber(facts, 'llama.attention.key_length') ?? width / heads;
  const tokens = facts.values.get('tokenizer.ggml.tokens');
  const shape: ModelShape = {
    layers: read('block_count'),
    width,
    heads,
    keyHeads: readNumber(facts, 'llama.attention.head_count_kv') ?? heads,
    headWidth,
    innerWidth: read('feed_forward_length'),
    vocabulary: Array.isArray(tokens) ? tokens.length : 0,
    context: read('context_length'),
    epsilon: read('attention.layer_norm_rms_epsilon'),
    ropeBase: readNumber(facts, 'llama.rope.freq_base') ?? 10_000,
    hasOutput: facts.tensors.has('output.weight'),
  };
  const missing = Object.entries(shape).filter(([, value]) => typeof value === 'number' && !(value > 0));
  if (missing.length > 0) return `its file does not say: ${missing.map(([name]) => name).join(', ')}`;
  const widths = { width, headWidth, innerWidth: shape.innerWidth };
  for (const [name, value] of Object.entries(widths))
    if (value % 8 !== 0) return `its ${name} is ${value}, not a multiple of 8`;
  if (heads % shape.keyHeads !== 0) return `its ${heads} heads do not share ${shape.keyHeads} heads of keys evenly`;
  const rotated = readNumber(facts, 'llama.rope.dimension_count') ?? headWidth;
  if (rotated !== headWidth) return `positions turn ${rotated} of the ${headWidth} numbers of a head`;
  return shape;
}

/** The first tensor that a plain llama model of this form doesn't have, or that has another size or type. */
function findOddTensor({ tensors }: HeaderFacts, shape: ModelShape): string | null {
  const { width, innerWidth, heads, keyHeads, headWidth } = shape;
  const sizes: Readonly<Record<(typeof PER_LAYER)[number], readonly number[]>> = {
    attn_norm: [width],
    ffn_norm: [width],
    attn_q: [width, heads * headWidth],
    attn_k: [width, keyHeads * headWidth],
    attn_v: [width, keyHeads * headWidth],
    attn_output: [heads * headWidth, width],
    ffn_gate: [width, innerWidth],
    ffn_up: [width, innerWidth],
    ffn_down: [innerWidth, width],
  };
  const wanted = new Map<string, readonly number[]>([
    ['token_embd.weight', [width, shape.vocabulary]],
    ['output_norm.weight', [width]],
    ...(shape.hasOutput ? [['output.weight', [width, shape.vocabulary]] as const] : []),
    ...Array.from({ length: shape.layers }, (_, layer) =>
      PER_LAYER.map((part) => [`blk.${layer}.${part}.weight`, sizes[part]] as const),
    ).flat(),
  ]);
  for (const [name, size] of wanted) {
    const tensor = tensors.get(name);
    if (tensor === undefined) return `the tensor ${name} is missing`;
    if (tensor.shape.join() !== size.join()) return `the tensor ${name} is ${tensor.shape.join(' x ')}`;
    if (!TENSOR_TYPES.has(tensor.type)) return `the tensor ${name} is quantized in another way than Q8_0`;
  }
  const odd = [...tensors.keys()].find((name) => !wanted.has(name));
  return odd === undefined ? null : `there is a tensor ${odd}, which plain llama models don't have`;
}

/** Whether the built-in trainer can train this model; if not, why, and what to do. */
export function canTrain(facts: HeaderFacts): Trainable {
  const architecture = facts.values.get('general.architecture');
  if (architecture !== 'llama')
    return refuse(
      `The built-in trainer trains models of the llama architecture, and this one is ${String(architecture)}.`,
    );
  const tokenizer = facts.values.get('tokenizer.ggml.model');
  const pre = facts.values.get('tokenizer.ggml.pre');
  if (tokenizer !== 'gpt2' || !PRE_TOKENIZERS.some((name) => name === pre))
    return refuse(
      `The built-in trainer cuts text as ${PRE_TOKENIZERS.join(' or ')} does, and this model as ` +
        `${String(tokenizer)} with ${String(pre ?? 'no name')}.`,
    );
  const shape = toShape(facts);
  if (typeof shape === 'string') return refuse(`The built-in trainer can't train this model: ${shape}.`);
  const odd = findOddTensor(facts, shape);
  if (odd !== null)
    return refuse(
      `The built-in trainer can't train this model: ${odd}.`,
      /quantized/.test(odd) ? `Use its F16 or Q8_0 file. ${OTHER_TRAINER}` : OTHER_TRAINER,
    );
  const parameters = countParameters(shape);
  if (parameters > MAX_PARAMETERS)
    return refuse(
      `The built-in trainer takes models of up to ${MAX_PARAMETERS / 1e6} million parameters, and this one has ` +
        `${Math.round(parameters / 1e6)} million.`,
    );
  return { canTrain: true, shape };
}
