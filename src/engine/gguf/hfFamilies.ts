// The families of whole models that are converted, and what each has beside the others. Each was let in by greedy answers that
// equal those of transformers (e2e/real/adapterFamilies.ts), and its file by the bytes of llama.cpp's converter.
// Sources: llama.cpp's conversion/llama.py, qwen.py, gemma.py, phi.py and src/models.
import { arrayOr, isObject, ownField, type JsonObject } from '#core/contract/readJson.ts';
import { float32, ModelRefused, readNumber, uint32 } from './hfConfig.ts';
import type { GgufEntry } from './writeGguf.ts';

interface ModelSizes {
  readonly layers: number;
  readonly heads: number;
  readonly headWidth: number;
  /** Numbers for a token. */
  readonly width: number;
}

export interface ModelFamily {
  /** `general.architecture`. */
  readonly architecture: string;
  /** llama.cpp pairs the numbers of a head that it turns side by side. */
  readonly isInterleaved: boolean;
  /** PyTorch's names in a layer, and llama.cpp's. */
  readonly layer: Readonly<Record<string, string>>;
  /** Added to the weights of norms, which transformers keeps as differences from 1. */
  readonly normShift: 0 | 1;
  /** Whether embeddings and head are one matrix where config.json does not say it. */
  readonly isTied: boolean;
  /** Entries beside those of all families, without the architecture. Throws ModelRefused. */
  readonly toEntries: (config: JsonObject, sizes: ModelSizes) => readonly (readonly [string, GgufEntry])[];
}

const NORMS = { input_layernorm: 'attn_norm', post_attention_layernorm: 'ffn_norm' } as const;
const PARTS = {
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output',
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
} as const;
const HEAD_NORMS = { 'self_attn.q_norm': 'attn_q_norm', 'self_attn.k_norm': 'attn_k_norm' } as const;

function refuseWindow(config: JsonObject): readonly [] {
  if (ownField(config, 'use_sliding_window') === true) throw new ModelRefused('It uses a sliding window.');
  return [];
}

const LLAMA: ModelFamily = {
  architecture: 'llama',
  isInterleaved: true,
  layer: { ...NORMS, ...PARTS },
  normShift: 0,
  isTied: false,
  toEntries: refuseWindow,
};

const GEMMA: ModelFamily = {
  ...LLAMA,
  architecture: 'gemma',
  isInterleaved: false,
  normShift: 1,
  isTied: true,
  toEntries(config) {
    checkActivation(config);
    return [];
  },
};

const GEMMA_2_LAYER = {
  ...PARTS,
  input_layernorm: 'attn_norm',
  post_attention_layernorm: 'post_attention_norm',
  pre_feedforward_layernorm: 'ffn_norm',
  post_feedforward_layernorm: 'post_ffw_norm',
} as const;

/** Throws ModelRefused for another one than llama.cpp has. */
function checkActivation(config: JsonObject): void {
  const name = ownField(config, 'hidden_activation') ?? ownField(config, 'hidden_act') ?? 'gelu_pytorch_tanh';
  if (name !== 'gelu_pytorch_tanh' && name !== 'gelu')
    throw new ModelRefused(`Its activation is ${String(name)}, and llama.cpp has gelu for this family.`);
}

/** llama.cpp knows by the number of layers which layers see a window, and how attention is scaled. Throws ModelRefused. */
function checkGemma(
  config: JsonObject,
  { layers, heads, headWidth, width }: ModelSizes,
  period: number,
  large: number,
): void {
  checkActivation(config);
  const scalar = readNumber(config, 'query_pre_attn_scalar');
  if (scalar !== (layers === large ? width / heads : headWidth))
    throw new ModelRefused(
      `Its query_pre_attn_scalar is ${scalar}, which llama.cpp takes from the sizes of the model.`,
    );
  const isWhole = arrayOr(ownField(config, 'layer_types')).map((type) => type === 'full_attention');
  if (isWhole.some((whole, layer) => whole !== (layer % period === period - 1)))
    throw new ModelRefused('Its layers see the whole text in another order than llama.cpp has (layer_types).');
  const pattern = ownField(config, 'sliding_window_pattern') ?? period;
  if (isWhole.length === 0 && pattern !== period)
    throw new ModelRefused(`Its sliding_window_pattern is ${String(pattern)}, and llama.cpp has ${period}.`);
  if (ownField(config, 'use_bidirectional_attention') === true)
    throw new ModelRefused('It sees what follows a token (use_bidirectional_attention).');
}

const GEMMA_2: ModelFamily = {
  ...GEMMA,
  architecture: 'gemma2',
  layer: GEMMA_2_LAYER,
  toEntries(config, sizes) {
    checkGemma(config, sizes, 2, 46);
    return [
      ['attention.sliding_window', uint32(readNumber(config, 'sliding_window'))],
      ['attn_logit_softcapping', float32(readNumber(config, 'attn_logit_softcapping'))],
      ['final_logit_softcapping', float32(readNumber(config, 'final_logit_softcapping'))],
    ];
  },
};

const GEMMA_3: ModelFamily = {
  ...GEMMA,
  architecture: 'gemma3',
  layer: { ...GEMMA_2_LAYER, ...HEAD_NORMS },
  toEntries(config, sizes) {
    checkGemma(config, sizes, 6, 62);
    if (ownField(config, 'attn_logit_softcapping') != null)
      throw new ModelRefused('It has an attn_logit_softcapping, which llama.cpp has not for this family.');
    const rope = ownField(config, 'rope_parameters');
    const near = isObject(rope) ? ownField(rope, 'sliding_attention') : null;
    const base = isObject(near) ? readNumber(near, 'rope_theta') : readNumber(config, 'rope_local_base_freq');
    const last = ownField(config, 'final_logit_softcapping');
    return [
      ['attention.sliding_window', uint32(readNumber(config, 'sliding_window'))],
      ['rope.freq_base_swa', float32(base)],
      ...(last == null
        ? []
        : [['final_logit_softcapping', float32(readNumber(config, 'final_logit_softcapping'))] as const]),
    ];
  },
};

const PHI_3: ModelFamily = {
  ...LLAMA,
  architecture: 'phi3',
  isInterleaved: false,
  layer: {
    ...NORMS,
    'self_attn.qkv_proj': 'attn_qkv',
    'self_attn.o_proj': 'attn_output',
    'mlp.gate_up_proj': 'ffn_up',
    'mlp.down_proj': 'ffn_down',
  },
  toEntries(config, { heads, headWidth, width }) {
    const window = ownField(config, 'sliding_window');
    if (window != null && Number(window) < readNumber(config, 'max_position_embeddings'))
      throw new ModelRefused(
        `It sees ${String(window)} tokens at a time (sliding_window), and llama.cpp’s phi3 all of them.`,
      );
    if (headWidth * heads !== width)
      throw new ModelRefused('Its heads are wider than llama.cpp’s phi3 has them (head_dim).');
    return [];
  },
};

/** By `model_type` of transformers. */
export const MODEL_FAMILIES: Readonly<Record<string, ModelFamily>> = {
  llama: LLAMA,
  mistral: LLAMA,
  qwen2: { ...LLAMA, architecture: 'qwen2', isInterleaved: false },
  qwen3: { ...LLAMA, architecture: 'qwen3', isInterleaved: false, layer: { ...LLAMA.layer, ...HEAD_NORMS } },
  gemma: GEMMA,
  gemma2: GEMMA_2,
  gemma3_text: GEMMA_3,
  phi3: PHI_3,
};
