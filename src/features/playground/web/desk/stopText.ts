// Stop sequences as typed and shown on one line, where `\n`, `\t` and `\\` are escapes.

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\\': '\\\\' };
const MEANINGS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' };

/** Turns typed text into the sequence to send. An unknown escape stays as typed. */
export function parseStopText(text: string): string {
  return text.replace(/\\([ntr\\])/g, (whole, letter: string) => MEANINGS[letter] ?? whole);
}

/** The sequence as one line of text; the inverse of parseStopText. */
export function toStopText(sequence: string): string {
  return sequence.replace(/[\n\t\r\\]/g, (character) => ESCAPES[character] ?? character);
}

/** For display only: makes spaces at the ends visible. */
export function toStopLabel(sequence: string): string {
  return toStopText(sequence).replace(/^ +| +$/g, (spaces) => '␣'.repeat(spaces.length));
}

interface StopLimits {
  readonly stopSequences: number;
  readonly stopCharacters: number;
}

interface AddedStop {
  readonly value: readonly string[];
  /** Why the sequence can't be added; then `value` is the unchanged list. */
  readonly problem: string | null;
}

/** Appends the typed sequence to the list. An empty sequence, or one that the list has already, changes nothing. */
export function addStop(list: readonly string[], text: string, limits: StopLimits): AddedStop {
  const sequence = parseStopText(text);
  if (sequence === '' || list.includes(sequence)) return { value: list, problem: null };
  if (list.length >= limits.stopSequences)
    return { value: list, problem: `There can be ${limits.stopSequences} stop sequences at most. Remove one first.` };
  if (sequence.length > limits.stopCharacters)
    return { value: list, problem: `A stop sequence can have ${limits.stopCharacters} characters at most.` };
  return { value: [...list, sequence], problem: null };
}
