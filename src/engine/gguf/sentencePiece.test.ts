import { describe, expect, it } from 'vitest';
import { ModelRefused } from './hfConfig.ts';
import { isSentencePiece, TOKEN_TYPES, toSentencePiece } from './sentencePiece.ts';

const BYTES = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
/** `abc` is made of `a bc` and of `ab c`, as sentencepiece does it. */
const PIECES = ['<unk>', '<bos>', '\u2581\u2581', ...BYTES, 'a', 'b', 'c', '\u2581', 'bc', 'ab', 'abc', '[PAD]'];
const MERGES: readonly (readonly [string, string])[] = [
  ['\u2581', '\u2581'],
  ['b', 'c'],
  ['a', 'b'],
  ['ab', 'c'],
  ['a', 'bc'],
];

const toTokenizer = (model: object = {}, more: object = {}) => ({
  model: {
    type: 'BPE',
    byte_fallback: true,
    unk_token: '<unk>',
    vocab: Object.fromEntries(PIECES.map((piece, id) => [piece, id])),
    merges: MERGES,
    ...model,
  },
  normalizer: { type: 'Replace', pattern: { String: ' ' }, content: '\u2581' },
  pre_tokenizer: { type: 'Split', pattern: { String: ' ' }, behavior: 'MergedWithPrevious' },
  ...more,
});

const toTypes = (): number[] => {
  const types: number[] = PIECES.map(() => TOKEN_TYPES.normal);
  [types[1], types[2], types[PIECES.length - 1]] = [TOKEN_TYPES.control, TOKEN_TYPES.user, TOKEN_TYPES.unused];
  return types;
};

function convert(tokenizer: ReturnType<typeof toTokenizer>) {
  const [texts, types] = [[...PIECES], toTypes()];
  const entries = toSentencePiece(tokenizer, texts, types);
  const scores = entries.get('tokenizer.ggml.scores');
  return { entries, texts, types, scores: (scores && 'value' in scores ? scores.value : []) as readonly number[] };
}

describe('a vocabulary of sentencepiece', () => {
  it('gets scores in the order of its joins, and the types that llama.cpp’s converter writes', () => {
    const { entries, texts, types, scores } = convert(toTokenizer());
    const scoreOf = (piece: string) => scores[PIECES.indexOf(piece)];
    expect(['bc', 'ab', 'abc'].map(scoreOf)).toEqual([-1, -2, -3]);
    expect(['<bos>', '\u2581\u2581', '[PAD]', 'a', '<0x0A>'].map(scoreOf)).toEqual([-1000, -1000, -10_000, 0, 0]);
    expect([types[0], types[3]]).toEqual([TOKEN_TYPES.unknown, TOKEN_TYPES.byte]);
    // Tokens that are found as a whole are looked for in the text as people write it.
    expect([texts[2], texts[PIECES.indexOf('\u2581')]]).toEqual(['  ', '\u2581']);
    expect(entries.get('tokenizer.ggml.model')).toEqual({ type: 'string', value: 'llama' });
    expect(entries.get('tokenizer.ggml.add_space_prefix')).toEqual({ type: 'bool', value: false });
    expect(convert(toTokenizer({ merges: MERGES.map((pair) => pair.join(' ')) })).scores).toEqual(scores);
  });

  it.each([
    ['a pair that makes no join', toTokenizer({ merges: MERGES.slice(0, -1) }), /"abc".*all pairs/],
    ['a piece that no pair makes', toTokenizer({ merges: [MERGES[0], ...MERGES.slice(2)] }), /"bc".*all pairs/],
    [
      'two pieces whose joins come in turns',
      toTokenizer({ merges: [MERGES[0], MERGES[3], MERGES[1], MERGES[2], MERGES[4]] }),
      /no one order/,
    ],
    [
      'a blank before each text',
      toTokenizer({}, { normalizer: { type: 'Sequence', normalizers: [{ type: 'Prepend' }] } }),
      /blank before texts/,
    ],
    ['another cut', toTokenizer({}, { pre_tokenizer: { type: 'Metaspace' } }), /pre_tokenizer/],
  ])('is refused for %s', (_, tokenizer, reason) => {
    expect(() => convert(tokenizer)).toThrow(ModelRefused);
    expect(() => convert(tokenizer)).toThrow(reason);
  });

  it('is refused where a byte has no token', () => {
    const texts = PIECES.map((piece) => (piece === '<0x41>' ? 'x' : piece));
    expect(() => toSentencePiece(toTokenizer(), texts, toTypes())).toThrow(/255 of the 256 bytes/);
  });

  it('is told from a byte-level one', () => {
    expect(isSentencePiece(toTokenizer())).toBe(true);
    expect(isSentencePiece(toTokenizer({ byte_fallback: false }))).toBe(false);
  });
});
