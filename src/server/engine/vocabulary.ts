// What generation needs of a model's vocabulary: text of tokens, end tokens, prompt text to tokens.
import type { LlamaModel, Token } from 'node-llama-cpp';
import { toPieceBytes } from './byteLevel.ts';
import { openTableDecoder, openWindowDecoder, toPiece, type Piece, type TokenDecoder } from './tokenDecoder.ts';

export interface Vocabulary {
  readonly bosText: string;
  readonly eosText: string;
  /** Length of the longest entry: no token stands for more characters. */
  readonly longestPiece: number;
  /** Texts that become tokens of their own inside of a prompt. */
  readonly markTexts: readonly string[];
  /**
   * Tokens of a rendered chat template, which comes in pieces so that no token spans two of them; a
   * beginning-of-sequence token is put in front when the model wants one.
   */
  tokenize(pieces: readonly string[]): Token[];
  isEnd(token: Token): boolean;
  /**
   * A decoder for one answer. `before`: the prompt's tokens. `isLiteral`: control tokens show their text, as a grammar
   * sees them; else they are left out.
   */
  openDecoder(before: readonly Token[], isLiteral: boolean): TokenDecoder;
}

/** llama.cpp's token types (GGUF `tokenizer.ggml.token_type`). */
const TYPE = { unknown: 2, control: 3, userDefined: 4, unused: 5 } as const;

/** Some models register the marks of their own text formats as control tokens; they carry meaning here. */
const MARKS: ReadonlySet<string> = new Set(['<tool_call>', '</tool_call>', '<think>', '</think>']);

function toPieceReader(
  entries: readonly string[],
  types: readonly number[],
  isLiteral: boolean,
): (token: number) => Piece | undefined {
  const pieces: (Piece | undefined)[] = [];
  return (token) => {
    const known = pieces[token];
    if (known !== undefined) return known;
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
 * llama.cpp makes control tokens of some entries that their file calls normal (`<|im_end|>` and its like), so these are
 * looked up. Of those that a user defined only what looks like a mark counts: others are words and runs of white space.
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

/** Reads the vocabulary of a loaded model. Token tables are decoded when first used and then kept. */
export function openVocabulary(model: LlamaModel): Vocabulary {
  const ggml = model.fileInfo.metadata.tokenizer?.ggml;
  const entries: readonly string[] = ggml?.tokens ?? [];
  const types: readonly number[] = ggml?.token_type ?? [];
  const isByteLevel = ggml?.model === 'gpt2' && entries.length > 0;
  const readShown = toPieceReader(entries, types, false);
  const readLiteral = toPieceReader(entries, types, true);
  const ends: (boolean | undefined)[] = [];
  const { tokens } = model;
  return {
    bosText: tokens.bosString ?? '',
    eosText: tokens.eosString ?? '',
    longestPiece: entries.reduce((longest, entry) => Math.max(longest, entry.length), entries.length === 0 ? 1024 : 1),
    markTexts: toMarkTexts(model, entries, types),
    tokenize([first = '', ...rest]) {
      // Some tokenizers put a space before every text; between pieces there is none.
      const list = [first, ...rest].flatMap((piece, index) =>
        model.tokenize(piece, true, index === 0 ? undefined : 'trimLeadingSpace'),
      );
      const { bos } = tokens;
      return bos !== null && tokens.shouldPrependBosToken && list[0] !== bos ? [bos, ...list] : list;
    },
    isEnd(token) {
      return (ends[token] ??= model.isEogToken(token));
    },
    openDecoder(before, isLiteral) {
      // node-llama-cpp's detokenize collapses spaces for some byte-level vocabularies, so these are read from the
      // table.
      if (isByteLevel) return openTableDecoder(isLiteral ? readLiteral : readShown);
      return openWindowDecoder((list) => model.detokenize(list as Token[], isLiteral), before.slice(-4));
    },
  };
}
