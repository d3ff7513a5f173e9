// Reads the chunks of a stream that differ in their new text alone without parsing each as JSON: most of a long answer.

export interface TextTemplate {
  /** The text of a chunk of the learned form; null for every other chunk, which has to be read in full. */
  read(data: string): string | null;
  /**
   * Tells that `data` has been read in full and held `text` and nothing else. `readText` reads a chunk in full without
   * keeping anything of it: its text if it holds that and nothing else, else null.
   */
  learn(data: string, text: string, readText: (data: string) => string | null): void;
}

/** A stream whose chunks keep changing elsewhere is not worth further tries, */
const MAX_TRIES = 8;
/** unless what was learned served this many chunks: then it is the time of day, or the like, that has changed. */
const WORTH_HITS = 16;
/** So many places that hold the same text are tried. */
const MAX_PLACES = 4;
/** As text in a chunk and as JSON the same, and in no chunk by chance. */
const PROBE = 'probe-b7d1e0c4';

/** The text of a JSON string from between its quotes; null if it ends earlier or is none. */
function parseLiteral(inner: string): string | null {
  if (!inner.includes('\\') && !inner.includes('"')) return hasControl(inner) ? null : inner;
  try {
    const value: unknown = JSON.parse(`"${inner}"`);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** JSON allows no line end or other control character inside a string. */
function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) < 0x20) return true;
  return false;
}

export function textTemplate(): TextTemplate {
  let before = '';
  let after = '';
  let hits = 0;
  let tries = 0;
  return {
    read(data) {
      const end = data.length - after.length;
      // Measured: comparing slices takes a tenth of startsWith and endsWith.
      if (before === '' || end <= before.length || data.slice(0, before.length) !== before || data.slice(end) !== after)
        return null;
      const text = parseLiteral(data.slice(before.length, end));
      // An empty text is no step of the answer.
      if (text === null || text === '') return null;
      hits += 1;
      return text;
    },
    learn(data, text, readText) {
      tries = hits >= WORTH_HITS ? 1 : tries + 1;
      if (tries > MAX_TRIES || data.includes(PROBE)) return;
      hits = 0;
      const literal = JSON.stringify(text);
      let at = data.indexOf(literal);
      for (let place = 0; at >= 0 && place < MAX_PLACES; place += 1) {
        const start = data.slice(0, at + 1);
        const end = data.slice(at + literal.length - 1);
        // That the place is the right one is not guessed but tried: another text in it has to come out.
        if (readText(start + PROBE + end) === PROBE) {
          before = start;
          after = end;
          return;
        }
        at = data.indexOf(literal, at + 1);
      }
    },
  };
}
