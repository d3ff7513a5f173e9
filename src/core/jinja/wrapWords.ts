// textwrap.wrap of Python, for the filter `wordwrap`.
import { TemplateError } from './templateError.ts';

export interface WrapOptions {
  /** Characters of a line. */
  readonly width: number;
  readonly breaksWords: boolean;
  readonly breaksHyphens: boolean;
}

const SPACE = '[\\t\\n\\x0b\\x0c\\r ]';
const WORD = '[\\p{L}\\p{N}_!"\'&.,?]';
const LETTER = '[\\p{L}_]';
const CHUNKS = new RegExp(
  `(${SPACE}+|(?<=${WORD})-{2,}(?=[\\p{L}\\p{N}_])|(?:(?!${SPACE})[^])+?(?:-(?:(?<=${LETTER}{2}-)|(?<=${LETTER}-${LETTER}-))(?=${LETTER}-?${LETTER})|(?=${SPACE}|$)|(?<=${WORD})(?=-{2,}[\\p{L}\\p{N}_])))`,
  'u',
);
const SPACES = new RegExp(`(${SPACE}+)`, 'u');

const isBlank = (chunk: string | undefined): boolean => chunk !== undefined && chunk.trim() === '';

/** Lines of at most `width` characters. White space between lines is left out. */
export function wrapWords(text: string, { width, breaksWords, breaksHyphens }: WrapOptions): string[] {
  if (width <= 0) throw new TemplateError(`invalid width ${width} (must be > 0)`);
  const chunks = text
    .split(breaksHyphens ? CHUNKS : SPACES)
    .filter((chunk) => chunk !== '')
    .reverse();
  const lines: string[] = [];
  while (chunks.length > 0) {
    if (lines.length > 0 && isBlank(chunks.at(-1))) chunks.pop();
    const line: string[] = [];
    let length = 0;
    for (let chunk = chunks.at(-1); chunk !== undefined && length + [...chunk].length <= width; chunk = chunks.at(-1)) {
      line.push(chunk);
      length += [...chunk].length;
      chunks.pop();
    }
    const long = chunks.at(-1);
    if (long !== undefined && [...long].length > width) {
      chunks.pop();
      if (breaksWords) {
        const characters = [...long];
        let end = Math.max(1, width - length);
        const hyphen = long.length > end ? characters.slice(0, end).lastIndexOf('-') : -1;
        if (breaksHyphens && hyphen > 0 && characters.slice(0, hyphen).some((one) => one !== '-')) end = hyphen + 1;
        line.push(characters.slice(0, end).join(''));
        chunks.push(characters.slice(end).join(''));
      } else if (line.length === 0) line.push(long);
      else chunks.push(long);
    }
    if (isBlank(line.at(-1))) line.pop();
    if (line.length > 0) lines.push(line.join(''));
  }
  return lines;
}
