// The template's text as tokens, as Jinja2's lexer cuts it with trim_blocks and lstrip_blocks.
import { TemplateError } from './templateError.ts';
import { Float, toInt, type Value } from './values.ts';

export interface Token {
  readonly kind:
    | 'text'
    | 'begin'
    | 'end'
    | 'printBegin'
    | 'printEnd'
    | 'name'
    | 'string'
    | 'number'
    | 'operator'
    | 'eof';
  /** Name, operator or text; of a string and a number its source. */
  readonly text: string;
  readonly line: number;
  /** Of strings and numbers. */
  readonly value: Value;
}

/** What Python's `\s` matches; JavaScript's has other characters. */
const SPACE = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const at = (pattern: string): RegExp => new RegExp(pattern, 'yu');

const OPEN = new RegExp(`(\\{%([-+]?)${SPACE}*raw${SPACE}*(?:-%\\}${SPACE}*|%\\}))|(\\{%|\\{\\{|\\{#)([-+]?)`, 'gu');
const COMMENT_END = new RegExp(`\\+#\\}|-#\\}${SPACE}*|#\\}\\n?`, 'gu');
const RAW_END = new RegExp(`\\{%([-+]?)${SPACE}*endraw${SPACE}*(?:\\+%\\}|-%\\}${SPACE}*|%\\}\\n?)`, 'gu');
const BLOCK_END = at(`\\+%\\}|-%\\}${SPACE}*|%\\}\\n?`);
const PRINT_END = at(`-\\}\\}${SPACE}*|\\}\\}`);
const SPACES = at(`${SPACE}+`);
const FLOAT = at('(?<!\\.)(?:\\d+_)*\\d+(?:(?:\\.(?:\\d+_)*\\d+)?[eE][+-]?(?:\\d+_)*\\d+|\\.(?:\\d+_)*\\d+)');
const INTEGER = at('0[bB](?:_?[01])+|0[oO](?:_?[0-7])+|0[xX](?:_?[\\da-fA-F])+|[1-9](?:_?\\d)*|0(?:_?0)*');
const NAME = at('[\\p{L}\\p{Nl}\\p{Nd}\\p{Mn}\\p{Mc}\\p{Pc}·]+');
const NAME_START = /^[\p{L}\p{Nl}_]/u;
const STRING = at(`'(?:[^'\\\\]*(?:\\\\[^][^'\\\\]*)*)'|"(?:[^"\\\\]*(?:\\\\[^][^"\\\\]*)*)"`);
const OPERATOR = at('\\/\\/|\\*\\*|==|!=|>=|<=|[-+/*%~[\\](){}><=.:|,;]');
const END_SPACE = new RegExp(`${SPACE}+$`, 'u');
const ONLY_SPACE = new RegExp(`^${SPACE}+$`, 'u');
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The text of a string: escapes as in Python. */
function unescapeString(source: string, line: number): string {
  if (!source.includes('\\')) return source;
  return source.replace(/\\(?:([0-7]{1,3})|x(.{0,2})|u(.{0,4})|U(.{0,8})|N(\{[^}]*\})?|([^]))/gsu, (all, ...parts) => {
    const [octal, x, u, long, , other] = parts as (string | undefined)[];
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    const length = x !== undefined ? 2 : u !== undefined ? 4 : 8;
    const digits = x ?? u ?? long;
    if (digits !== undefined) {
      if (!new RegExp(`^[\\da-fA-F]{${length}}$`).test(digits) || Number.parseInt(digits, 16) > 0x10ffff)
        throw new TemplateError(`a string holds the damaged escape ${all}`, line);
      return String.fromCodePoint(Number.parseInt(digits, 16));
    }
    if (other === undefined) throw new TemplateError('a string names a character by its name (\\N)', line);
    return SIMPLE_ESCAPES[other] ?? all;
  });
}

function readNumber(source: string, isWhole: boolean): Value {
  const plain = source.replaceAll('_', '').toLowerCase();
  return isWhole ? toInt(BigInt(plain)) : new Float(Number(plain));
}

class Lexer {
  private readonly tokens: Token[] = [];
  private at = 0;
  private line = 1;
  private isLineStart = true;

  constructor(private readonly source: string) {}

  read(): readonly Token[] {
    while (this.at < this.source.length) this.readText();
    this.add('eof', '');
    return this.tokens;
  }

  private add(kind: Token['kind'], text: string, value: Value = null): void {
    this.tokens.push({ kind, text, line: this.line, value });
  }

  /** Moves to `end`, and counts lines. */
  private move(end: number): void {
    for (
      let next = this.source.indexOf('\n', this.at);
      next !== -1 && next < end;
      next = this.source.indexOf('\n', next + 1)
    )
      this.line += 1;
    this.isLineStart = this.source[end - 1] === '\n';
    this.at = end;
  }

  /** Text before a tag, without the white space that the tag takes away. */
  private addText(end: number, sign: string, isPrint: boolean): void {
    let text = this.source.slice(this.at, end);
    if (sign === '-') text = text.replace(END_SPACE, '');
    else if (sign !== '+' && !isPrint) {
      const start = text.lastIndexOf('\n') + 1;
      if ((start > 0 || this.isLineStart) && ONLY_SPACE.test(text.slice(start))) text = text.slice(0, start);
    }
    if (text !== '') this.add('text', text);
  }

  /** Text up to the next tag, and the tag. */
  private readText(): void {
    OPEN.lastIndex = this.at;
    const found = OPEN.exec(this.source);
    if (found === null) {
      this.add('text', this.source.slice(this.at));
      this.move(this.source.length);
      return;
    }
    const [all, raw, rawSign = '', tag, sign = ''] = found;
    this.addText(found.index, raw === undefined ? sign : rawSign, tag === '{{');
    this.move(found.index + all.length);
    if (raw !== undefined) this.readRaw();
    else if (tag === '{#') this.readComment();
    else this.readTag(tag === '{{');
  }

  private readRaw(): void {
    RAW_END.lastIndex = this.at;
    const found = RAW_END.exec(this.source);
    if (found === null) throw new TemplateError('{% raw %} has no {% endraw %}', this.line);
    this.addText(found.index, found[1] ?? '', false);
    this.move(found.index + found[0].length);
  }

  private readComment(): void {
    COMMENT_END.lastIndex = this.at;
    const found = COMMENT_END.exec(this.source);
    if (found === null) throw new TemplateError('a comment has no end', this.line);
    this.move(found.index + found[0].length);
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.source)?.[0] ?? null;
  }

  private readTag(isPrint: boolean): void {
    this.add(isPrint ? 'printBegin' : 'begin', '');
    const open: string[] = [];
    for (;;) {
      const end = open.length === 0 ? this.match(isPrint ? PRINT_END : BLOCK_END) : null;
      if (end !== null) {
        this.add(isPrint ? 'printEnd' : 'end', '');
        this.move(this.at + end.length);
        return;
      }
      const text = this.match(SPACES) ?? this.readToken(open);
      if (text === null) {
        const character = this.source[this.at];
        throw new TemplateError(
          character === undefined ? 'the template ends inside a tag' : `unexpected character '${character}'`,
          this.line,
        );
      }
      this.move(this.at + text.length);
    }
  }

  /** Adds a token and returns its source. */
  private readToken(open: string[]): string | null {
    const float = this.match(FLOAT);
    const number = float ?? this.match(INTEGER);
    if (number !== null) {
      this.add('number', number, readNumber(number, float === null));
      return number;
    }
    const name = this.match(NAME);
    if (name !== null) {
      if (!NAME_START.test(name)) throw new TemplateError(`'${name}' is no name`, this.line);
      this.add('name', name);
      return name;
    }
    const string = this.match(STRING);
    if (string !== null) {
      this.add('string', string, unescapeString(string.slice(1, -1), this.line));
      return string;
    }
    const operator = this.match(OPERATOR);
    if (operator === null) return null;
    const closing = CLOSING[operator];
    if (closing !== undefined) open.push(closing);
    else if (operator === '}' || operator === ')' || operator === ']') {
      const expected = open.pop();
      if (expected !== operator)
        throw new TemplateError(
          `unexpected '${operator}'${expected === undefined ? '' : `, expected '${expected}'`}`,
          this.line,
        );
    }
    this.add('operator', operator);
    return operator;
  }
}

/** Throws TemplateError for what is no template. One newline at its end is left out, as Jinja2 does. */
export function readTokens(source: string): readonly Token[] {
  return new Lexer(source.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '')).read();
}
