// What each family of whole models has beside the others, on made-up tensors: names, shifts and entries are those that
// llama.cpp's convert_hf_to_gguf.py (of llama-cpp-python 0.3.36) wrote of a model with the same configuration.
import { describe, expect, it } from 'vitest';
import { ModelRefused } from './hfConfig.ts';
import { MODEL_FAMILIES } from './hfFamilies.ts';
import { planModel, type HfTensor } from './hfModel.ts';
import { readSampleGguf } from './sampleAdapter.fixture.ts';
import { toSampleHf } from './sampleHf.fixture.ts';

const hf = toSampleHf(readSampleGguf('support-replies-1.Q8_0.gguf'));
const TOKENS = Number(hf.config['vocab_size']);
const [WIDTH, INNER] = [64, 96];

const BASIC = {
  hidden_size: WIDTH,
  intermediate_size: INNER,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  head_dim: 16,
  max_position_embeddings: 256,
  rms_norm_eps: 1e-6,
  rope_parameters: { rope_type: 'default', rope_theta: 10_000 },
};
const GEMMA = { ...BASIC, hidden_activation: 'gelu_pytorch_tanh', query_pre_attn_scalar: 16 };
const CONFIGS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  llama: BASIC,
  mistral: { ...BASIC, sliding_window: null },
  qwen2: { ...BASIC, use_sliding_window: false },
  qwen3: BASIC,
  gemma: GEMMA,
  gemma2: {
    ...GEMMA,
    sliding_window: 4096,
    attn_logit_softcapping: 50,
    final_logit_softcapping: 30,
    layer_types: ['sliding_attention', 'full_attention'],
  },
  gemma3_text: {
    ...GEMMA,
    sliding_window: 192,
    layer_types: ['sliding_attention', 'sliding_attention'],
    rope_parameters: {
      full_attention: { rope_type: 'default', rope_theta: 1_000_000 },
      sliding_attention: { rope_type: 'default', rope_theta: 10_000 },
    },
  },
  phi3: { ...BASIC, sliding_window: null },
};

function toTensors(type: string): readonly HfTensor[] {
  const family = MODEL_FAMILIES[type];
  const isVector = (path: string): boolean => path.endsWith('norm');
  const layers = [0, 1].flatMap((layer) =>
    Object.keys(family?.layer ?? {}).map((path) => ({
      name: `model.layers.${layer}.${path}.weight`,
      dtype: 'BF16',
      shape: isVector(path) ? [WIDTH] : [WIDTH, INNER],
    })),
  );
  const head = { name: 'lm_head.weight', dtype: 'BF16', shape: [TOKENS, WIDTH] };
  return [
    { name: 'model.embed_tokens.weight', dtype: 'BF16', shape: [TOKENS, WIDTH] },
    { name: 'model.norm.weight', dtype: 'BF16', shape: [WIDTH] },
    ...layers,
    ...(family?.isTied ? [] : [head]),
  ];
}

const plan = (type: string, config: object = {}) =>
  planModel({ ...hf, config: { model_type: type, ...CONFIGS[type], ...config } }, toTensors(type), 'run');

const DENSE = 'attn_k attn_norm attn_output attn_q attn_v ffn_down ffn_gate ffn_norm ffn_up';
const NAMES: Readonly<Record<string, string>> = {
  llama: DENSE,
  mistral: DENSE,
  qwen2: DENSE,
  qwen3: `attn_k attn_k_norm attn_norm attn_output attn_q attn_q_norm attn_v ffn_down ffn_gate ffn_norm ffn_up`,
  gemma: DENSE,
  gemma2: `${DENSE} post_attention_norm post_ffw_norm`,
  gemma3_text: `attn_k attn_k_norm attn_norm attn_output attn_q attn_q_norm attn_v ffn_down ffn_gate ffn_norm ffn_up post_attention_norm post_ffw_norm`,
  phi3: 'attn_norm attn_output attn_qkv ffn_down ffn_norm ffn_up',
};

describe.each(Object.keys(MODEL_FAMILIES))('a whole model of the type %s', (type) => {
  it('has the tensors of llama.cpp’s family', () => {
    const own = plan(type)
      .tensors.flatMap(({ name }) => /^blk\.1\.(\w+)\.weight$/.exec(name)?.[1] ?? [])
      .toSorted();
    expect(own.join(' ')).toBe(NAMES[type]);
  });

  it('has norms that count from 0, and rows of q and k in the order of the family', () => {
    const { tensors } = plan(type);
    const norms = tensors.filter(({ name }) => name.endsWith('norm.weight'));
    expect(new Set(norms.map(({ shift }) => shift))).toEqual(new Set([type.startsWith('gemma') ? 1 : 0]));
    expect(
      tensors.filter(({ name }) => !norms.some((norm) => norm.name === name)).every(({ shift }) => shift === 0),
    ).toBe(true);
    const turned = tensors.find(({ name }) => name === 'blk.0.attn_q.weight')?.heads ?? null;
    expect(turned).toBe(type === 'llama' || type === 'mistral' ? 4 : null);
  });
});

describe('facts of one family', () => {
  const read = (type: string, key: string, config: object = {}) => plan(type, config).entries.get(key);
  it('Gemma 2 has its window and its caps', () => {
    expect(read('gemma2', 'gemma2.attention.sliding_window')).toMatchObject({ value: 4096 });
    expect(read('gemma2', 'gemma2.attn_logit_softcapping')).toMatchObject({ value: 50 });
    expect(read('gemma2', 'gemma2.final_logit_softcapping')).toMatchObject({ value: 30 });
  });

  it('Gemma 3 has two rotations, written by transformers 4 or 5', () => {
    expect(read('gemma3_text', 'gemma3.rope.freq_base')).toMatchObject({ value: 1_000_000 });
    expect(read('gemma3_text', 'gemma3.rope.freq_base_swa')).toMatchObject({ value: 10_000 });
    const older = {
      rope_parameters: undefined,
      rope_theta: 500_000,
      rope_local_base_freq: 20_000,
      layer_types: undefined,
    };
    expect(read('gemma3_text', 'gemma3.rope.freq_base', older)).toMatchObject({ value: 500_000 });
    expect(read('gemma3_text', 'gemma3.rope.freq_base_swa', older)).toMatchObject({ value: 20_000 });
    expect(read('gemma3_text', 'gemma3.final_logit_softcapping')).toBeUndefined();
  });

  it('Phi turns a part of each head', () => {
    const rope_parameters = { rope_type: 'default', rope_theta: 10_000, partial_rotary_factor: 0.75 };
    expect(read('phi3', 'phi3.rope.dimension_count', { rope_parameters })).toMatchObject({ value: 12 });
  });

  it('a name is not one by which llama.cpp changes the tokenizer', () => {
    const named = planModel({ ...hf, config: { model_type: 'qwen3', ...BASIC } }, toTensors('qwen3'), 'Phi-3-or-PHI3');
    expect(named.entries.get('general.name')).toEqual({ type: 'string', value: 'Phi 3-or-PHI 3' });
  });

  it.each([
    ['gemma2', { query_pre_attn_scalar: 144 }, /query_pre_attn_scalar is 144/],
    ['gemma2', { layer_types: ['full_attention', 'sliding_attention'] }, /layer_types/],
    ['gemma2', { attn_logit_softcapping: null }, /attn_logit_softcapping/],
    ['gemma2', { hidden_activation: 'silu' }, /activation is silu/],
    ['gemma2', { tie_word_embeddings: false }, /files are missing/],
    ['gemma3_text', { layer_types: undefined, sliding_window_pattern: 4 }, /sliding_window_pattern is 4/],
    ['gemma3_text', { attn_logit_softcapping: 50 }, /attn_logit_softcapping/],
    ['gemma3_text', { use_bidirectional_attention: true }, /use_bidirectional_attention/],
    ['gemma3_text', { rope_parameters: { full_attention: { rope_theta: 1 } } }, /rope_local_base_freq/],
    ['phi3', { sliding_window: 128 }, /sees 128 tokens/],
    ['phi3', { head_dim: 32 }, /head_dim/],
    ['phi3', { rope_parameters: { rope_type: 'longrope', rope_theta: 1 } }, /longrope/],
    ['qwen2', { use_sliding_window: true }, /sliding window/],
  ])('%s is refused for what llama.cpp does otherwise: %j', (type, config, reason) => {
    expect(() => plan(type, config)).toThrow(ModelRefused);
    expect(() => plan(type, config)).toThrow(reason);
  });
});
