// Stop sequences as they are typed and shown on one line: `\n`, `\t` and `\\` stand for what can't be typed there.

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\\': '\\\\' };
const MEANINGS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' };

/** What was typed as the sequence that is sent. An unknown escape is taken as it is. */
export function parseStopText(text: string): string {
  return text.replace(/\\([ntr\\])/g, (whole, letter: string) => MEANINGS[letter] ?? whole);
}

/** The sequence as one line of text; parseStopText gives it back. */
export function toStopText(sequence: string): string {
  return sequence.replace(/[\n\t\r\\]/g, (character) => ESCAPES[character] ?? character);
}

/** For the eye alone: spaces at the ends, which would not be seen, are drawn. */
export function toStopLabel(sequence: string): string {
  return toStopText(sequence).replace(/^ +| +$/g, (spaces) => '␣'.repeat(spaces.length));
}

interface StopLimits {
  readonly stopSequences: number;
  readonly stopCharacters: number;
}

interface AddedStop {
  readonly value: readonly string[];
  /** Why the sequence can't be taken; then `value` is the list as it was. */
  readonly problem: string | null;
}

/** The list with what was typed at its end. Nothing typed, or a sequence that is there already, changes nothing. */
export function addStop(list: readonly string[], text: string, limits: StopLimits): AddedStop {
  const sequence = parseStopText(text);
  if (sequence === '' || list.includes(sequence)) return { value: list, problem: null };
  if (list.length >= limits.stopSequences)
    return { value: list, problem: `There can be ${limits.stopSequences} stop sequences at most. Remove one first.` };
  if (sequence.length > limits.stopCharacters)
    return { value: list, problem: `A stop sequence can have ${limits.stopCharacters} characters at most.` };
  return { value: [...list, sequence], problem: null };
}
