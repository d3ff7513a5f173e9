// Tokens to expressions, as Jinja2's parser.
import type { BinaryOperator, Call, Comparison, Expression } from './syntax.ts';
import { TokenReader } from './tokenReader.ts';

const NO_CALL: Call = { args: [], kwargs: [], moreArgs: null, moreKwargs: null };
const COMPARISONS: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);
const SUMS: ReadonlySet<string> = new Set(['+', '-']);
const PRODUCTS: ReadonlySet<string> = new Set(['*', '/', '//', '%']);
export const CONSTANTS = new Map<string, boolean | null>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
]);

/** Operators bind as in Jinja2: `~` more than `+`, `**` from left to right. */
export class ExpressionParser extends TokenReader {
  protected isTupleEnd(end?: string): boolean {
    const { kind } = this.token;
    return kind === 'printEnd' || kind === 'end' || this.isOperator(')') || (end !== undefined && this.isName(end));
  }

  /** An expression, or several with commas between, which are a tuple. */
  protected parseTuple({
    withChoice = true,
    end,
    isParenthesized = false,
  }: { withChoice?: boolean; end?: string; isParenthesized?: boolean } = {}): Expression {
    const { line } = this.token;
    const items: Expression[] = [];
    let isTuple = false;
    for (;;) {
      if (items.length > 0) this.expectOperator(',');
      if (this.isTupleEnd(end)) break;
      items.push(withChoice ? this.parseExpression() : this.parseOr());
      if (!this.isOperator(',')) break;
      isTuple = true;
    }
    const [first] = items;
    if (!isTuple && first !== undefined) return first;
    if (items.length === 0 && !isParenthesized) this.fail(`expected an expression, got ${this.describe()}`);
    return { kind: 'tuple', items, line };
  }

  protected parseExpression(): Expression {
    const { line } = this.token;
    let value = this.parseOr();
    while (this.skipName('if')) {
      const test = this.parseOr();
      const no = this.skipName('else') ? this.parseExpression() : null;
      value = { kind: 'choice', test, yes: value, no, line };
    }
    return value;
  }

  protected parseOr(): Expression {
    let left = this.parseAnd();
    while (this.isName('or')) left = { kind: 'or', line: this.next().line, left, right: this.parseAnd() };
    return left;
  }

  protected parseAnd(): Expression {
    let left = this.parseNot();
    while (this.isName('and')) left = { kind: 'and', line: this.next().line, left, right: this.parseNot() };
    return left;
  }

  protected parseNot(): Expression {
    if (!this.isName('not')) return this.parseCompare();
    const { line } = this.next();
    return { kind: 'unary', operator: 'not', of: this.parseNot(), line };
  }

  protected parseCompare(): Expression {
    const { line } = this.token;
    const first = this.parseSum();
    const rest: { operator: Comparison; of: Expression }[] = [];
    for (;;) {
      let operator: Comparison;
      if (this.token.kind === 'operator' && COMPARISONS.has(this.token.text)) operator = this.next().text as Comparison;
      else if (this.skipName('in')) operator = 'in';
      else if (this.isName('not') && this.isNextName('in')) {
        this.at += 2;
        operator = 'not in';
      } else break;
      rest.push({ operator, of: this.parseSum() });
    }
    return rest.length === 0 ? first : { kind: 'compare', first, rest, line };
  }

  protected parseBinary(operators: ReadonlySet<string>, parseOperand: () => Expression): Expression {
    let left = parseOperand();
    while (this.token.kind === 'operator' && operators.has(this.token.text)) {
      const { text, line } = this.next();
      left = { kind: 'binary', operator: text as BinaryOperator, left, right: parseOperand(), line };
    }
    return left;
  }

  protected parseSum(): Expression {
    return this.parseBinary(SUMS, () => this.parseConcat());
  }

  protected parseConcat(): Expression {
    const { line } = this.token;
    const first = this.parseProduct();
    if (!this.isOperator('~')) return first;
    const items = [first];
    while (this.skipOperator('~')) items.push(this.parseProduct());
    return { kind: 'concat', items, line };
  }

  protected parseProduct(): Expression {
    return this.parseBinary(PRODUCTS, () => this.parsePower());
  }

  /** Left to right, unlike Python's own. */
  protected parsePower(): Expression {
    let left = this.parseUnary(true);
    while (this.isOperator('**')) {
      const { line } = this.next();
      left = { kind: 'binary', operator: '**', left, right: this.parseUnary(true), line };
    }
    return left;
  }

  protected parseUnary(withFilter: boolean): Expression {
    const { line, text } = this.token;
    let value: Expression;
    if (this.isOperator('-') || this.isOperator('+')) {
      this.at += 1;
      value = { kind: 'unary', operator: text === '-' ? '-' : '+', of: this.parseUnary(false), line };
    } else value = this.parsePrimary();
    value = this.parsePostfix(value);
    return withFilter ? this.parseFilters(value) : value;
  }

  protected parsePrimary(): Expression {
    const token = this.next();
    const { line, text } = token;
    if (token.kind === 'name') {
      const constant = CONSTANTS.get(text);
      return constant === undefined ? { kind: 'name', name: text, line } : { kind: 'constant', value: constant, line };
    }
    if (token.kind === 'string') {
      let value = String(token.value);
      while (this.token.kind === 'string') value += String(this.next().value);
      return { kind: 'constant', value, line };
    }
    if (token.kind === 'number') return { kind: 'constant', value: token.value, line };
    if (token.kind === 'operator') {
      if (text === '(') {
        const value = this.parseTuple({ isParenthesized: true });
        this.expectOperator(')');
        return value;
      }
      if (text === '[') return { kind: 'list', items: this.parseListed(']', () => this.parseExpression()), line };
      if (text === '{') return { kind: 'dict', pairs: this.parseListed('}', () => this.parsePair()), line };
    }
    return this.fail(`unexpected ${this.describe(token)}`, line);
  }

  protected parsePair(): readonly [Expression, Expression] {
    const key = this.parseExpression();
    this.expectOperator(':');
    return [key, this.parseExpression()];
  }

  protected parseListed<T>(end: string, parseItem: () => T): readonly T[] {
    const items: T[] = [];
    while (!this.isOperator(end)) {
      if (items.length > 0) this.expectOperator(',');
      if (this.isOperator(end)) break;
      items.push(parseItem());
    }
    this.at += 1;
    return items;
  }

  protected parsePostfix(given: Expression): Expression {
    let value = given;
    for (;;) {
      const { line } = this.token;
      if (this.skipOperator('.')) value = this.parseAttribute(value, line);
      else if (this.skipOperator('[')) value = this.parseItem(value, line);
      else if (this.isOperator('(')) value = { kind: 'call', of: value, call: this.parseCall(), line };
      else return value;
    }
  }

  protected parseAttribute(of: Expression, line: number): Expression {
    const token = this.next();
    if (token.kind === 'name') return { kind: 'attribute', of, name: token.text, line };
    if (token.kind === 'number' && (typeof token.value === 'number' || typeof token.value === 'bigint'))
      return { kind: 'item', of, key: { kind: 'constant', value: token.value, line }, line };
    return this.fail(`expected a name or a number, got ${this.describe(token)}`, token.line);
  }

  protected parseItem(of: Expression, line: number): Expression {
    const keys: (Expression | readonly (Expression | null)[])[] = [];
    while (!this.isOperator(']')) {
      if (keys.length > 0) this.expectOperator(',');
      keys.push(this.parseKey());
    }
    this.at += 1;
    const [first] = keys;
    if (keys.length === 1 && first !== undefined)
      return 'kind' in first ? { kind: 'item', of, key: first, line } : { kind: 'slice', of, bounds: first, line };
    const items = keys.map((key) => ('kind' in key ? key : this.fail('a slice stands alone in its brackets', line)));
    return { kind: 'item', of, key: { kind: 'tuple', items, line }, line };
  }

  protected parseKey(): Expression | readonly (Expression | null)[] {
    const first = this.isOperator(':') ? null : this.parseExpression();
    if (first !== null && !this.isOperator(':')) return first;
    this.at += 1;
    const bounds = [first];
    const isEnd = (): boolean => this.isOperator(']') || this.isOperator(',');
    bounds.push(this.isOperator(':') || isEnd() ? null : this.parseExpression());
    bounds.push(this.skipOperator(':') && !isEnd() ? this.parseExpression() : null);
    return bounds;
  }

  protected parseCall(): Call {
    const { line } = this.expectOperator('(');
    const args: Expression[] = [];
    const kwargs: { name: string; value: Expression }[] = [];
    let moreArgs: Expression | null = null;
    let moreKwargs: Expression | null = null;
    const check = (isRight: boolean): void => {
      if (!isRight) this.fail('the arguments of a call stand in a wrong order', line);
    };
    for (let isFirst = true; !this.isOperator(')'); isFirst = false) {
      if (!isFirst) {
        this.expectOperator(',');
        if (this.isOperator(')')) break;
      }
      if (this.isOperator('*')) {
        check(moreArgs === null && moreKwargs === null);
        this.at += 1;
        moreArgs = this.parseExpression();
      } else if (this.isOperator('**')) {
        check(moreKwargs === null);
        this.at += 1;
        moreKwargs = this.parseExpression();
      } else if (this.token.kind === 'name' && this.isAssignNext()) {
        check(moreKwargs === null);
        const name = this.next().text;
        this.at += 1;
        if (kwargs.some((one) => one.name === name)) this.fail(`the argument '${name}' is given twice`, line);
        kwargs.push({ name, value: this.parseExpression() });
      } else {
        check(moreArgs === null && moreKwargs === null && kwargs.length === 0);
        args.push(this.parseExpression());
      }
    }
    this.at += 1;
    return { args, kwargs, moreArgs, moreKwargs };
  }

  protected isAssignNext(): boolean {
    const next = this.tokens[this.at + 1];
    return next?.kind === 'operator' && next.text === '=';
  }

  protected parseFilters(given: Expression): Expression {
    let value = given;
    for (;;) {
      const { line } = this.token;
      if (this.isOperator('|')) value = this.parseFilter(value, false);
      else if (this.isName('is')) value = this.parseTest(value);
      else if (this.isOperator('(')) value = { kind: 'call', of: value, call: this.parseCall(), line };
      else return value;
    }
  }

  protected parseDottedName(): string {
    let name = this.expectName().text;
    while (this.skipOperator('.')) name += `.${this.expectName().text}`;
    return name;
  }

  /** A chain of filters. `isInside`: the first one has no `|` before it. */
  protected parseFilter(given: Expression | null, isInside: boolean): Expression {
    let of = given;
    let isStart = isInside;
    for (;;) {
      if (!isStart && !this.skipOperator('|')) break;
      isStart = false;
      const { line } = this.token;
      const name = this.parseDottedName();
      of = { kind: 'filter', of, name, call: this.isOperator('(') ? this.parseCall() : NO_CALL, line };
    }
    return of ?? this.fail('a filter is missing');
  }

  protected parseTest(of: Expression): Expression {
    const { line } = this.next();
    const isNot = this.skipName('not');
    const name = this.parseDottedName();
    let call = NO_CALL;
    const { kind } = this.token;
    if (this.isOperator('(')) call = this.parseCall();
    else if (
      (kind === 'name' || kind === 'string' || kind === 'number' || this.isOperator('[') || this.isOperator('{')) &&
      !this.isName('else', 'or', 'and')
    ) {
      if (this.isName('is')) this.fail("tests can't follow each other with 'is'");
      call = { ...NO_CALL, args: [this.parsePostfix(this.parsePrimary())] };
    }
    const test: Expression = { kind: 'test', of, name, call, line };
    return isNot ? { kind: 'unary', operator: 'not', of: test, line } : test;
  }
}
