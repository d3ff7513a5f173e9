import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { anyCharacter } from '#core/contract/anyCharacter.fixture.ts';
import type { Llama, LlamaModel } from 'node-llama-cpp';
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readGgufHeader } from '#engine/gguf/ggufHeader.ts';
import { samplePath } from '#engine/sampleModel.fixture.ts';
import { openTokenizer } from './tokenizer.ts';

const HOSTILE = [
  '',
  ' ',
  'a  !!',
  "I'm sure it's they'll we'd 'S 'LL don’t",
  '\t\t x \n\n  y\r\n\r z \u0085 w',
  'no\u00a0break\u2003em\u3000wide\ufeffmark\u200bzero',
  '٣٤٥ ½ ² Ⅷ 一二三 12345678901234567890',
  'é é Å Ǆ ß ŉ',
  '日本語のテキスト 한국어 हिन्दी עברית العربية',
  '👩‍👩‍👧‍👦🏳️‍🌈 🇫🇷 \u{1F9D1}\u{1F3FD}',
  '\u0000\u0001\u007f\u0080\u009f',
  '\ud800 lone \udfff',
  '\u{10FFFF}\u{E0001}\u{FDD0}',
  '<|im_start|>user\n<|im_end|><|im_end|>\n<tool_call>{"a":1}</tool_call>',
  '<|im_start|><|im_end <|im_start <tool_call <<tool_call>>',
  '<|endoftext|>x<|endoftext|>',
  'a'.repeat(3000),
  ' '.repeat(700),
  '0'.repeat(500),
  '\n'.repeat(300) + 'x',
  'ORD-59728 #997684 $13.83 (50%) [x]{y} a_b-c/d\\e|f',
  'https://example.com/?q=a&b=%20#x',
  '𝔘𝔫𝔦𝔠𝔬𝔡𝔢 ⅷ ❶ ㊿ ꠀ',
  '\u1680\u2028\u2029\u205f\u202f',
];

/** Code points of all planes, more often those of common scripts. */
const anyText = string({ unit: anyCharacter, maxLength: 40 });
const mixedText = array(
  oneof(
    constantFrom(...HOSTILE.filter((text) => text.length < 60)),
    string({ maxLength: 12 }),
    constantFrom(' ', '  ', '\n', '\r\n', "'s", "'", '12', 'é', 'ſ', 'K', '\u00a0 '),
  ),
  { maxLength: 8 },
).map((parts) => parts.join(''));

const folder = mkdtempSync(join(tmpdir(), 'nano-tokens-'));
const file = new Uint8Array(readFileSync(samplePath('support-base.Q8_0.gguf')));
const header = readGgufHeader(file);
let llama: Llama;

beforeAll(async () => {
  llama = await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.error, progressLogs: false });
});
afterAll(async () => {
  await llama.dispose();
  rmSync(folder, { recursive: true });
});

/** The sample's model, whose text is cut in another way. The names are equally long. */
function withPre(pre: string): Uint8Array {
  const other = Buffer.from(file);
  const key = 'tokenizer.ggml.pre';
  // After the key: the number of the type, and the length of the text.
  other.write(pre, other.indexOf(key) + key.length + 12, 'latin1');
  return other;
}

describe.each(['gpt-2', 'qwen2'])('a vocabulary that is cut as %s', (pre) => {
  const bytes = withPre(pre);
  const tokenizer = openTokenizer(readGgufHeader(bytes));
  let model: LlamaModel;
  beforeAll(async () => {
    const path = join(folder, `${pre}.gguf`);
    writeFileSync(path, bytes);
    model = await llama.loadModel({ modelPath: path });
  });
  afterAll(() => model.dispose());

  const expectSame = (text: string): void => {
    const [own, theirs] = [tokenizer.encode([text]), model.tokenize(text, true)];
    expect(own, JSON.stringify(text)).toEqual([...theirs]);
  };

  it.each(HOSTILE.map((text) => [text.slice(0, 40), text]))('gives the same tokens: %j', (_, text) => expectSame(text));

  it('gives the same tokens for any text', () => {
    assert(property(anyText, expectSame), { numRuns: 300, seed: 1 });
    assert(property(mixedText, expectSame), { numRuns: 300, seed: 2 });
  });

  it('gives the text back', () => {
    for (const text of HOSTILE) expect(tokenizer.decode(tokenizer.encode([text]))).toBe(text.toWellFormed());
  });
});

describe('a tokenizer', () => {
  const tokenizer = openTokenizer(header);

  it('joins nothing across pieces', () => {
    expect(tokenizer.encode(['<|im_', 'end|>'])).not.toContain(tokenizer.end);
    expect(tokenizer.encode(['<|im_end|>'])).toEqual([tokenizer.end]);
    expect(tokenizer.endText).toBe('<|im_end|>');
  });

  it('puts a beginning before the text where the model wants it, once', () => {
    const values = new Map(header.values).set('tokenizer.ggml.add_bos_token', true);
    const other = openTokenizer({ values, tensors: header.tensors });
    const begin = Number(values.get('tokenizer.ggml.bos_token_id'));
    expect(other.encode(['Hi'])).toEqual([begin, ...tokenizer.encode(['Hi'])]);
    expect(other.encode([`${other.beginText}Hi`])).toEqual([begin, ...tokenizer.encode(['Hi'])]);
  });

  it('encodes a long word in time that grows with its length', () => {
    const text = 'abcdefghij'.repeat(4000);
    expect(tokenizer.decode(tokenizer.encode([text]))).toBe(text);
  });
});
