import { describe, expect, it } from 'vitest';
import { judgeBase, readRopeBase, type FolderFacts } from './baseFit.ts';
import type { GgufHeader } from './ggufHeader.ts';

const WORDS = Array.from({ length: 200 }, (_, index) => `word${index}`);
const MARKS = ['<|begin|>', '<|turn|>'];
const TOKENS = [...WORDS, ...MARKS];

function toBase(values: Record<string, unknown> = {}): GgufHeader {
  const all = {
    'general.architecture': 'qwen2',
    'qwen2.block_count': 2,
    'qwen2.embedding_length': 64,
    'qwen2.attention.head_count': 4,
    'qwen2.attention.head_count_kv': 2,
    'qwen2.rope.freq_base': 1_000_000,
    'tokenizer.ggml.tokens': [...TOKENS, '[PAD202]'],
    'tokenizer.ggml.token_type': [...WORDS.map(() => 1), 3, 3, 5],
    'tokenizer.ggml.eos_token_id': 201,
    'tokenizer.chat_template': 'base {{ messages }}',
    ...values,
  };
  return { values: new Map(Object.entries(all)), rawValues: new Map(), tensors: new Map(), dataStart: 0 } as GgufHeader;
}

const CONFIG = {
  model_type: 'qwen2',
  num_hidden_layers: 2,
  hidden_size: 64,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  vocab_size: 203,
  rope_parameters: { rope_theta: 1_000_000, rope_type: 'default' },
};

const toTokenizer = (texts: readonly string[]) => ({
  model: { type: 'BPE', vocab: Object.fromEntries(texts.slice(0, WORDS.length).map((text, id) => [text, id])) },
  added_tokens: texts
    .slice(WORDS.length)
    .map((content, index) => ({ id: WORDS.length + index, content, special: true })),
});

const FACTS: FolderFacts = {
  config: CONFIG,
  tokenizer: toTokenizer(TOKENS),
  tokenizerConfig: { eos_token: '<|turn|>' },
  chatTemplate: 'base {{ messages }}\n',
};
const judge = (facts: Partial<FolderFacts> = {}, values: Record<string, unknown> = {}) =>
  judgeBase({ ...FACTS, ...facts }, toBase(values));

describe('a base', () => {
  it('that is what the folder says has nothing against it', () => {
    expect(judge()).toEqual({ refusal: null, notes: [], chatTemplate: null });
  });

  it('of which nothing is known has nothing against it', () => {
    const none = { config: null, tokenizer: null, tokenizerConfig: null, chatTemplate: null };
    expect(judgeBase(none, toBase())).toEqual({ refusal: null, notes: [], chatTemplate: null });
  });

  it.each([
    ['family', { model_type: 'qwen3' }, /type qwen3.*family qwen2/],
    ['layers', { num_hidden_layers: 4 }, /4 layers.*has 2/],
    ['heads', { num_attention_heads: 8 }, /8 attention heads.*has 4/],
    ['heads of keys', { num_key_value_heads: 4 }, /4 heads of keys/],
    ['vocabulary', { vocab_size: 500 }, /500 tokens.*has 203/],
  ])('of another %s is refused', (_, change, reason) => {
    expect(judge({ config: { ...CONFIG, ...change } }).refusal).toMatch(reason);
  });

  it('of another size is refused by what a tracker recorded with dotted names, also of a model for images', () => {
    expect(judge({ config: { model_type: 'qwen2', num_attention_heads: 8 } }).refusal).toMatch(/8 attention heads/);
    expect(judge({ config: { 'text_config.num_attention_heads': 8 } }).refusal).toMatch(/8 attention heads/);
    expect(judge({ config: { text_config: { num_attention_heads: 8 } } }).refusal).toMatch(/8 attention heads/);
  });

  it('with another tokenizer of the same size is refused', () => {
    const tokenizer = toTokenizer(TOKENS.toReversed());
    expect(judge({ tokenizer }).refusal).toMatch(
      /another tokenizer: token 0 is "<\|turn\|>" in the run and "word0" in this file/,
    );
  });

  it('with fewer tokens than the tokenizer is refused', () => {
    const tokenizer = toTokenizer([...TOKENS, ...Array.from({ length: 20 }, (_, index) => `<|new${index}|>`)]);
    expect(judge({ tokenizer }).refusal).toMatch(/token 203 is|token 202 is/);
  });

  it('with one other token is said', () => {
    const tokenizer = toTokenizer([...TOKENS, '<|new|>']);
    expect(judge({ tokenizer })).toMatchObject({
      refusal: null,
      notes: [/* token 202 */ expect.stringMatching(/1 differ: token 202/)],
    });
  });

  it('with another rotation of positions is said, whichever transformers wrote it', () => {
    for (const rope of [
      { rope_theta: 10_000 },
      { rope_parameters: { rope_theta: 10_000 } },
      { 'rope_parameters.rope_theta': 10_000 },
    ])
      expect(judge({ config: { ...CONFIG, rope_parameters: undefined, ...rope } }).notes).toEqual([
        expect.stringMatching(/rope_theta of 10000.*1000000/),
      ]);
    expect(readRopeBase({ rope_parameters: { full_attention: { rope_theta: 5 }, sliding_attention: {} } })).toBe(5);
  });

  it('that ends its answers otherwise is said, unless llama.cpp knows the end by its name', () => {
    expect(judge({ tokenizerConfig: { eos_token: { content: 'word7' } } }).notes).toEqual([
      expect.stringMatching(/ends its answers with word7/),
    ]);
    expect(judge({ tokenizerConfig: { eos_token: '<|im_end|>' } }).notes).toEqual([]);
  });
});

describe('the chat template of a run', () => {
  it('is used where it is another one, and that is said', () => {
    const own = judge({ chatTemplate: '<|turn|>{{ messages }}' });
    expect(own.chatTemplate).toBe('<|turn|>{{ messages }}');
    expect(own.notes).toEqual([expect.stringMatching(/Its own is used/)]);
  });

  it('is that of tokenizer_config.json where there is no file, the default one of several', () => {
    const named = [
      { name: 'tool_use', template: 'tools' },
      { name: 'default', template: 'own' },
    ];
    for (const chat_template of ['own', named])
      expect(judge({ chatTemplate: null, tokenizerConfig: { chat_template } }).chatTemplate).toBe('own');
  });

  it('is not used where the base has no token for one of its marks, and that is said', () => {
    const chatTemplate = '<|turn|>{{ messages }}';
    const values = { 'tokenizer.ggml.token_type': [...WORDS.map(() => 1), 3, 1, 5] };
    expect(judge({ chatTemplate }, values)).toMatchObject({
      chatTemplate: null,
      notes: [expect.stringMatching(/<\|turn\|> is no token/)],
    });
  });
});
