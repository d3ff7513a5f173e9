// What generation needs from a model's vocabulary: the text of tokens, end tokens, and the tokens of a prompt.
import type { LlamaModel, Token } from 'node-llama-cpp';
import { toPieceBytes } from './byteLevel.ts';
import { openTableDecoder, openWindowDecoder, toPiece, type Piece, type TokenDecoder } from './tokenDecoder.ts';

export interface Vocabulary {
  readonly bosText: string;
  readonly eosText: string;
  /** Length of the longest entry: no token has more characters. */
  readonly longestPiece: number;
  /** How many tokens there are. */
  readonly size: number;
  /** Texts that become single tokens with a special meaning, such as `<|im_end|>`. */
  readonly markTexts: readonly string[];
  /**
   * Tokens of a rendered chat template. The text comes in pieces, and no token spans two of them. If the model wants a
   * beginning-of-sequence token, it comes first.
   */
  tokenize(pieces: readonly string[]): Token[];
  /** The same for one of the pieces. `isFirst`: it begins the text. */
  tokenizePiece(piece: string, isFirst: boolean): Token[];
  isEnd(token: Token): boolean;
  /** The text of a token by itself; `bytes:\\x..` where it is part of a character. */
  toTokenText(token: Token): string;
  /**
   * A decoder for one answer. `before`: the prompt's tokens. `isLiteral`: control tokens give their text, as a grammar
   * sees them; otherwise they give no text.
   */
  openDecoder(before: readonly Token[], isLiteral: boolean): TokenDecoder;
}

/** llama.cpp's token types (GGUF `tokenizer.ggml.token_type`). */
const TYPE = { unknown: 2, control: 3, userDefined: 4, unused: 5 } as const;

/** Some models have these marks as control tokens. Their text is kept, because tool calls and reasoning need it. */
const MARKS: ReadonlySet<string> = new Set(['<tool_call>', '</tool_call>', '<think>', '</think>']);

function toPieceReader(
  entries: readonly string[],
  types: readonly number[],
  isLiteral: boolean,
): (token: number) => Piece | undefined {
  const pieces: (Piece | undefined)[] = [];
  return (token) => {
    const cached = pieces[token];
    if (cached !== undefined) return cached;
    const entry = entries[token];
    if (entry === undefined) return undefined;
    const type = types[token];
    const isHidden = (type === TYPE.control || type === TYPE.unknown) && !isLiteral && !MARKS.has(entry);
    const isVerbatim = type === TYPE.control || type === TYPE.unknown || type === TYPE.userDefined;
    const bytes =
      isHidden || type === TYPE.unused
        ? new Uint8Array()
        : isVerbatim
          ? Buffer.from(entry, 'utf8')
          : toPieceBytes(entry);
    const piece = toPiece(bytes);
    pieces[token] = piece;
    return piece;
  };
}

/**
 * llama.cpp treats some entries as control tokens although the file calls them normal, such as `<|im_end|>`, so these
 * are looked up. A user-defined entry counts only if it looks like a mark: others are words and runs of white space.
 */
function toMarkTexts(model: LlamaModel, entries: readonly string[], types: readonly number[]): readonly string[] {
  return entries.filter((entry, token) => {
    const type = types[token];
    if (type === TYPE.control || type === TYPE.unknown) return true;
    if (!/^(<.+>|\[.+\])$/u.test(entry)) return false;
    if (type === TYPE.userDefined) return /^(<\S*[|_｜]\S*>|<\/?think>|\[\/?[A-Z_]+\])$/u.test(entry);
    return type !== TYPE.unused && model.getTokenAttributes(token as Token).control;
  });
}

const toByteText = (bytes: Uint8Array): string =>
  `bytes:${[...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}`;

/** Of vocabularies that are no byte-level ones: a space is written as U+2581, and some tokens are single bytes. */
function toEntryText(entry: string): string {
  const byte = /^<0x([\dA-F]{2})>$/.exec(entry)?.[1];
  if (byte === undefined) return entry.replaceAll('\u2581', ' ');
  const { bytes, text } = toPiece(Uint8Array.of(Number.parseInt(byte, 16)));
  return text ?? toByteText(bytes);
}

/** Reads the vocabulary of a loaded model. Each entry is decoded when first used, then kept. */
export function openVocabulary(model: LlamaModel): Vocabulary {
  const ggml = model.fileInfo.metadata.tokenizer?.ggml;
  const entries: readonly string[] = ggml?.tokens ?? [];
  const types: readonly number[] = ggml?.token_type ?? [];
  const isByteLevel = ggml?.model === 'gpt2' && entries.length > 0;
  const readShown = toPieceReader(entries, types, false);
  const readLiteral = toPieceReader(entries, types, true);
  const ends: (boolean | undefined)[] = [];
  const { tokens } = model;
  // Some tokenizers put a space before every text. Between pieces it must not appear.
  const tokenizeText = (piece: string, isFirst: boolean): Token[] =>
    model.tokenize(piece, true, isFirst ? undefined : 'trimLeadingSpace');
  const withBegin = (list: Token[]): Token[] => {
    const { bos } = tokens;
    return bos !== null && tokens.shouldPrependBosToken && list[0] !== bos ? [bos, ...list] : list;
  };
  return {
    bosText: tokens.bosString ?? '',
    eosText: tokens.eosString ?? '',
    longestPiece: entries.reduce((longest, entry) => Math.max(longest, entry.length), entries.length === 0 ? 1024 : 1),
    markTexts: toMarkTexts(model, entries, types),
    tokenize([first = '', ...rest]) {
      return withBegin([first, ...rest].flatMap((piece, index) => tokenizeText(piece, index === 0)));
    },
    tokenizePiece: (piece, isFirst) => (isFirst ? withBegin(tokenizeText(piece, true)) : tokenizeText(piece, false)),
    size: entries.length > 0 ? entries.length : Number.MAX_SAFE_INTEGER,
    toTokenText(token) {
      const entry = entries[token];
      if (entry === undefined) return model.detokenize([token], true);
      if (!isByteLevel) return toEntryText(entry);
      const { bytes, text } = readLiteral(token) ?? toPiece(new Uint8Array());
      return text ?? toByteText(bytes);
    },
    isEnd(token) {
      return (ends[token] ??= model.isEogToken(token));
    },
    openDecoder(before, isLiteral) {
      // node-llama-cpp's detokenize drops spaces of some byte-level vocabularies, so their table is decoded here.
      if (isByteLevel) return openTableDecoder(isLiteral ? readLiteral : readShown);
      return openWindowDecoder((list) => model.detokenize(list as Token[], isLiteral), before.slice(-4));
    },
  };
}
