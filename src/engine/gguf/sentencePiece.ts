// A BPE vocabulary of sentencepiece, as tokenizer.json holds it: joins of two pieces in the order of their scores. llama.cpp
// joins by scores alone, whichever two pieces make the text, so the vocabulary must have all such joins, in one order.
import { arrayOr, isObject, ownField, textOr, type JsonObject } from '#core/contract/readJson.ts';
import { bool, ModelRefused, text } from './hfConfig.ts';
import type { GgufEntry } from './writeGguf.ts';

/** ggml's types of tokens. */
export const TOKEN_TYPES = { normal: 1, unknown: 2, control: 3, user: 4, unused: 5, byte: 6 } as const;

/** Of tokens that are found as a whole, and of those that are never made: as llama.cpp's converter writes them. */
const WHOLE_SCORE = -1000;
const UNUSED_SCORE = -10_000;
const BLANK = '\u2581';
const BYTE = /^<0x[0-9A-F]{2}>$/;

const field = (value: unknown, name: string): unknown => (isObject(value) ? ownField(value, name) : undefined);

/** Unknown letters become tokens of their bytes. */
export const isSentencePiece = (tokenizer: JsonObject): boolean => {
  const model = ownField(tokenizer, 'model');
  return field(model, 'type') === 'BPE' && field(model, 'byte_fallback') === true;
};

/** Blanks are written as a letter, and nothing else happens to a text. Throws ModelRefused. */
function checkTexts(tokenizer: JsonObject): void {
  const normalizer = ownField(tokenizer, 'normalizer');
  const isBlank = field(field(normalizer, 'pattern'), 'String') === ' ' && field(normalizer, 'content') === BLANK;
  if (field(normalizer, 'type') !== 'Replace' || !isBlank)
    throw new ModelRefused('Its sentencepiece tokenizer puts a blank before texts, or changes them (normalizer).');
  const cutter = ownField(tokenizer, 'pre_tokenizer');
  // Where all blanks are letters, it finds none.
  const cutsAtBlanks = field(cutter, 'type') === 'Split' && field(field(cutter, 'pattern'), 'String') === ' ';
  if (cutter != null && !cutsAtBlanks)
    throw new ModelRefused('Its sentencepiece tokenizer cuts texts in a way that is not known here (pre_tokenizer).');
}

const toPair = (merge: unknown): readonly [string, string] => {
  const [left, right] = typeof merge === 'string' ? merge.split(' ') : arrayOr(merge);
  return [textOr(left, ''), textOr(right, '')];
};

/** The first and the last place of the joins that make a text, and how many there are. */
interface Joins {
  readonly first: number;
  last: number;
  count: number;
}

function toJoins(merges: readonly unknown[]): ReadonlyMap<string, Joins> {
  const joins = new Map<string, Joins>();
  for (const [place, merge] of merges.entries()) {
    const made = toPair(merge).join('');
    const known = joins.get(made);
    if (!known) joins.set(made, { first: place, last: place, count: 1 });
    else {
      known.last = place;
      known.count += 1;
    }
  }
  return joins;
}

/** Pairs of pieces, or of letters that are none, that llama.cpp would join to this text. */
function countPairs(piece: string, pieces: ReadonlySet<string>): number {
  let pairs = 0;
  const first = String.fromCodePoint(piece.codePointAt(0) ?? 0).length;
  for (let at = first; at < piece.length;) {
    const letter = String.fromCodePoint(piece.codePointAt(at) ?? 0).length;
    const isLeft = at === first || pieces.has(piece.slice(0, at));
    if (isLeft && (at + letter === piece.length || pieces.has(piece.slice(at)))) pairs += 1;
    at += letter;
  }
  return pairs;
}

/**
 * The entries of the vocabulary beside its texts and types, some of which it changes: `types` get bytes and the unknown token,
 * `texts` the blanks of tokens that are found as a whole. Throws ModelRefused.
 */
export function toSentencePiece(
  tokenizer: JsonObject,
  texts: string[],
  types: number[],
): ReadonlyMap<string, GgufEntry> {
  checkTexts(tokenizer);
  const model = ownField(tokenizer, 'model');
  const unknown = field(model, 'unk_token');
  const bytes = new Set(texts.filter((token) => BYTE.test(token)));
  if (bytes.size !== 256)
    throw new ModelRefused(`Its sentencepiece tokenizer has tokens for ${bytes.size} of the 256 bytes.`);
  for (const [id, token] of texts.entries()) {
    if (types[id] === TOKEN_TYPES.user) texts[id] = token.replaceAll(BLANK, ' ');
    if (types[id] === TOKEN_TYPES.normal && bytes.has(token)) types[id] = TOKEN_TYPES.byte;
    if (token === unknown) types[id] = TOKEN_TYPES.unknown;
  }
  const joins = toJoins(arrayOr(field(model, 'merges')));
  const vocabulary = field(model, 'vocab');
  const pieces = new Set(isObject(vocabulary) ? Object.keys(vocabulary) : []);
  const joined: { readonly id: number; readonly joins: Joins }[] = [];
  for (const [id, token] of texts.entries()) {
    if (types[id] !== TOKEN_TYPES.normal || token.length < 2 || [...token].length < 2) continue;
    const own = joins.get(token);
    if (!own || countPairs(token, pieces) !== own.count)
      throw new ModelRefused(
        `Its tokenizer does not make ${JSON.stringify(token.slice(0, 40))} of all pairs of its pieces, as sentencepiece does (merges).`,
      );
    joined.push({ id, joins: own });
  }
  joined.sort((a, b) => a.joins.first - b.joins.first);
  const scores = types.map((type): number =>
    type === TOKEN_TYPES.unused
      ? UNUSED_SCORE
      : type === TOKEN_TYPES.control || type === TOKEN_TYPES.user
        ? WHOLE_SCORE
        : 0,
  );
  let end = -1;
  for (const [place, { id, joins: own }] of joined.entries()) {
    if (own.first < end)
      throw new ModelRefused(`Its tokenizer has no one order of its pieces (merges of ${JSON.stringify(texts[id])}).`);
    end = own.last;
    scores[id] = -place - 1;
  }
  return new Map<string, GgufEntry>([
    ['tokenizer.ggml.model', text('llama')],
    ['tokenizer.ggml.pre', text('default')],
    ['tokenizer.ggml.scores', { type: 'float32s', value: scores }],
    ['tokenizer.ggml.add_space_prefix', bool(false)],
  ]);
}
