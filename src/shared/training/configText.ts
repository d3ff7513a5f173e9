// Texts of any kind as parts of YAML, Python and shell, so that nothing in them gets out of its place.

/** Invisible characters, and those that some readers take for the end of a line. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029]/gu;

function toEscape(character: string): string {
  const code = character.codePointAt(0) ?? 0xfffd;
  // Half of a surrogate pair can't be written in any of these languages.
  if (code >= 0xd800 && code <= 0xdfff) return String.raw`\ufffd`;
  return code > 0xffff
    ? String.raw`\U${code.toString(16).padStart(8, '0')}`
    : String.raw`\u${code.toString(16).padStart(4, '0')}`;
}

/** A string between double quotes, as YAML and Python both read it. */
export function toQuoted(text: string): string {
  const escaped = text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`);
  return `"${escaped.replace(UNSEEN, toEscape)}"`;
}

/** A text that stays on its line behind `# `. */
function toCommentText(text: string): string {
  return text.replace(UNSEEN, ' ').replaceAll(/\s+/g, ' ').trim();
}

/** One word of a POSIX shell. A zero byte can't be in any. */
export function toShellWord(text: string): string {
  const plain = text.replaceAll('\0', '');
  return /^[\w@%+=:,./-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", String.raw`'\''`)}'`;
}

/** YAML 1.1 takes `2e-4` for a text: a number needs its point. Every digit is kept. */
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

/** `# text`: for what a format can't say, and for what is not known. */
export const toComment = (text: string): string => `# ${toCommentText(text)}`;

const COMMENT_WIDTH = 100;

/**
 * A text of any length as comment lines of usual width beneath a line of its own. The `>` keeps what a line begins with
 * from being read by tools that look into comments, such as the `%%` of notebooks.
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

/** Part of a path: a number that keeps it apart from others, and the readable letters of a name. */
export function toSlug(place: number, name: string): string {
  const letters = name
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join('-')
    .slice(0, 48)
    .replace(/-$/, '');
  return letters ? `${place}-${letters}` : String(place);
}
