// A whole model as transformers saves it, as a plan for a GGUF file: facts, vocabulary, and where each tensor comes from.
// Exact or refused, for the dense families below with byte-level vocabularies. Pure.
// Sources: llama.cpp's conversion/base.py, llama.py, qwen.py and gguf-py/gguf/vocab.py, src/llama-vocab.cpp.
import { arrayOr, isObject, ownField, textOr, type JsonObject } from '#shared/contract/reading.ts';
import { readChatTemplate, readRopeBase, readSpecial, readTokens, type FolderFacts } from './baseFit.ts';
import { isBlockRow } from './tensorNumbers.ts';
import type { GgufEntry, GgufTensorData } from './writeGguf.ts';

/** The model can't be converted exactly. The message says why. */
export class ModelRefused extends Error {
  override readonly name = 'ModelRefused';
}

/** `model_type` of transformers, and the family in the GGUF file. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  llama: 'llama',
  mistral: 'llama',
  qwen2: 'qwen2',
  qwen3: 'qwen3',
};

const PER_LAYER: Readonly<Record<string, string>> = {
  input_layernorm: 'attn_norm',
  post_attention_layernorm: 'ffn_norm',
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output',
  'self_attn.q_norm': 'attn_q_norm',
  'self_attn.k_norm': 'attn_k_norm',
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
};

/** Only layers of some families have them. */
const NOT_IN_ALL: ReadonlySet<string> = new Set(['attn_q_norm', 'attn_k_norm']);

const WHOLE: Readonly<Record<string, string>> = {
  'model.embed_tokens.weight': 'token_embd.weight',
  'model.norm.weight': 'output_norm.weight',
  'lm_head.weight': 'output.weight',
};

/** How text is cut before pairs are joined, as tokenizer.json writes it, and llama.cpp's names. */
const CUTS: Readonly<Record<string, string>> = {
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+":
    'llama-bpe',
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+":
    'qwen2',
  '[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+':
    'tekken',
};

/** ggml's types of tokens. */
const TOKEN_TYPES = { normal: 1, control: 3, user: 4, unused: 5 } as const;
/** llama.cpp's numbers of file types. */
const FILE_TYPES = { F32: 0, F16: 1, Q8_0: 7, BF16: 32 } as const;

const STORED = ['F32', 'F16', 'BF16'] as const;
type StoredType = (typeof STORED)[number];

const isStored = (dtype: string): dtype is StoredType => (STORED as readonly string[]).includes(dtype);

/** The numbers of matrices: as they were saved, or Q8_0 where rows are made of blocks. Vectors are always F32. */
export type ModelForm = 'saved' | 'q8_0';

/** A tensor of a safetensors file, without its numbers. */
export interface HfTensor {
  readonly name: string;
  readonly dtype: string;
  /** PyTorch's order. */
  readonly shape: readonly number[];
}

/** A tensor of the GGUF file. */
export interface PlannedTensor extends Pick<GgufTensorData, 'name' | 'shape'> {
  readonly type: keyof typeof FILE_TYPES;
  /** The tensor that has its numbers, or the numbers. */
  readonly source: string | Float32Array;
  /** Heads whose halves are interleaved (`toInterleaved`); null: as it is. */
  readonly heads: number | null;
}

export interface ModelPlan {
  /** Of most numbers. */
  readonly type: keyof typeof FILE_TYPES;
  readonly entries: ReadonlyMap<string, GgufEntry>;
  readonly tensors: readonly PlannedTensor[];
}

const text = (value: string): GgufEntry => ({ type: 'string', value });
const uint32 = (value: number): GgufEntry => ({ type: 'uint32', value });
const float32 = (value: number): GgufEntry => ({ type: 'float32', value });

function readNumber(config: JsonObject, name: string): number {
  const value = ownField(config, name);
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
  throw new ModelRefused(`config.json has no number above 0 as ${name}.`);
}

/** The name of the way that text is cut. Throws ModelRefused. */
function toCutName(tokenizer: JsonObject): string {
  const field = (value: unknown, name: string): unknown => (isObject(value) ? ownField(value, name) : undefined);
  const model = ownField(tokenizer, 'model');
  const normalizer = ownField(tokenizer, 'normalizer');
  if (field(model, 'type') !== 'BPE' || field(model, 'byte_fallback') === true)
    throw new ModelRefused('Its tokenizer is not a byte-level BPE, the only kind that is converted here.');
  if (normalizer != null && field(normalizer, 'type') !== 'NFC')
    throw new ModelRefused('Its tokenizer changes texts before it cuts them (normalizer).');
  const cutter = ownField(tokenizer, 'pre_tokenizer');
  const steps = field(cutter, 'type') === 'Sequence' ? arrayOr(field(cutter, 'pretokenizers')) : [cutter];
  const last = steps.at(-1);
  const before = steps.slice(0, -1);
  if (field(last, 'type') === 'ByteLevel' && field(last, 'add_prefix_space') !== true) {
    const isCutting = field(last, 'use_regex') !== false;
    const [first] = before;
    if (before.length === 0 && isCutting) return 'gpt-2';
    if (
      before.length === 1 &&
      isCutting &&
      field(first, 'type') === 'Digits' &&
      field(first, 'individual_digits') === true
    )
      return 'smollm';
    const pattern = field(field(first, 'pattern'), 'Regex');
    const name = typeof pattern === 'string' && Object.hasOwn(CUTS, pattern) ? CUTS[pattern] : undefined;
    const isSplit =
      field(first, 'type') === 'Split' && field(first, 'behavior') === 'Isolated' && field(first, 'invert') !== true;
    if (before.length === 1 && !isCutting && isSplit && name !== undefined) return name;
  }
  throw new ModelRefused('Its tokenizer cuts texts in a way that is not known here (pre_tokenizer).');
}

function toMerge(merge: unknown): string {
  const blank = '\u0120';
  if (typeof merge === 'string') return merge;
  return arrayOr(merge)
    .map((part) => textOr(part, '').replaceAll(' ', blank))
    .join(' ');
}

const looksSpecial = (token: string): boolean => /^(?:<\|.*\|>|<\uff5c.*\uff5c>|<unused.*>|<pad>|<mask>)$/s.test(token);

/** The first token of a text that the tokenizer adds by itself; null: it adds none. */
function readBegin(tokenizer: JsonObject): string | null {
  const processor = ownField(tokenizer, 'post_processor');
  const steps = [processor, ...arrayOr(isObject(processor) ? ownField(processor, 'processors') : null)].filter(
    isObject,
  );
  const [first] = steps.flatMap((step) => (step['type'] === 'TemplateProcessing' ? arrayOr(step['single']) : []));
  const special = isObject(first) ? ownField(first, 'SpecialToken') : null;
  return isObject(special) ? textOr(special['id'], null) : null;
}

function toVocabulary(facts: FolderFacts, config: JsonObject, count: number): ReadonlyMap<string, GgufEntry> {
  const { tokenizer, tokenizerConfig } = facts;
  if (!tokenizer) throw new ModelRefused('There is no tokenizer.json beside the weights.');
  const cut = toCutName(tokenizer);
  const { tokens, added } = readTokens(tokenizer);
  const most = Math.max(-1, ...added.map(({ id }) => id), tokens.size - 1);
  if (most >= count) throw new ModelRefused(`Its tokenizer has a token ${most}, and its weights have ${count}.`);
  const addedById = new Map(added.map((token) => [token.id, token]));
  const texts: string[] = [];
  const types: number[] = [];
  for (let id = 0; id < count; id += 1) {
    const token = tokens.get(id);
    const own = addedById.get(id);
    texts.push(token ?? `[PAD${id}]`);
    if (token === undefined) types.push(TOKEN_TYPES.unused);
    else if (own) types.push(own.isSpecial || looksSpecial(token) ? TOKEN_TYPES.control : TOKEN_TYPES.user);
    else types.push(TOKEN_TYPES.normal);
  }
  const model = ownField(tokenizer, 'model');
  const entries = new Map<string, GgufEntry>([
    ['tokenizer.ggml.model', text('gpt2')],
    ['tokenizer.ggml.pre', text(cut)],
    ['tokenizer.ggml.tokens', { type: 'strings', value: texts }],
    ['tokenizer.ggml.token_type', { type: 'int32s', value: types }],
    [
      'tokenizer.ggml.merges',
      { type: 'strings', value: arrayOr(isObject(model) ? model['merges'] : null).map(toMerge) },
    ],
  ]);
  const idOf = (mark: string): number | null => added.find((token) => token.text === mark)?.id ?? null;
  for (const [name, key] of [
    ['bos', 'bos_token_id'],
    ['eos', 'eos_token_id'],
    ['unk', 'unknown_token_id'],
    ['pad', 'padding_token_id'],
  ] as const) {
    const mark = readSpecial(tokenizerConfig, `${name}_token`);
    const field = ownField(config, `${name}_token_id`);
    const [stored] = Array.isArray(field) ? (field as unknown[]) : [field];
    const id = (mark === null ? null : idOf(mark)) ?? (typeof stored === 'number' && stored < count ? stored : null);
    if (id !== null) entries.set(`tokenizer.ggml.${key}`, uint32(id));
  }
  const begin = readBegin(tokenizer);
  const add = tokenizerConfig && ownField(tokenizerConfig, 'add_bos_token');
  if (begin !== null && begin === readSpecial(tokenizerConfig, 'bos_token'))
    entries.set('tokenizer.ggml.add_bos_token', { type: 'bool', value: true });
  else if (typeof add === 'boolean') entries.set('tokenizer.ggml.add_bos_token', { type: 'bool', value: add });
  const template = readChatTemplate(facts);
  if (template !== null) entries.set('tokenizer.chat_template', text(template));
  return entries;
}

/** Of a long-context model: the facts about the stretched rotation, and llama 3's factors. Throws ModelRefused. */
function toRope(
  config: JsonObject,
  headWidth: number,
): { entries: [string, GgufEntry][]; factors: Float32Array | null } {
  const field = ownField(config, 'rope_parameters') ?? ownField(config, 'rope_scaling');
  const rope = isObject(field) ? field : {};
  const kind = ownField(rope, 'rope_type') ?? ownField(rope, 'type') ?? 'default';
  const read = (name: string): number => readNumber(rope, name);
  if (kind === 'default') return { entries: [], factors: null };
  if (kind === 'linear')
    return {
      entries: [
        ['scaling.type', text('linear')],
        ['scaling.factor', float32(read('factor'))],
      ],
      factors: null,
    };
  if (kind === 'yarn')
    return {
      entries: [
        ['scaling.type', text('yarn')],
        ['scaling.factor', float32(read('factor'))],
        ['scaling.original_context_length', uint32(read('original_max_position_embeddings'))],
      ],
      factors: null,
    };
  if (kind !== 'llama3')
    throw new ModelRefused(`Its positions are stretched by ${String(kind)}, which is not converted here.`);
  const [factor, low, high] = [read('factor'), read('low_freq_factor'), read('high_freq_factor')];
  const context = read('original_max_position_embeddings');
  const base = readRopeBase(config) ?? 10_000;
  const factors = Float32Array.from({ length: headWidth / 2 }, (_, index) => {
    const wave = 2 * Math.PI * base ** ((2 * index) / headWidth);
    if (wave < context / high) return 1;
    if (wave > context / low) return factor;
    const smooth = (context / wave - low) / (high - low);
    return 1 / ((1 - smooth) / factor + smooth);
  });
  return { entries: [], factors };
}

function toType(dtype: StoredType, shape: readonly number[], form: ModelForm): PlannedTensor['type'] {
  if (shape.length === 1) return 'F32';
  if (form === 'saved') return dtype;
  return isBlockRow(shape[1] ?? 0) ? 'Q8_0' : 'F16';
}

/** What a GGUF file of a folder's model holds. `name`: for people. Throws ModelRefused. */
export function planModel(facts: FolderFacts, tensors: readonly HfTensor[], name: string, form: ModelForm): ModelPlan {
  const { config } = facts;
  if (!config) throw new ModelRefused('There is no config.json beside the weights.');
  const type = ownField(config, 'model_type');
  const architecture = typeof type === 'string' && Object.hasOwn(ARCHITECTURES, type) ? ARCHITECTURES[type] : undefined;
  if (architecture === undefined)
    throw new ModelRefused(
      `Its model_type is ${String(type)}, and only ${Object.keys(ARCHITECTURES).join(', ')} are converted here.`,
    );
  if (ownField(config, 'quantization_config') != null) throw new ModelRefused('Its weights are quantized.');
  if (ownField(config, 'use_sliding_window') === true) throw new ModelRefused('It uses a sliding window.');
  const width = readNumber(config, 'hidden_size');
  const heads = readNumber(config, 'num_attention_heads');
  const keyHeads = ownField(config, 'num_key_value_heads') == null ? heads : readNumber(config, 'num_key_value_heads');
  const headWidth = ownField(config, 'head_dim') == null ? width / heads : readNumber(config, 'head_dim');
  const layers = readNumber(config, 'num_hidden_layers');
  const isTied = ownField(config, 'tie_word_embeddings') === true;
  const rope = toRope(config, headWidth);

  const planned = new Map<string, PlannedTensor>();
  for (const { name: source, dtype, shape } of tensors) {
    if (source.endsWith('.rotary_emb.inv_freq') || (isTied && source === 'lm_head.weight')) continue;
    const [, layer, path = '', kind] = /^model\.layers\.(\d+)\.(.+)\.(weight|bias)$/.exec(source) ?? [];
    const short = Object.hasOwn(PER_LAYER, path) ? PER_LAYER[path] : undefined;
    const target =
      layer !== undefined && short !== undefined ? `blk.${layer}.${short}.${kind}` : ownField(WHOLE, source);
    if (typeof target !== 'string' || Number(layer ?? 0) >= layers)
      throw new ModelRefused(`Its weights hold ${source.slice(0, 200)}, which ${architecture} does not have.`);
    if (!isStored(dtype) || shape.length < 1 || shape.length > 2)
      throw new ModelRefused(
        `The tensor ${source.slice(0, 200)} has the type ${dtype}: only F32, F16 and BF16 are read.`,
      );
    const isTurned = architecture === 'llama' && (short === 'attn_q' || short === 'attn_k');
    planned.set(target, {
      name: target,
      shape: shape.toReversed(),
      type: toType(dtype, shape, form),
      source,
      heads: isTurned ? (short === 'attn_q' ? heads : keyHeads) : null,
    });
  }
  for (let layer = 0; layer < layers; layer += 1)
    for (const part of Object.values(PER_LAYER))
      if (!NOT_IN_ALL.has(part) && !planned.has(`blk.${layer}.${part}.weight`))
        throw new ModelRefused(`Its weights have no blk.${layer}.${part}: files are missing.`);
  const embedding = planned.get('token_embd.weight');
  const count = embedding?.shape[1];
  if (
    !embedding ||
    count === undefined ||
    !planned.has('output_norm.weight') ||
    (!isTied && !planned.has('output.weight'))
  )
    throw new ModelRefused('Its weights have no embeddings, no last norm or no head: files are missing.');
  if (rope.factors)
    planned.set('rope_freqs.weight', {
      name: 'rope_freqs.weight',
      shape: [headWidth / 2],
      type: 'F32',
      source: rope.factors,
      heads: null,
    });

  const own = (key: string): string => `${architecture}.${key}`;
  return {
    type: embedding.type,
    entries: new Map<string, GgufEntry>([
      ['general.architecture', text(architecture)],
      ['general.type', text('model')],
      ['general.name', text(name)],
      ['general.file_type', uint32(FILE_TYPES[embedding.type])],
      ['general.quantization_version', uint32(2)],
      [own('block_count'), uint32(layers)],
      [own('context_length'), uint32(readNumber(config, 'max_position_embeddings'))],
      [own('embedding_length'), uint32(width)],
      [own('feed_forward_length'), uint32(readNumber(config, 'intermediate_size'))],
      [own('attention.head_count'), uint32(heads)],
      [own('attention.head_count_kv'), uint32(keyHeads)],
      [own('attention.key_length'), uint32(headWidth)],
      [own('attention.value_length'), uint32(headWidth)],
      [own('attention.layer_norm_rms_epsilon'), float32(readNumber(config, 'rms_norm_eps'))],
      [own('rope.dimension_count'), uint32(headWidth)],
      [own('rope.freq_base'), float32(readRopeBase(config) ?? 10_000)],
      ...rope.entries.map(([key, entry]) => [own(`rope.${key}`), entry] as const),
      [own('vocab_size'), uint32(count)],
      ...toVocabulary(facts, config, count),
    ]),
    tensors: [...planned.values()],
  };
}
