// The vocabulary of a model of transformers for a GGUF file: byte-level BPE by its joins, BPE of sentencepiece by scores.
// Sources: llama.cpp's conversion/base.py, gguf-py/gguf/vocab.py, src/llama-vocab.cpp.
import { arrayOr, isObject, ownField, textOr, type JsonObject } from '#core/contract/readJson.ts';
import { readChatTemplate, readSpecial, readTokens, type FolderFacts } from './baseFit.ts';
import { bool, ModelRefused, text, uint32 } from './hfConfig.ts';
import { isSentencePiece, TOKEN_TYPES, toSentencePiece } from './sentencePiece.ts';
import type { GgufEntry } from './writeGguf.ts';

/** How text is cut before pairs are joined, as tokenizer.json writes it, and llama.cpp's names. */
const CUTS: Readonly<Record<string, string>> = {
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+":
    'llama-bpe',
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+":
    'qwen2',
  '[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+':
    'tekken',
};

/** The name of the way that text is cut. Throws ModelRefused. */
function toCutName(tokenizer: JsonObject): string {
  const field = (value: unknown, name: string): unknown => (isObject(value) ? ownField(value, name) : undefined);
  const model = ownField(tokenizer, 'model');
  const normalizer = ownField(tokenizer, 'normalizer');
  if (field(model, 'type') !== 'BPE' || field(model, 'byte_fallback') === true)
    throw new ModelRefused('Its tokenizer is not a byte-level BPE, the only kind that is converted here.');
  if (normalizer != null && field(normalizer, 'type') !== 'NFC')
    throw new ModelRefused('Its tokenizer changes texts before it cuts them (normalizer).');
  const cutter = ownField(tokenizer, 'pre_tokenizer');
  const steps = field(cutter, 'type') === 'Sequence' ? arrayOr(field(cutter, 'pretokenizers')) : [cutter];
  const last = steps.at(-1);
  const before = steps.slice(0, -1);
  if (field(last, 'type') === 'ByteLevel' && field(last, 'add_prefix_space') !== true) {
    const isCutting = field(last, 'use_regex') !== false;
    const [first] = before;
    if (before.length === 0 && isCutting) return 'gpt-2';
    if (
      before.length === 1 &&
      isCutting &&
      field(first, 'type') === 'Digits' &&
      field(first, 'individual_digits') === true
    )
      return 'smollm';
    const pattern = field(field(first, 'pattern'), 'Regex');
    const name = typeof pattern === 'string' && Object.hasOwn(CUTS, pattern) ? CUTS[pattern] : undefined;
    const isSplit =
      field(first, 'type') === 'Split' && field(first, 'behavior') === 'Isolated' && field(first, 'invert') !== true;
    if (before.length === 1 && !isCutting && isSplit && name !== undefined) return name;
  }
  throw new ModelRefused('Its tokenizer cuts texts in a way that is not known here (pre_tokenizer).');
}

function toMerge(merge: unknown): string {
  const blank = '\u0120';
  if (typeof merge === 'string') return merge;
  return arrayOr(merge)
    .map((part) => textOr(part, '').replaceAll(' ', blank))
    .join(' ');
}

const looksSpecial = (token: string): boolean => /^(?:<\|.*\|>|<\uff5c.*\uff5c>|<unused.*>|<pad>|<mask>)$/s.test(token);

/** The first token of a text that the tokenizer adds by itself; null: it adds none. */
function readBegin(tokenizer: JsonObject): string | null {
  const processor = ownField(tokenizer, 'post_processor');
  const steps = [processor, ...arrayOr(isObject(processor) ? ownField(processor, 'processors') : null)].filter(
    isObject,
  );
  const [first] = steps.flatMap((step) => (step['type'] === 'TemplateProcessing' ? arrayOr(step['single']) : []));
  const special = isObject(first) ? ownField(first, 'SpecialToken') : null;
  return isObject(special) ? textOr(special['id'], null) : null;
}

/** Of a byte-level vocabulary. */
function toByteLevel(tokenizer: JsonObject): ReadonlyMap<string, GgufEntry> {
  const model = ownField(tokenizer, 'model');
  return new Map<string, GgufEntry>([
    ['tokenizer.ggml.model', text('gpt2')],
    ['tokenizer.ggml.pre', text(toCutName(tokenizer))],
    [
      'tokenizer.ggml.merges',
      { type: 'strings', value: arrayOr(isObject(model) ? model['merges'] : null).map(toMerge) },
    ],
  ]);
}

/** The entries of the tokenizer and the chat template. `count`: tokens that the weights have. Throws ModelRefused. */
export function toVocabulary(facts: FolderFacts, config: JsonObject, count: number): ReadonlyMap<string, GgufEntry> {
  const { tokenizer, tokenizerConfig } = facts;
  if (!tokenizer) throw new ModelRefused('There is no tokenizer.json beside the weights.');
  const { tokens, added } = readTokens(tokenizer);
  const most = Math.max(-1, ...added.map(({ id }) => id), tokens.size - 1);
  if (most >= count) throw new ModelRefused(`Its tokenizer has a token ${most}, and its weights have ${count}.`);
  const addedById = new Map(added.map((token) => [token.id, token]));
  const texts: string[] = [];
  const types: number[] = [];
  for (let id = 0; id < count; id += 1) {
    const token = tokens.get(id);
    const own = addedById.get(id);
    texts.push(token ?? `[PAD${id}]`);
    if (token === undefined) types.push(TOKEN_TYPES.unused);
    else if (own) types.push(own.isSpecial || looksSpecial(token) ? TOKEN_TYPES.control : TOKEN_TYPES.user);
    else types.push(TOKEN_TYPES.normal);
  }
  const pieces = isSentencePiece(tokenizer) ? toSentencePiece(tokenizer, texts, types) : null;
  const entries = new Map<string, GgufEntry>([
    ...(pieces ?? toByteLevel(tokenizer)),
    ['tokenizer.ggml.tokens', { type: 'strings', value: texts }],
    ['tokenizer.ggml.token_type', { type: 'int32s', value: types }],
  ]);
  const idOf = (mark: string): number | null => added.find((token) => token.text === mark)?.id ?? null;
  for (const [name, key] of [
    ['bos', 'bos_token_id'],
    ['eos', 'eos_token_id'],
    ['unk', 'unknown_token_id'],
    ['pad', 'padding_token_id'],
  ] as const) {
    const mark = readSpecial(tokenizerConfig, `${name}_token`);
    const field = ownField(config, `${name}_token_id`);
    const [stored] = Array.isArray(field) ? (field as unknown[]) : [field];
    const id = (mark === null ? null : idOf(mark)) ?? (typeof stored === 'number' && stored < count ? stored : null);
    if (id !== null) entries.set(`tokenizer.ggml.${key}`, uint32(id));
  }
  const begin = readBegin(tokenizer);
  const add = tokenizerConfig && ownField(tokenizerConfig, 'add_bos_token');
  if (begin !== null && begin === readSpecial(tokenizerConfig, 'bos_token'))
    entries.set('tokenizer.ggml.add_bos_token', bool(true));
  else if (typeof add === 'boolean' || pieces) entries.set('tokenizer.ggml.add_bos_token', bool(add === true));
  const template = readChatTemplate(facts);
  if (template !== null) entries.set('tokenizer.chat_template', text(template));
  return entries;
}
