// Reads words as a POSIX shell does, as far as the exports go: quotes, `\`, comments. For tests only.
// It must not run anything.

/** Variables stay as they are written. Throws for a quote that is never closed. */
export function toShellWords(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === "'" || character === '"') {
      let end = at + 1;
      let part = '';
      while (end < text.length && text[end] !== character) {
        if (character === '"' && text[end] === '\\') end += 1;
        part += text[end] ?? '';
        end += 1;
      }
      if (end >= text.length) throw new Error('A quote is not closed.');
      word = (word ?? '') + part;
      at = end;
    } else if (character === '\\') {
      at += 1;
      if (text[at] !== '\n') word = (word ?? '') + (text[at] ?? '');
    } else if (character === '#' && word === null) {
      at = text.indexOf('\n', at);
      if (at < 0) break;
    } else if (/\s/.test(character) && character !== '\u2028') {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? '') + character;
    }
  }
  return word === null ? words : [...words, word];
}
