// Splits a command as a shell would: words, single and double quotes, backslashes. No variables, no patterns, no pipes.

/** The words of a command. Throws an Error that says what is wrong. On Windows a backslash is part of a path. */
export function parseCommand(text: string, hasBackslashes = process.platform !== 'win32'): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    if (char === '\0') throw new Error('it holds a zero byte');
    if (hasBackslashes && char === '\\' && quote !== "'" && (quote === null ? next !== '' : /["\\]/.test(next))) {
      word = (word ?? '') + next;
      at += 1;
    } else if (quote !== null) {
      if (char === quote) quote = null;
      else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + char;
  }
  if (quote !== null) throw new Error(`the quote ${quote} is not closed`);
  if (word !== null) words.push(word);
  if (words.length === 0 || words[0] === '') throw new Error('it is empty');
  return words;
}
