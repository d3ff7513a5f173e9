// The model families whose adapters are converted: their names, the order of rows in q and k, and the names of their
// matrices. Each was let in by greedy answers that equal those of transformers (e2e/real/adapterFamilies.ts): a wrong
// order answers fluently and wrongly.

export interface Family {
  /** `model_type` in config.json of transformers. */
  readonly types: readonly string[];
  /** llama.cpp pairs the numbers of a head that it turns side by side, transformers half a head apart. */
  readonly isInterleaved: boolean;
  /** PyTorch's names of the matrices of a layer, and llama.cpp's. */
  readonly modules: Readonly<Record<string, string>>;
}

const ATTENTION = {
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output',
} as const;

const DENSE = {
  ...ATTENTION,
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
} as const;

const plain = (types: readonly string[], modules: Family['modules'] = DENSE): Family => ({
  types,
  isInterleaved: false,
  modules,
});

const interleaved = (types: readonly string[], modules: Family['modules'] = DENSE): Family => ({
  types,
  isInterleaved: true,
  modules,
});

/** By `general.architecture` of a GGUF file. */
export const FAMILIES: Readonly<Record<string, Family>> = {
  llama: interleaved(['llama', 'mistral', 'mixtral']),
  mistral3: interleaved(['ministral3', 'mistral3']),
  smollm3: interleaved(['smollm3']),
  granite: interleaved(['granite']),
  granitemoe: interleaved(['granitemoe'], ATTENTION),
  olmo: interleaved(['olmo']),

  qwen2: plain(['qwen2']),
  qwen3: plain(['qwen3']),
  gemma: plain(['gemma']),
  gemma2: plain(['gemma2']),
  gemma3: plain(['gemma3', 'gemma3_text']),
  gemma4: plain(['gemma4', 'gemma4_text']),
  'command-r': plain(['cohere']),
  cohere2: plain(['cohere2']),
  ernie4_5: plain(['ernie4_5']),
  exaone4: plain(['exaone4']),
  'hunyuan-dense': plain(['hunyuan_v1_dense']),
  seed_oss: plain(['seed_oss']),
  stablelm: plain(['stablelm']),
  nemotron: plain(['nemotron'], { ...ATTENTION, 'mlp.up_proj': 'ffn_up', 'mlp.down_proj': 'ffn_down' }),
  olmo2: plain(['olmo2', 'olmo3']),

  qwen2moe: plain(['qwen2_moe'], {
    ...ATTENTION,
    'mlp.shared_expert.gate_proj': 'ffn_gate_shexp',
    'mlp.shared_expert.up_proj': 'ffn_up_shexp',
    'mlp.shared_expert.down_proj': 'ffn_down_shexp',
    'mlp.shared_expert_gate': 'ffn_gate_inp_shexp',
  }),
  qwen3moe: plain(['qwen3_moe'], ATTENTION),
  qwen3next: plain(['qwen3_next'], ATTENTION),
  qwen35: plain(['qwen3_5', 'qwen3_5_text']),
  'gpt-oss': plain(['gpt_oss'], ATTENTION),
  'falcon-h1': plain(['falcon_h1'], { 'self_attn.q_proj': 'attn_q', 'self_attn.v_proj': 'attn_v' }),
  // llama.cpp 0.4 ends its process where attn_output or ffn_down are adapted: it sets their precision, and finds a sum.
  glm4: plain(['glm4'], {
    'self_attn.q_proj': 'attn_q',
    'self_attn.k_proj': 'attn_k',
    'self_attn.v_proj': 'attn_v',
    'mlp.gate_up_proj': 'ffn_up',
  }),
  phi3: plain(['phi3'], {
    'self_attn.qkv_proj': 'attn_qkv',
    'self_attn.o_proj': 'attn_output',
    'mlp.gate_up_proj': 'ffn_up',
    'mlp.down_proj': 'ffn_down',
  }),
  starcoder2: plain(['starcoder2'], { ...ATTENTION, 'mlp.c_fc': 'ffn_up', 'mlp.c_proj': 'ffn_down' }),
  lfm2: plain(['lfm2'], {
    'self_attn.q_proj': 'attn_q',
    'self_attn.k_proj': 'attn_k',
    'self_attn.v_proj': 'attn_v',
    'self_attn.out_proj': 'attn_output',
    'feed_forward.w1': 'ffn_gate',
    'feed_forward.w2': 'ffn_down',
    'feed_forward.w3': 'ffn_up',
    'conv.in_proj': 'shortconv.in_proj',
    'conv.out_proj': 'shortconv.out_proj',
  }),
};

/** null: adapters of this family are not converted. */
export const findFamily = (architecture: string): Family | null =>
  Object.hasOwn(FAMILIES, architecture) ? (FAMILIES[architecture] ?? null) : null;

/** The name that a GGUF file has for a `model_type`; null: it is none of the families. */
export const toArchitecture = (type: string): string | null =>
  Object.entries(FAMILIES).find(([, { types }]) => types.includes(type))?.[0] ?? null;
