// A whole model as transformers saves it, as a plan for a GGUF file: facts, vocabulary, and where each tensor comes from.
// Exact or refused. Pure. Source: llama.cpp's conversion/base.py.
import { isObject, ownField, type JsonObject } from '#core/contract/readJson.ts';
import { readRopeBase, type FolderFacts } from './baseFit.ts';
import { float32, ModelRefused, readNumber, text, uint32 } from './hfConfig.ts';
import { MODEL_FAMILIES } from './hfFamilies.ts';
import { toVocabulary } from './hfVocabulary.ts';
import { isBlockRow } from './tensorNumbers.ts';
import type { GgufEntry, GgufTensorData } from './writeGguf.ts';

const WHOLE: Readonly<Record<string, string>> = {
  'model.embed_tokens.weight': 'token_embd.weight',
  'model.norm.weight': 'output_norm.weight',
  'lm_head.weight': 'output.weight',
};

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
  /** Added to each number. */
  readonly shift: number;
}

export interface ModelPlan {
  /** Of most numbers. */
  readonly type: keyof typeof FILE_TYPES;
  readonly entries: ReadonlyMap<string, GgufEntry>;
  readonly tensors: readonly PlannedTensor[];
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

/** The share of a head's numbers that is turned by its place. */
function readTurnedShare(config: JsonObject): number {
  const rope = ownField(config, 'rope_parameters');
  const share =
    (isObject(rope) ? ownField(rope, 'partial_rotary_factor') : null) ?? ownField(config, 'partial_rotary_factor') ?? 1;
  return typeof share === 'number' && share > 0 && share <= 1 ? share : 1;
}

/** llama.cpp takes blanks after marks away by the name of the model, whatever tokenizer it has. */
const toPlainName = (name: string): string => name.replaceAll(/(phi)-?(3)/gi, '$1 $2');

/** What a GGUF file of a folder's model holds, with the numbers as they were saved. `name`: for people. Throws ModelRefused. */
export function planModel(facts: FolderFacts, tensors: readonly HfTensor[], name: string): ModelPlan {
  const { config } = facts;
  if (!config) throw new ModelRefused('There is no config.json beside the weights.');
  const type = ownField(config, 'model_type');
  const family = typeof type === 'string' && Object.hasOwn(MODEL_FAMILIES, type) ? MODEL_FAMILIES[type] : undefined;
  if (family === undefined)
    throw new ModelRefused(
      `Its model_type is ${String(type)}, and only ${Object.keys(MODEL_FAMILIES).join(', ')} are converted here.`,
    );
  const { architecture } = family;
  if (ownField(config, 'quantization_config') != null) throw new ModelRefused('Its weights are quantized.');
  const width = readNumber(config, 'hidden_size');
  const heads = readNumber(config, 'num_attention_heads');
  const keyHeads = ownField(config, 'num_key_value_heads') == null ? heads : readNumber(config, 'num_key_value_heads');
  const headWidth = ownField(config, 'head_dim') == null ? width / heads : readNumber(config, 'head_dim');
  const layers = readNumber(config, 'num_hidden_layers');
  const isTied = (ownField(config, 'tie_word_embeddings') ?? family.isTied) === true;
  const own = family.toEntries(config, { layers, heads, headWidth, width });
  const rope = toRope(config, headWidth);

  const planned = new Map<string, PlannedTensor>();
  for (const { name: source, dtype, shape } of tensors) {
    if (source.endsWith('.rotary_emb.inv_freq') || (isTied && source === 'lm_head.weight')) continue;
    const [, layer, path = '', kind] = /^model\.layers\.(\d+)\.(.+)\.(weight|bias)$/.exec(source) ?? [];
    const short = ownField(family.layer, path);
    const target =
      layer !== undefined && typeof short === 'string' ? `blk.${layer}.${short}.${kind}` : ownField(WHOLE, source);
    if (typeof target !== 'string' || Number(layer ?? 0) >= layers)
      throw new ModelRefused(`Its weights hold ${source.slice(0, 200)}, which ${architecture} does not have.`);
    if (!isStored(dtype) || shape.length < 1 || shape.length > 2)
      throw new ModelRefused(
        `The tensor ${source.slice(0, 200)} has the type ${dtype}: only F32, F16 and BF16 are read.`,
      );
    const isTurned = family.isInterleaved && (short === 'attn_q' || short === 'attn_k');
    planned.set(target, {
      name: target,
      shape: shape.toReversed(),
      type: shape.length === 1 ? 'F32' : dtype,
      source,
      heads: isTurned ? (short === 'attn_q' ? heads : keyHeads) : null,
      shift: shape.length === 1 && target.endsWith('norm.weight') ? family.normShift : 0,
    });
  }
  for (let layer = 0; layer < layers; layer += 1)
    for (const part of Object.values(family.layer))
      if (!planned.has(`blk.${layer}.${part}.weight`))
        throw new ModelRefused(`Its weights have no blk.${layer}.${part}: files are missing.`);
  const embedding = planned.get('token_embd.weight');
  const count = embedding?.shape[1];
  if (
    !embedding ||
    count === undefined ||
    !planned.has('output_norm.weight') ||
    planned.has('output.weight') === isTied
  )
    throw new ModelRefused('Its weights have no embeddings, no last norm or no head: files are missing.');
  if (family.isTied && !isTied)
    throw new ModelRefused(`Its head is a matrix of its own, which llama.cpp’s ${architecture} does not have.`);
  if (rope.factors)
    planned.set('rope_freqs.weight', {
      name: 'rope_freqs.weight',
      shape: [headWidth / 2],
      type: 'F32',
      source: rope.factors,
      heads: null,
      shift: 0,
    });

  const turned = headWidth * readTurnedShare(config);
  return {
    type: embedding.type,
    entries: new Map<string, GgufEntry>([
      ['general.architecture', text(architecture)],
      ['general.type', text('model')],
      ['general.name', text(toPlainName(name))],
      ['general.file_type', uint32(FILE_TYPES[embedding.type])],
      ['general.quantization_version', uint32(2)],
      ...[
        ['block_count', uint32(layers)] as const,
        ['context_length', uint32(readNumber(config, 'max_position_embeddings'))] as const,
        ['embedding_length', uint32(width)] as const,
        ['feed_forward_length', uint32(readNumber(config, 'intermediate_size'))] as const,
        ['attention.head_count', uint32(heads)] as const,
        ['attention.head_count_kv', uint32(keyHeads)] as const,
        ['attention.key_length', uint32(headWidth)] as const,
        ['attention.value_length', uint32(headWidth)] as const,
        ['attention.layer_norm_rms_epsilon', float32(readNumber(config, 'rms_norm_eps'))] as const,
        ['rope.dimension_count', uint32(turned)] as const,
        ['rope.freq_base', float32(readRopeBase(config) ?? 10_000)] as const,
        ...rope.entries.map(([key, entry]) => [`rope.${key}`, entry] as const),
        ['vocab_size', uint32(count)] as const,
        ...own,
      ].map(([key, entry]) => [`${architecture}.${key}`, entry] as const),
      ...toVocabulary(facts, config, count),
    ]),
    tensors: [...planned.values()],
  };
}

/** The same model with its matrices in Q8_0, where rows are made of blocks; others in F16. */
export function toQ8(plan: ModelPlan): ModelPlan {
  const toType = ({ shape, type }: PlannedTensor): PlannedTensor['type'] =>
    shape.length === 1 ? type : isBlockRow(shape[0] ?? 0) ? 'Q8_0' : 'F16';
  const tensors = plan.tensors.map((tensor) => ({ ...tensor, type: toType(tensor) }));
  const type = tensors.find(({ name }) => name === 'token_embd.weight')?.type ?? 'Q8_0';
  return { type, tensors, entries: new Map([...plan.entries, ['general.file_type', uint32(FILE_TYPES[type])]]) };
}
