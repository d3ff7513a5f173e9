// Reads chunks that differ only in their new text without parsing each as JSON. Most of a long answer is like that.

export interface TextTemplate {
  /** The text of a chunk that fits the template; null for every other chunk, which must be read in full. */
  read(data: string): string | null;
  /**
   * Learns a template from `data`, which was read in full and holds only `text`. `readText` reads a chunk in full
   * without changing state: its text if it holds nothing else, else null.
   */
  learn(data: string, text: string, readText: (data: string) => string | null): void;
}

/** Learning stops after this many tries without success: the chunks of such a stream always differ elsewhere. */
const MAX_TRIES = 8;
/** After a template that read this many chunks the tries count anew: only a time stamp, for example, has changed. */
const WORTH_HITS = 16;
/** How many places that hold the same text are tried. */
const MAX_PLACES = 4;
/** The same as text and as JSON, and in no chunk by chance. */
const PROBE = 'probe-b7d1e0c4';

/** The text of a JSON string, given what is between its quotes; null if that is not one string. */
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
      // Measured: comparing slices takes a tenth of the time of startsWith and endsWith.
      if (before === '' || end <= before.length || data.slice(0, before.length) !== before || data.slice(end) !== after)
        return null;
      const text = parseLiteral(data.slice(before.length, end));
      // An empty text is not a stream event.
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
        // A test instead of a guess: the probe in this place must be read as the text.
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
