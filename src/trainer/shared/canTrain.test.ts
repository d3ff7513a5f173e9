import { describe, expect, it } from 'vitest';
import { canTrain, countParameters, MAX_PARAMETERS, type HeaderFacts } from './canTrain.ts';

const VALUES: Readonly<Record<string, unknown>> = {
  'general.architecture': 'llama',
  'tokenizer.ggml.model': 'gpt2',
  'tokenizer.ggml.pre': 'gpt-2',
  'tokenizer.ggml.tokens': Array.from({ length: 20 }, (_, index) => `t${index}`),
  'llama.block_count': 1,
  'llama.embedding_length': 16,
  'llama.attention.head_count': 2,
  'llama.feed_forward_length': 24,
  'llama.context_length': 64n,
  'llama.attention.layer_norm_rms_epsilon': 1e-5,
};
const SIZES: Readonly<Record<string, readonly number[]>> = {
  'token_embd.weight': [16, 20],
  'output_norm.weight': [16],
  'blk.0.attn_norm.weight': [16],
  'blk.0.ffn_norm.weight': [16],
  'blk.0.attn_q.weight': [16, 16],
  'blk.0.attn_k.weight': [16, 16],
  'blk.0.attn_v.weight': [16, 16],
  'blk.0.attn_output.weight': [16, 16],
  'blk.0.ffn_gate.weight': [16, 24],
  'blk.0.ffn_up.weight': [16, 24],
  'blk.0.ffn_down.weight': [24, 16],
};

function toFacts(
  values: object = {},
  sizes: Readonly<Record<string, readonly number[] | null>> = {},
  type = 1,
): HeaderFacts {
  const all = Object.entries({ ...SIZES, ...sizes });
  return {
    values: new Map(Object.entries({ ...VALUES, ...values })),
    tensors: new Map(all.flatMap(([name, shape]) => (shape === null ? [] : [[name, { shape, type }] as const]))),
  };
}

const reasonOf = (facts: HeaderFacts): string => {
  const found = canTrain(facts);
  if (found.canTrain) return '';
  expect(found.what_to_do).toContain('--trainer');
  return found.reason;
};

describe('a base model', () => {
  it('is trained if it is a plain small llama', () => {
    const found = canTrain(toFacts());
    expect(found).toMatchObject({
      canTrain: true,
      shape: { keyHeads: 2, headWidth: 8, context: 64, vocabulary: 20, ropeBase: 10_000, hasOutput: false },
    });
    if (found.canTrain) expect(countParameters(found.shape)).toBe(20 * 16 + 16 + 32 + 4 * 256 + 3 * 384);
  });

  it.each([
    ['of another architecture', toFacts({ 'general.architecture': 'qwen3' }), /llama architecture.*qwen3/],
    ['with another tokenizer', toFacts({ 'tokenizer.ggml.model': 'llama' }), /cuts text/],
    ['that is cut in an unknown way', toFacts({ 'tokenizer.ggml.pre': 'tekken' }), /tekken/],
    ['without its context', toFacts({ 'llama.context_length': undefined }), /does not say: context/],
    ['with odd widths', toFacts({ 'llama.feed_forward_length': 20 }), /innerWidth is 20/],
    ['whose heads share unevenly', toFacts({ 'llama.attention.head_count_kv': 3 }), /evenly/],
    ['that turns half a head', toFacts({ 'llama.rope.dimension_count': 4 }), /4 of the 8/],
    ['without a matrix', toFacts({}, { 'blk.0.attn_q.weight': null }), /attn_q.weight is missing/],
    ['with a matrix of another size', toFacts({}, { 'blk.0.ffn_up.weight': [16, 32] }), /16 x 32/],
    ['with factors of positions', toFacts({}, { 'rope_freqs.weight': [4] }), /rope_freqs/],
    ['that is quantized', toFacts({}, {}, 12), /quantized/],
  ])('%s is refused with the reason', (_, facts, reason) => {
    expect(reasonOf(facts)).toMatch(reason);
  });

  it('may have an output matrix of its own', () => {
    expect(canTrain(toFacts({}, { 'output.weight': [16, 20] }))).toMatchObject({ shape: { hasOutput: true } });
  });

  it('that is large is refused', () => {
    const width = 4096;
    const sizes = Object.fromEntries(
      Object.entries(SIZES).map(([name, shape]) => [name, shape.map((size) => (size === 16 ? width : size))]),
    );
    const facts = toFacts({ 'llama.embedding_length': width }, sizes);
    expect(reasonOf(facts)).toMatch(new RegExp(`up to ${MAX_PARAMETERS / 1e6} million`));
  });
});
