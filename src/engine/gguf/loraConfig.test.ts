import { describe, expect, it } from 'vitest';
import { findObstacle, judgeLora, type LoraTensor } from './loraConfig.ts';

const CONFIG = { peft_type: 'LORA', r: 8, lora_alpha: 16 };
const of = (module: string, rank = 8): LoraTensor[] => [
  { name: `base_model.model.${module}.lora_A.weight`, shape: [rank, 64] },
  { name: `base_model.model.${module}.lora_B.weight`, shape: [32, rank] },
];
const Q = 'model.layers.0.self_attn.q_proj';
const K = 'model.layers.1.self_attn.k_proj';
const PLAIN = [...of(Q), ...of(K)];
const one = (name: string): LoraTensor[] => [...PLAIN, { name: `base_model.model.${name}`, shape: [4, 4] }];

const judge = (config: object = {}, tensors: readonly LoraTensor[] = PLAIN) =>
  judgeLora({ ...CONFIG, ...config }, tensors);
const scalesOf = (config: object, tensors: readonly LoraTensor[] = PLAIN) =>
  [...judge(config, tensors).modules.values()].map(({ scale }) => scale);

describe('plain LoRA', () => {
  // What PEFT 0.21.2 writes for a plain adapter, with what trainers add.
  const written = {
    alora_invocation_tokens: null,
    alpha_pattern: {},
    arrow_config: null,
    auto_mapping: null,
    bias: 'none',
    corda_config: null,
    ensure_weight_tying: false,
    eva_config: null,
    exclude_modules: null,
    kasa_config: null,
    fan_in_fan_out: false,
    inference_mode: true,
    init_lora_weights: true,
    layer_replication: null,
    loftq_config: {},
    layers_pattern: null,
    layers_to_transform: null,
    lora_bias: false,
    lora_dropout: 0.05,
    megatron_config: null,
    megatron_core: 'megatron.core',
    modules_to_save: null,
    peft_version: '0.21.2',
    qalora_group_size: 16,
    rank_pattern: {},
    revision: null,
    target_modules: ['q_proj'],
    target_parameters: null,
    use_qalora: false,
    task_type: 'CAUSAL_LM',
    trainable_token_indices: null,
    use_dora: false,
    use_rslora: false,
    use_bdlora: null,
    unsloth_fixed: true,
    lora_dtype: null,
    lorap_lr_ratio: null,
    velora_config: null,
    lora_ga_config: null,
  };

  it('runs on every server', () => expect(judge(written).obstacles).toEqual([]));

  it.each([
    ['a setting for biases without a bias', { bias: 'lora_only' }],
    ['parameters that are plain matrices', { target_parameters: ['mlp.gate_proj.weight'] }],
    ['an orthogonal start', { init_lora_weights: 'orthogonal' }],
    ['a MiCA start', { init_lora_weights: 'mica' }],
    ['an EVA start', { init_lora_weights: 'eva' }],
    ['a random start', { init_lora_weights: false }],
    ['transposed weights of the base', { fan_in_fan_out: true }],
  ])('is what the tensors are, whatever is set: %s', (_, config) => expect(judge(config).obstacles).toEqual([]));

  it('may come with unchanged copies of the base', () => {
    expect(judge({}, one('model.embed_tokens.base_layer.weight')).obstacles).toEqual([]);
  });

  it('has parts for images and sounds beside it', () => {
    expect(judge().hasTowers).toBe(false);
    const towers = [
      'model.vision_tower.layers.0.fc1.lora_A.weight',
      'model.audio_tower.conv.bias',
      'visual.merger.x.weight',
    ];
    for (const tower of towers) expect(judge({}, one(tower))).toMatchObject({ hasTowers: true, obstacles: [] });
  });
});

describe('what is more than plain LoRA', () => {
  it.each([
    [
      'PiSSA',
      { init_lora_weights: 'pissa_niter_4' },
      PLAIN,
      /pissa_niter_4, which changed the base.*repeats that start/,
    ],
    ['OLoRA', { init_lora_weights: 'olora' }, PLAIN, /olora, which changed the base/],
    ['a start that nobody here knows', { init_lora_weights: 'zigzag' }, PLAIN, /"zigzag".*not known.*PEFT itself/],
    ['DoRA by its setting', { use_dora: true }, PLAIN, /DoRA.*Merge it/],
    ['DoRA by its tensors', {}, one(`${Q}.lora_magnitude_vector.weight`), /DoRA.*Merge it/],
    ['biases', { bias: 'all' }, one(`${Q}.bias`), /biases of the model.*Merge it/],
    ['biases of B', { lora_bias: true }, one(`${Q}.lora_B.bias`), /biases of the adapter/],
    ['whole matrices', {}, one('lm_head.weight'), /whole matrix lm_head\.weight.*Merge it/],
    ['tokens', {}, one('model.embed_tokens.token_adapter.trainable_tokens_delta'), /embeddings of tokens/],
    ['embeddings', {}, one('model.embed_tokens.lora_embedding_A'), /adapts the embeddings.*own.*one matrix/],
    ['experts', {}, [...PLAIN, ...of('model.layers.0.mlp.experts.base_layer')], /experts of a mixture.*Merge it/],
    ['layers in another order', { layer_replication: [[0, 1]] }, PLAIN, /layer_replication.*PEFT itself/],
    ['activation by tokens', { alora_invocation_tokens: [5] }, PLAIN, /aLoRA.*always active/],
    ['a field that nobody here knows', { use_warp: { depth: 2 } }, PLAIN, /sets use_warp to \{"depth":2\}.*not known/],
    ['a variant that is known to be one', { kasa_config: { x: 1 } }, PLAIN, /kasa_config/],
    ['another tensor', {}, one(`${Q}.lora_diag.weight`), /lora_diag/],
    ['another method', { peft_type: 'IA3' }, PLAIN, /IA3/],
  ])('runs on no server, and says why and what to do: %s', (_, config, tensors, reason) => {
    const judgement = judge(config, tensors);
    for (const server of ['llama', 'vllm', 'sglang', 'ollama'] as const)
      expect(findObstacle(judgement, server)).toMatch(reason);
  });

  it('is an incomplete file, too', () => {
    expect(findObstacle(judge({}, PLAIN.slice(1)), 'llama')).toMatch(/only one of its two matrices/);
    expect(findObstacle(judge({}, []), 'llama')).toMatch(/no LoRA matrices/);
    expect(findObstacle(judge({ r: 0 }), 'llama')).toMatch(/above 0 as r/);
    expect(findObstacle(judgeLora([], PLAIN), 'llama')).toMatch(/not a JSON object/);
  });

  it('keeps vLLM from loading it by a setting alone', () => {
    const judgement = judge({ modules_to_save: ['lm_head'] });
    expect(findObstacle(judgement, 'vllm')).toMatch(/modules_to_save/);
    expect(findObstacle(judgement, 'llama')).toBeNull();
  });
});

describe('scales', () => {
  it('are those of PEFT after loading: the first pattern that fits counts, and ranks are those of the tensors', () => {
    expect(scalesOf({})).toEqual([2, 2]);
    // PEFT saves keys sorted; `re.match(rf"(.*\.)?({key})$", name)`.
    const alpha_pattern = { 'layers.1.self_attn.k_proj': 64, k_proj: 8, q: 99 };
    expect(scalesOf({ alpha_pattern })).toEqual([2, 8]);
    expect(scalesOf({ rank_pattern: { q_proj: 99 } }, [...of(Q, 4), ...of(K)])).toEqual([4, 2]);
    expect(scalesOf({ use_rslora: true }, [...of(Q, 4), ...of(K, 16)])).toEqual([8, 4]);
    expect(
      scalesOf({ alpha_pattern: { '.*\\.q_proj': 8, '^model\\.layers\\.\\d+\\.self_attn.(k|v)_proj': 4 } }),
    ).toEqual([1, 0.5]);
  });

  it('of expressions that could take long, or that are not known, are not guessed', () => {
    for (const key of ['(a+)+b', '(?<=x)q', '.*.*.*.*q'])
      expect(findObstacle(judge({ alpha_pattern: { [key]: 4 } }), 'llama')).toMatch(/expression/);
  });

  it('that differ are for llama.cpp alone, and those of rsLoRA for vLLM, too', () => {
    const blockedBy = (config: object, tensors = PLAIN) => {
      const judgement = judge(config, tensors);
      return (['llama', 'vllm', 'sglang', 'ollama'] as const).filter(
        (server) => findObstacle(judgement, server) !== null,
      );
    };
    expect(blockedBy({ use_rslora: true })).toEqual(['sglang', 'ollama']);
    expect(blockedBy({ alpha_pattern: { q_proj: 4 } })).toEqual(['vllm', 'sglang', 'ollama']);
    const ranks = { rank_pattern: { q_proj: 16 } };
    expect(blockedBy(ranks, [...of(Q, 16), ...of(K)])).toEqual(['vllm', 'sglang', 'ollama']);
    // The same scale for all ranks.
    expect(blockedBy({ ...ranks, alpha_pattern: { q_proj: 32 } }, [...of(Q, 16), ...of(K)])).toEqual([]);
  });

  it('go with the largest rank of all matrices', () => {
    expect(judge({}, [...of(Q, 24), ...of(K, 4)]).maxRank).toBe(24);
  });
});
