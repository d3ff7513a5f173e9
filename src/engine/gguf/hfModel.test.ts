import { describe, expect, it } from 'vitest';
import type { FolderFacts } from './baseFit.ts';
import { ModelRefused } from './hfConfig.ts';
import { planModel, toQ8, type HfTensor } from './hfModel.ts';
import { readSampleGguf, readValues } from './sampleAdapter.fixture.ts';
import { toSampleHf } from './sampleHf.fixture.ts';
import { readGgufHeader } from './ggufHeader.ts';
import { toInterleaved } from './peftAdapter.ts';
import { toTensorData } from './tensorNumbers.ts';
import { writeGguf } from './writeGguf.ts';

const sample = readSampleGguf('support-replies-1.Q8_0.gguf');
const hf = toSampleHf(sample);
const FACTS: FolderFacts = hf;
const TENSORS: readonly HfTensor[] = hf.matrices.map(({ name, shape }) => ({ name, shape, dtype: 'F32' }));
const plan = (config: object = {}, facts: Partial<FolderFacts> = {}, tensors = TENSORS) =>
  planModel({ ...FACTS, config: { ...hf.config, ...config }, ...facts }, tensors, 'replies');

describe('a model of transformers', () => {
  it('becomes the file that llama.cpp’s converter would have written', () => {
    const { entries, tensors } = toQ8(plan());
    const bytes = writeGguf(
      entries,
      tensors.map((tensor) => {
        const matrix = hf.matrices.find(({ name }) => name === tensor.source);
        if (!matrix) throw new Error(`There is no ${String(tensor.source)}.`);
        const numbers =
          tensor.heads === null ? matrix.values : toInterleaved(matrix.values, tensor.heads, tensor.shape[0] ?? 1);
        const { name, shape, type } = tensor;
        return { name, shape, type, data: toTensorData(numbers, type) };
      }),
    );
    const made = { bytes, header: readGgufHeader(bytes) };
    for (const [name, value] of sample.header.values)
      if (!name.startsWith('general.')) expect([name, made.header.values.get(name)]).toEqual([name, value]);
    expect([...made.header.tensors.keys()].toSorted()).toEqual([...sample.header.tensors.keys()].toSorted());
    for (const [name, tensor] of sample.header.tensors) {
      const own = made.header.tensors.get(name);
      if (!own) throw new Error(`There is no ${name}.`);
      expect([own.shape, own.type]).toEqual([tensor.shape, tensor.type]);
      const [numbers, expected] = [readValues(made, own), readValues(sample, tensor)];
      expect(Buffer.from(numbers.buffer).equals(Buffer.from(expected.buffer))).toBe(true);
    }
  });

  it('of Llama 3 has its factors of rotation', () => {
    const rope_parameters = {
      rope_type: 'llama3',
      rope_theta: 500_000,
      factor: 32,
      low_freq_factor: 1,
      high_freq_factor: 4,
      original_max_position_embeddings: 8192,
    };
    const width = Number(hf.config['hidden_size']) / Number(hf.config['num_attention_heads']);
    const { tensors } = plan({ rope_parameters });
    const factors = tensors.find(({ name }) => name === 'rope_freqs.weight');
    expect(factors?.shape).toEqual([width / 2]);
    const numbers = factors?.source as Float32Array;
    expect([numbers[0], numbers.at(-1)]).toEqual([1, 32]);
    expect([...numbers].toSorted((a, b) => a - b)).toEqual([...numbers]);
  });

  it('gets unused tokens where its weights have more than its tokenizer', () => {
    const more = TENSORS.map((tensor) =>
      tensor.name.includes('embed_tokens')
        ? { ...tensor, shape: [(tensor.shape[0] ?? 0) + 2, tensor.shape[1] ?? 0] }
        : tensor,
    );
    const { entries } = plan({}, {}, more);
    const count = Number(hf.config['vocab_size']);
    expect(entries.get('tokenizer.ggml.tokens')).toMatchObject({
      value: expect.arrayContaining([`[PAD${count + 1}]`]),
    });
  });

  const SPLIT =
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
  const bytes = (use_regex: boolean) => ({ type: 'ByteLevel', add_prefix_space: false, use_regex });
  const split = (Regex: string) => ({ type: 'Split', pattern: { Regex }, behavior: 'Isolated', invert: false });
  it.each([
    ['gpt-2', bytes(true)],
    ['smollm', { type: 'Sequence', pretokenizers: [{ type: 'Digits', individual_digits: true }, bytes(true)] }],
    ['qwen2', { type: 'Sequence', pretokenizers: [split(SPLIT), bytes(false)] }],
    [
      'llama-bpe',
      { type: 'Sequence', pretokenizers: [split(SPLIT.replace('|\\p{N}|', '|\\p{N}{1,3}|')), bytes(false)] },
    ],
  ])('has its text cut as %s does', (name, pre_tokenizer) => {
    const { entries } = plan({}, { tokenizer: { ...hf.tokenizer, pre_tokenizer } });
    expect(entries.get('tokenizer.ggml.pre')).toEqual({ type: 'string', value: name });
  });

  it('begins texts with a mark where its tokenizer adds one', () => {
    const single = [{ SpecialToken: { id: hf.tokenizerConfig['bos_token'], type_id: 0 } }, { Sequence: { id: 'A' } }];
    const post_processor = { type: 'Sequence', processors: [bytes(true), { type: 'TemplateProcessing', single }] };
    const { entries } = plan({}, { tokenizer: { ...hf.tokenizer, post_processor } });
    expect(entries.get('tokenizer.ggml.add_bos_token')).toEqual({ type: 'bool', value: true });
  });

  it.each([
    ['another family', { model_type: 'mamba' }, {}, /model_type is mamba/],
    ['quantized weights', { quantization_config: { bits: 4 } }, {}, /quantized/],
    ['a sliding window', { use_sliding_window: true }, {}, /sliding window/],
    ['another rotation', { rope_parameters: { rope_type: 'longrope' } }, {}, /longrope/],
    ['no heads', { num_attention_heads: null }, {}, /num_attention_heads/],
    ['no config', {}, { config: null }, /no config\.json/],
    ['no tokenizer', {}, { tokenizer: null }, /no tokenizer\.json/],
    ['another kind of tokenizer', {}, { tokenizer: { ...hf.tokenizer, model: { type: 'Unigram' } } }, /byte-level BPE/],
    [
      'another cut of texts',
      {},
      { tokenizer: { ...hf.tokenizer, pre_tokenizer: { type: 'Whitespace' } } },
      /pre_tokenizer/,
    ],
    ['another start of texts', {}, { tokenizer: { ...hf.tokenizer, normalizer: { type: 'Lowercase' } } }, /normalizer/],
  ])('is refused with its reason for %s', (_, config, facts, reason) => {
    expect(() => plan(config, facts)).toThrow(ModelRefused);
    expect(() => plan(config, facts)).toThrow(reason);
  });

  it('is refused for weights that are missing, unknown or of another type', () => {
    expect(() => plan({}, {}, TENSORS.slice(0, -1))).toThrow(/files are missing/);
    expect(() =>
      plan({}, {}, [...TENSORS, { name: 'model.layers.0.mlp.router.weight', shape: [2, 2], dtype: 'F32' }]),
    ).toThrow(/router/);
    expect(() =>
      plan(
        {},
        {},
        TENSORS.map(({ name, shape }) => ({ name, shape, dtype: 'U8' })),
      ),
    ).toThrow(/type U8/);
  });
});
