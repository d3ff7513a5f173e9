// Quotes any text for YAML, Python and shell, so that no text can break out of its place.

/** Invisible characters, and those that some readers take for the end of a line. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/gu;

function toEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0xfffd;
  // Half of a surrogate pair can't be written in any of these languages.
  if (code >= 0xd800 && code <= 0xdfff) return String.raw`\ufffd`;
  return code > 0xffff
    ? String.raw`\U${code.toString(16).padStart(8, '0')}`
    : String.raw`\u${code.toString(16).padStart(4, '0')}`;
}

/** A string in double quotes, valid in YAML and Python. */
export function toQuoted(text: string): string {
  const escaped = text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
  return `"${escaped.replace(INVISIBLE, toEscape)}"`;
}

/** A text as one line, for a comment. */
function toCommentText(text: string): string {
  return text.replace(INVISIBLE, ' ').replaceAll(/\s+/g, ' ').trim();
}

/** One word of a POSIX shell, without zero bytes: no word can hold one. */
export function toShellWord(text: string): string {
  const plain = text.replaceAll('\0', '');
  return /^[\w@%+=:,./-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", String.raw`'\''`)}'`;
}

/** What follows a flag of a program: a value that begins with a dash would be taken for the next flag. */
export const toFlagValue = (text: string): string => `${text.startsWith('-') ? '=' : ' '}${toShellWord(text)}`;

/** A number with all its digits. YAML 1.1 reads `2e-4` as a text, so a point is added. */
export function toConfigNumber(value: number): string {
  const text = String(value);
  return text.includes('e') && !text.includes('.') ? text.replace('e', '.0e') : text;
}

export type ConfigValue = string | number | boolean;

function toConfigValue(value: ConfigValue): string {
  if (typeof value === 'string') return toQuoted(value);
  return typeof value === 'number' ? toConfigNumber(value) : String(value);
}

/** `key: value  # note`. */
export function toYamlLine(key: string, value: ConfigValue, note: string | null = null): string {
  return `${key}: ${toConfigValue(value)}${note === null ? '' : `  # ${toCommentText(note)}`}`;
}

/** `# text`. */
export const toComment = (text: string): string => `# ${toCommentText(text)}`;

/** A comment of a file's first two lines, where Python would read `coding:` as the encoding of the file. */
export const toHeadComment = (text: string): string => toComment(text).replaceAll(/coding(?=[:=])/g, 'coding ');

const COMMENT_WIDTH = 100;

/**
 * A line with `lead`, and a text of any length below it, wrapped as comment lines. The `>` keeps tools from reading the
 * start of a line, such as the `%%` of notebooks.
 */
export function toQuotedComment(lead: string, text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of toCommentText(text).split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= COMMENT_WIDTH) lines.push(`# > ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return [toComment(lead), ...lines];
}

/** Part of a path: a number that makes it unique, and the letters and digits of a name. */
export function toSlug(place: number, name: string): string {
  const letters = name
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join('-')
    .slice(0, 48)
    .replace(/-$/, '');
  return letters ? `${place}-${letters}` : String(place);
}
