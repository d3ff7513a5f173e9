// In which scripts a text is written, by the blocks of Unicode. Pure.

/** Blocks, from and to in steps of 16. Japanese is recognised by its kana, so Han alone means Chinese. */
const BLOCKS = [
  ['Latin', 0x00c0, 0x024f],
  ['Greek', 0x0370, 0x03ff],
  ['Cyrillic', 0x0400, 0x052f],
  ['Armenian', 0x0530, 0x058f],
  ['Hebrew', 0x0590, 0x05ff],
  ['Arabic', 0x0600, 0x06ff],
  ['Arabic', 0x0750, 0x077f],
  ['Devanagari', 0x0900, 0x097f],
  ['Bengali', 0x0980, 0x09ff],
  ['Gurmukhi', 0x0a00, 0x0a7f],
  ['Gujarati', 0x0a80, 0x0aff],
  ['Tamil', 0x0b80, 0x0bff],
  ['Telugu', 0x0c00, 0x0c7f],
  ['Kannada', 0x0c80, 0x0cff],
  ['Malayalam', 0x0d00, 0x0d7f],
  ['Sinhala', 0x0d80, 0x0dff],
  ['Thai', 0x0e00, 0x0e7f],
  ['Lao', 0x0e80, 0x0eff],
  ['Tibetan', 0x0f00, 0x0fff],
  ['Burmese', 0x1000, 0x109f],
  ['Georgian', 0x10a0, 0x10ff],
  ['Korean', 0x1100, 0x11ff],
  ['Ethiopic', 0x1200, 0x139f],
  ['Khmer', 0x1780, 0x17ff],
  ['Latin', 0x1e00, 0x1eff],
  ['Greek', 0x1f00, 0x1fff],
  ['Japanese', 0x3040, 0x30ff],
  ['Chinese', 0x3400, 0x4dbf],
  ['Chinese', 0x4e00, 0x9fff],
  ['Korean', 0xac00, 0xd7af],
  ['Chinese', 0xf900, 0xfaff],
  ['Arabic', 0xfb50, 0xfdcf],
  ['Arabic', 0xfe70, 0xfeff],
  // High surrogates of the supplementary ideographs.
  ['Chinese', 0xd840, 0xd87f],
] as const;

export type Script = (typeof BLOCKS)[number][0];

export const SCRIPTS: readonly Script[] = [...new Set(BLOCKS.map(([name]) => name))];
const LATIN = SCRIPTS.indexOf('Latin');
const CHINESE = SCRIPTS.indexOf('Chinese');
const JAPANESE = SCRIPTS.indexOf('Japanese');

/** For each 16 characters the place of their script in SCRIPTS and 1; 0: none. */
const TABLE = new Uint8Array(0x1000);
for (const [name, from, to] of BLOCKS) TABLE.fill(SCRIPTS.indexOf(name) + 1, from >> 4, (to >> 4) + 1);

/** A long text says its scripts early. */
const MAX_CHARACTERS = 4000;
/** As few letters as these say nothing: a name, a unit, a code. */
const MIN_LETTERS = 12;
/** A share of kana that makes Han characters Japanese. */
const KANA_SHARE = 0.1;

/** How many letters of each script the start of a text has, in the order of SCRIPTS. A character of Han weighs three. */
export function countScripts(text: string): Uint32Array {
  const counts = new Uint32Array(SCRIPTS.length);
  const end = Math.min(text.length, MAX_CHARACTERS);
  let ascii = 0;
  for (let at = 0; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) {
      const letter = code | 32;
      if (letter >= 97 && letter <= 122) ascii += 1;
    } else {
      const script = TABLE[code >> 4] ?? 0;
      if (script > 0) counts[script - 1] = (counts[script - 1] ?? 0) + (script - 1 === CHINESE ? 3 : 1);
    }
  }
  counts[LATIN] = (counts[LATIN] ?? 0) + ascii;
  const [han = 0, kana = 0] = [counts[CHINESE], counts[JAPANESE]];
  if (kana > 0 && kana >= (han + kana) * KANA_SHARE) {
    counts[JAPANESE] = han + kana;
    counts[CHINESE] = 0;
  }
  return counts;
}

/** The script with the most letters; null if there are too few to say. */
export function toMainScript(text: string): Script | null {
  const counts = countScripts(text);
  let best = 0;
  for (let at = 1; at < counts.length; at += 1) if ((counts[at] ?? 0) > (counts[best] ?? 0)) best = at;
  return (counts[best] ?? 0) >= MIN_LETTERS ? (SCRIPTS[best] ?? null) : null;
}
