// Text in pieces, within which tokens are joined, and bytes as printable characters.
import type { PRE_TOKENIZERS } from '#trainer/shared/canTrain.ts';
import { toPieceBytes } from '#engine/byteLevel.ts';

export type PreTokenizer = (typeof PRE_TOKENIZERS)[number];

/** White space as llama.cpp knows it: not JavaScript's, which has U+FEFF and lacks U+0085. */
const SPACE = '\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

const PATTERNS: Readonly<Record<PreTokenizer, string>> = {
  'gpt-2': `'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^${SPACE}\\p{L}\\p{N}]+|[${SPACE}]+(?![^${SPACE}])|[${SPACE}]+`,
  qwen2:
    `'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}|` +
    ` ?[^${SPACE}\\p{L}\\p{N}]+[\\r\\n]*|[${SPACE}]*[\\r\\n]+|[${SPACE}]+(?![^${SPACE}])|[${SPACE}]+`,
};

const EXPRESSIONS = {
  'gpt-2': new RegExp(PATTERNS['gpt-2'], 'gu'),
  qwen2: new RegExp(PATTERNS.qwen2, 'gu'),
} as const;

/** No token spans two pieces. */
export const toPieces = (text: string, pre: PreTokenizer): readonly string[] => text.match(EXPRESSIONS[pre]) ?? [];

/** The printable character of each byte. */
export function toByteCharacters(): readonly string[] {
  const characters: string[] = [];
  // The map is its own inverse's list: 188 printable bytes, and 68 characters from U+0100 on.
  for (let code = 0; code < 0x144; code += 1) {
    const character = String.fromCodePoint(code);
    const [byte, more] = toPieceBytes(character);
    if (byte !== undefined && more === undefined && (characters[byte] === undefined || code >= 0x100))
      characters[byte] = character;
  }
  return characters;
}

const CHARACTERS = toByteCharacters();

/** A text's bytes, each as one printable character. */
export function toPrintable(text: string): string {
  let printable = '';
  for (const byte of Buffer.from(text, 'utf8')) printable += CHARACTERS[byte] ?? '';
  return printable;
}

/** The text of a token. Incomplete characters become U+FFFD. */
export const toTokenText = (token: string): string => Buffer.from(toPieceBytes(token)).toString('utf8');
