// Text to tokens and back, exactly as llama.cpp does it for byte-level vocabularies.
import type { HeaderFacts } from '#trainer/shared/canTrain.ts';
import { toPieceBytes } from '#engine/byteLevel.ts';
import { openBytePairs } from './bytePairs.ts';
import { toPieces, toPrintable } from './pieces.ts';

export interface Tokenizer {
  /**
   * Tokens of a rendered chat template, in pieces: no token spans two of them. Marks become single tokens. `isInside`:
   * the text goes on after another one, so it gets no beginning.
   */
  encode(pieces: readonly string[], isInside?: boolean): readonly number[];
  /** The text of tokens, with marks as text. Incomplete characters become U+FFFD. */
  decode(tokens: readonly number[]): string;
  readonly end: number;
  readonly markTexts: readonly string[];
  readonly beginText: string;
  readonly endText: string;
}

/** ggml's token types whose texts become one token wherever they stand: unknown, control, user-defined. */
const WHOLE: ReadonlySet<unknown> = new Set([2, 3, 4]);

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];

/** Cuts `text` at each occurrence of a mark, longer marks first, as llama.cpp does. A number is a mark's token. */
function splitAtMarks(text: string, marks: readonly (readonly [string, number])[]): readonly (string | number)[] {
  let parts: readonly (string | number)[] = [text];
  for (const [mark, token] of marks) {
    if (!text.includes(mark)) continue;
    const cut: (string | number)[] = [];
    for (const part of parts) {
      if (typeof part === 'number') cut.push(part);
      else
        for (const [index, piece] of part.split(mark).entries()) {
          if (index > 0) cut.push(token);
          if (piece !== '') cut.push(piece);
        }
    }
    parts = cut;
  }
  return parts;
}

/** Reads the vocabulary of a header that `canTrain` accepts. */
export function openTokenizer({ values }: HeaderFacts): Tokenizer {
  const entries = texts(values.get('tokenizer.ggml.tokens'));
  const types = values.get('tokenizer.ggml.token_type');
  const typeOf = (token: number): unknown => (Array.isArray(types) ? types[token] : 1);
  const pre = values.get('tokenizer.ggml.pre') === 'qwen2' ? 'qwen2' : 'gpt-2';
  const marks = entries
    .map((text, token) => [text, token] as const)
    .filter(([text, token]) => WHOLE.has(typeOf(token)) && text !== '')
    .sort(([one], [other]) => Buffer.byteLength(other) - Buffer.byteLength(one));
  const pairs = openBytePairs(
    new Map(entries.map((entry, token) => [entry, token])),
    texts(values.get('tokenizer.ggml.merges')),
  );
  const encodeText = (text: string): readonly number[] =>
    toPieces(text, pre).flatMap((piece) => pairs.encode(toPrintable(piece)));
  const readToken = (name: string): number | null => {
    const value = values.get(`tokenizer.ggml.${name}`);
    return typeof value === 'number' ? value : null;
  };
  const begin = readToken('bos_token_id');
  const end = readToken('eos_token_id') ?? 0;
  const hasBegin = values.get('tokenizer.ggml.add_bos_token') === true && begin !== null;
  return {
    encode(pieces, isInside = false) {
      const tokens = pieces.flatMap((piece) =>
        splitAtMarks(piece.toWellFormed(), marks).flatMap((part) =>
          typeof part === 'number' ? [part] : encodeText(part),
        ),
      );
      return hasBegin && !isInside && tokens[0] !== begin ? [begin, ...tokens] : tokens;
    },
    decode(tokens) {
      const bytes = tokens.flatMap((token) => {
        const entry = entries[token] ?? '';
        return [...(WHOLE.has(typeOf(token)) ? Buffer.from(entry, 'utf8') : toPieceBytes(entry))];
      });
      return Buffer.from(bytes).toString('utf8');
    },
    end,
    markTexts: marks.map(([text]) => text),
    beginText: begin === null ? '' : (entries[begin] ?? ''),
    endText: entries[end] ?? '',
  };
}
