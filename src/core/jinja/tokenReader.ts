// Reads tokens one after the other.
import { TemplateError } from './templateError.ts';
import { readTokens, type Token } from './tokens.ts';

export class TokenReader {
  protected at = 0;
  protected readonly tokens: readonly Token[];

  constructor(source: string) {
    this.tokens = readTokens(source);
  }

  protected get token(): Token {
    const token = this.tokens[this.at] ?? this.tokens.at(-1);
    if (token === undefined) throw new TemplateError('the template is empty');
    return token;
  }

  protected next(): Token {
    const { token } = this;
    this.at += 1;
    return token;
  }

  protected fail(message: string, line = this.token.line): never {
    throw new TemplateError(message, line);
  }

  protected describe({ kind, text } = this.token): string {
    if (kind === 'eof') return 'the end of the template';
    if (kind === 'end' || kind === 'printEnd') return 'the end of the tag';
    return `'${text}'`;
  }

  protected isOperator(text: string): boolean {
    return this.token.kind === 'operator' && this.token.text === text;
  }

  protected isName(...names: readonly string[]): boolean {
    return this.token.kind === 'name' && names.includes(this.token.text);
  }

  protected isNextName(name: string): boolean {
    const next = this.tokens[this.at + 1];
    return next?.kind === 'name' && next.text === name;
  }

  protected skipOperator(text: string): boolean {
    const isThere = this.isOperator(text);
    if (isThere) this.at += 1;
    return isThere;
  }

  protected skipName(name: string): boolean {
    const isThere = this.isName(name);
    if (isThere) this.at += 1;
    return isThere;
  }

  protected expectOperator(text: string): Token {
    return this.isOperator(text) ? this.next() : this.fail(`expected '${text}', got ${this.describe()}`);
  }

  protected expectName(name?: string): Token {
    const isRight = this.token.kind === 'name' && (name === undefined || this.token.text === name);
    return isRight ? this.next() : this.fail(`expected ${name ?? 'a name'}, got ${this.describe()}`);
  }

  protected expectKind(kind: Token['kind']): Token {
    return this.token.kind === kind ? this.next() : this.fail(`expected the end of the tag, got ${this.describe()}`);
  }
}
