// For tests: what llama.cpp’s convert_lora_to_gguf.py (of llama-cpp-python 0.3.36) makes of adapters of each family, by
// e2e/real/referenceNames.py: the name of each module’s matrix, and which rows of B its first 16 rows are. What families have
// in common is written once.

type Modules = Readonly<Record<string, readonly [name: string, rows: readonly number[]]>>;

const AS_IS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
const TURNED = [0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15];

const ATTENTION: Modules = {
  'self_attn.k_proj': ['attn_k', AS_IS],
  'self_attn.o_proj': ['attn_output', AS_IS],
  'self_attn.q_proj': ['attn_q', AS_IS],
  'self_attn.v_proj': ['attn_v', AS_IS],
};
const TURNED_ATTENTION: Modules = {
  ...ATTENTION,
  'self_attn.k_proj': ['attn_k', TURNED],
  'self_attn.q_proj': ['attn_q', TURNED],
};
const GATED: Modules = {
  'mlp.down_proj': ['ffn_down', AS_IS],
  'mlp.gate_proj': ['ffn_gate', AS_IS],
  'mlp.up_proj': ['ffn_up', AS_IS],
};
const SHARED_EXPERT: Modules = {
  'mlp.shared_expert.down_proj': ['ffn_down_shexp', AS_IS],
  'mlp.shared_expert.gate_proj': ['ffn_gate_shexp', AS_IS],
  'mlp.shared_expert.up_proj': ['ffn_up_shexp', AS_IS],
};

/** By the `model_type` of transformers. */
export const REFERENCE: Readonly<Record<string, { readonly architecture: string; readonly modules: Modules }>> = {
  cohere: { architecture: 'command-r', modules: { ...GATED, ...ATTENTION } },
  cohere2: { architecture: 'cohere2', modules: { ...GATED, ...ATTENTION } },
  ernie4_5: { architecture: 'ernie4_5', modules: { ...GATED, ...ATTENTION } },
  exaone4: { architecture: 'exaone4', modules: { ...GATED, ...ATTENTION } },
  falcon_h1: {
    architecture: 'falcon-h1',
    modules: { 'self_attn.q_proj': ['attn_q', AS_IS], 'self_attn.v_proj': ['attn_v', AS_IS] },
  },
  gemma: { architecture: 'gemma', modules: { ...GATED, ...ATTENTION } },
  gemma2: { architecture: 'gemma2', modules: { ...GATED, ...ATTENTION } },
  gemma3: { architecture: 'gemma3', modules: { ...GATED, ...ATTENTION } },
  gemma4: { architecture: 'gemma4', modules: { ...GATED, ...ATTENTION } },
  glm4: {
    architecture: 'glm4',
    modules: {
      'mlp.gate_up_proj': ['ffn_up', AS_IS],
      'self_attn.k_proj': ['attn_k', AS_IS],
      'self_attn.q_proj': ['attn_q', AS_IS],
      'self_attn.v_proj': ['attn_v', AS_IS],
    },
  },
  gpt_oss: { architecture: 'gpt-oss', modules: ATTENTION },
  granite: { architecture: 'granite', modules: { ...GATED, ...TURNED_ATTENTION } },
  granitemoe: { architecture: 'granitemoe', modules: TURNED_ATTENTION },
  hunyuan_v1_dense: { architecture: 'hunyuan-dense', modules: { ...GATED, ...ATTENTION } },
  lfm2: {
    architecture: 'lfm2',
    modules: {
      'conv.in_proj': ['shortconv.in_proj', AS_IS],
      'conv.out_proj': ['shortconv.out_proj', AS_IS],
      'feed_forward.w1': ['ffn_gate', AS_IS],
      'feed_forward.w2': ['ffn_down', AS_IS],
      'feed_forward.w3': ['ffn_up', AS_IS],
      'self_attn.k_proj': ['attn_k', AS_IS],
      'self_attn.out_proj': ['attn_output', AS_IS],
      'self_attn.q_proj': ['attn_q', AS_IS],
      'self_attn.v_proj': ['attn_v', AS_IS],
    },
  },
  llama: { architecture: 'llama', modules: { ...GATED, ...TURNED_ATTENTION } },
  ministral3: { architecture: 'mistral3', modules: { ...GATED, ...TURNED_ATTENTION } },
  mistral: { architecture: 'llama', modules: { ...GATED, ...TURNED_ATTENTION } },
  nemotron: {
    architecture: 'nemotron',
    modules: { ...ATTENTION, 'mlp.down_proj': ['ffn_down', AS_IS], 'mlp.up_proj': ['ffn_up', AS_IS] },
  },
  olmo: { architecture: 'olmo', modules: { ...GATED, ...TURNED_ATTENTION } },
  olmo2: { architecture: 'olmo2', modules: { ...GATED, ...ATTENTION } },
  olmo3: { architecture: 'olmo2', modules: { ...GATED, ...ATTENTION } },
  phi3: {
    architecture: 'phi3',
    modules: {
      'mlp.down_proj': ['ffn_down', AS_IS],
      'mlp.gate_up_proj': ['ffn_up', AS_IS],
      'self_attn.o_proj': ['attn_output', AS_IS],
      'self_attn.qkv_proj': ['attn_qkv', AS_IS],
    },
  },
  qwen2: { architecture: 'qwen2', modules: { ...GATED, ...ATTENTION } },
  qwen2_moe: {
    architecture: 'qwen2moe',
    modules: { ...SHARED_EXPERT, ...ATTENTION, 'mlp.shared_expert_gate': ['ffn_gate_inp_shexp', [0]] },
  },
  qwen3: { architecture: 'qwen3', modules: { ...GATED, ...ATTENTION } },
  qwen3_5: {
    architecture: 'qwen35',
    modules: {
      ...GATED,
      ...ATTENTION,
      'linear_attn.in_proj_a': ['ssm_alpha', [0, 1]],
      'linear_attn.in_proj_b': ['ssm_beta', [0, 1]],
      'linear_attn.in_proj_qkv': ['attn_qkv', AS_IS],
      'linear_attn.in_proj_z': ['attn_gate', AS_IS],
      'linear_attn.out_proj': ['ssm_out', AS_IS],
    },
  },
  qwen3_moe: { architecture: 'qwen3moe', modules: ATTENTION },
  qwen3_next: {
    architecture: 'qwen3next',
    modules: {
      ...SHARED_EXPERT,
      ...ATTENTION,
      'linear_attn.in_proj_ba': ['ssm_ba', [0, 1, 2, 3]],
      'linear_attn.out_proj': ['ssm_out', AS_IS],
      'mlp.gate': ['ffn_gate_inp', [0, 1, 2, 3]],
      'mlp.shared_expert_gate': ['ffn_gate_inp_shexp', [0]],
    },
  },
  seed_oss: { architecture: 'seed_oss', modules: { ...GATED, ...ATTENTION } },
  smollm3: { architecture: 'smollm3', modules: { ...GATED, ...TURNED_ATTENTION } },
  stablelm: { architecture: 'stablelm', modules: { ...GATED, ...ATTENTION } },
  starcoder2: {
    architecture: 'starcoder2',
    modules: { ...ATTENTION, 'mlp.c_fc': ['ffn_up', AS_IS], 'mlp.c_proj': ['ffn_down', AS_IS] },
  },
};
