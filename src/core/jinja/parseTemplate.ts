// Tokens to statements, as Jinja2's parser with transformers' tags: generation, break, continue.
import { CONSTANTS, ExpressionParser } from './parseExpression.ts';
import type { Body, Expression, Parameter, Statement, Target } from './syntax.ts';
import type { Token } from './tokens.ts';

class Parser extends ExpressionParser {
  parse(): Body {
    return this.parseBody([]);
  }

  /** Statements up to a tag of these names, which is the next token; without names: up to the end. */
  private parseBody(ends: readonly string[]): Body {
    const body: Statement[] = [];
    for (;;) {
      const { token } = this;
      if (token.kind === 'eof') {
        if (ends.length > 0) this.fail(`the template ends before {% ${ends.at(-1)} %}`);
        return body;
      }
      this.at += 1;
      if (token.kind === 'text') body.push({ kind: 'text', text: token.text, line: token.line });
      else if (token.kind === 'printBegin') {
        body.push({ kind: 'print', of: this.parseTuple(), line: token.line });
        this.expectKind('printEnd');
      } else {
        if (ends.length > 0 && this.isName(...ends)) return body;
        const statement = this.parseStatement();
        body.push(...statement);
        this.expectKind('end');
      }
    }
  }

  /** The body of a tag, which ends with the token after the name of its end. */
  private parseInside(...ends: readonly string[]): Body {
    this.skipOperator(':');
    this.expectKind('end');
    return this.parseBody(ends);
  }

  private parseWhole(end: string): Body {
    const body = this.parseInside(end);
    this.at += 1;
    return body;
  }

  private parseStatement(): readonly Statement[] {
    if (this.token.kind !== 'name') this.fail(`expected the name of a tag, got ${this.describe()}`);
    const { text: tag, line } = this.next();
    switch (tag) {
      case 'for':
        return [this.parseFor(line)];
      case 'if':
        return [this.parseIf(line)];
      case 'set':
        return [this.parseSet(line)];
      case 'print':
        return this.parsePrint(line);
      case 'macro': {
        const { text: name } = this.expectName();
        const parameters = this.parseParameters();
        return [{ kind: 'macro', name, parameters, body: this.parseWhole('endmacro'), line }];
      }
      case 'call': {
        const parameters = this.isOperator('(') ? this.parseParameters() : [];
        const call = this.parseExpression();
        if (call.kind !== 'call') this.fail('{% call %} needs a call of a macro', line);
        return [{ kind: 'callBlock', call, parameters, body: this.parseWhole('endcall'), line }];
      }
      case 'filter': {
        const filter = this.parseFilter(null, true);
        return [{ kind: 'filterBlock', filter, body: this.parseWhole('endfilter'), line }];
      }
      case 'with':
        return [this.parseWith(line)];
      case 'generation':
        return [{ kind: 'generation', body: this.parseWhole('endgeneration'), line }];
      case 'break':
      case 'continue':
        return [{ kind: tag, line }];
      case 'autoescape':
        this.parseExpression();
        return [{ kind: 'with', values: [], body: this.parseWhole('endautoescape'), line }];
      case 'block':
        return [this.parseBlock(line)];
      case 'extends':
      case 'include':
      case 'import':
      case 'from':
        // Nothing can be rendered after it, so what it names does not matter.
        for (let next = this.next(); next.kind !== 'end' && next.kind !== 'eof'; next = this.next());
        this.at -= 1;
        return [{ kind: 'other', tag, line }];
      default:
        return this.fail(`there is no tag '${tag}'`, line);
    }
  }

  private parseFor(line: number): Statement {
    const target = this.parseTarget({ end: 'in' });
    this.expectName('in');
    const items = this.parseTuple({ withChoice: false, end: 'recursive' });
    const test = this.skipName('if') ? this.parseExpression() : null;
    const isRecursive = this.skipName('recursive');
    const body = this.parseInside('else', 'endfor');
    const otherwise = this.next().text === 'else' ? this.parseWhole('endfor') : [];
    return { kind: 'for', target, items, test, isRecursive, body, otherwise, line };
  }

  private parseIf(line: number): Statement {
    const branches: { test: Expression; body: Body }[] = [];
    for (;;) {
      const test = this.parseTuple({ withChoice: false });
      branches.push({ test, body: this.parseInside('elif', 'else', 'endif') });
      const { text } = this.next();
      if (text === 'elif') continue;
      return { kind: 'if', branches, otherwise: text === 'else' ? this.parseWhole('endif') : [], line };
    }
  }

  private parseSet(line: number): Statement {
    const target = this.parseTarget({ withField: true });
    if (this.skipOperator('=')) return { kind: 'set', target, value: this.parseTuple(), line };
    const filter = this.isOperator('|') ? this.parseFilter(null, false) : null;
    return { kind: 'setBlock', target, filter, body: this.parseWhole('endset'), line };
  }

  private parsePrint(line: number): readonly Statement[] {
    const printed: Statement[] = [];
    while (this.token.kind !== 'end') {
      if (printed.length > 0) this.expectOperator(',');
      printed.push({ kind: 'print', of: this.parseExpression(), line });
    }
    return printed;
  }

  private parseWith(line: number): Statement {
    const values: { target: Target; value: Expression }[] = [];
    while (this.token.kind !== 'end') {
      if (values.length > 0) this.expectOperator(',');
      const target = this.parseTarget({});
      this.expectOperator('=');
      values.push({ target, value: this.parseExpression() });
    }
    return { kind: 'with', values, body: this.parseWhole('endwith'), line };
  }

  private parseBlock(line: number): Statement {
    const { text: name } = this.expectName();
    const isScoped = this.skipName('scoped');
    const isRequired = this.skipName('required');
    const body = this.parseWhole('endblock');
    if (isRequired && body.some((one) => one.kind !== 'text' || one.text.trim() !== ''))
      this.fail('a required block may only hold comments and white space', line);
    this.skipName(name);
    return { kind: 'block', name, isScoped, body, line };
  }

  private parseParameters(): readonly Parameter[] {
    const parameters: Parameter[] = [];
    this.expectOperator('(');
    while (!this.isOperator(')')) {
      if (parameters.length > 0) this.expectOperator(',');
      const name = this.toAssigned(this.expectName());
      const value = this.skipOperator('=') ? this.parseExpression() : null;
      if (value === null && parameters.at(-1)?.default)
        this.fail(`the parameter '${name}' has no default, but the one before it has`);
      parameters.push({ name, default: value });
    }
    this.at += 1;
    return parameters;
  }

  private toAssigned({ text, line }: Token): string {
    return CONSTANTS.has(text) ? this.fail(`can't assign to '${text}'`, line) : text;
  }

  private parseTarget({ end, withField = false }: { end?: string; withField?: boolean }): Target {
    const target = this.parseTargets(end, withField);
    return target;
  }

  /** One target, or several with commas between. */
  private parseTargets(end: string | undefined, withField: boolean): Target {
    const targets: Target[] = [];
    let isTuple = false;
    for (;;) {
      if (targets.length > 0) this.expectOperator(',');
      if (this.isTupleEnd(end)) break;
      targets.push(this.parseOneTarget(withField));
      if (!this.isOperator(',')) break;
      isTuple = true;
    }
    const [first] = targets;
    if (!isTuple && first !== undefined) return first;
    return targets.length === 0 ? this.fail(`expected a name, got ${this.describe()}`) : { kind: 'tuple', targets };
  }

  private parseOneTarget(withField: boolean): Target {
    if (this.skipOperator('(')) {
      const { line } = this.token;
      // Inside parentheses Jinja2 reads expressions and looks afterwards whether they can be assigned to.
      const inner = this.parseTuple({ isParenthesized: true });
      this.expectOperator(')');
      return this.toTarget(inner, line);
    }
    const token = this.expectName();
    if (withField && this.skipOperator('.')) return { kind: 'field', name: token.text, field: this.expectName().text };
    return { kind: 'name', name: this.toAssigned(token) };
  }

  private toTarget(of: Expression, line: number): Target {
    if (of.kind === 'name') return { kind: 'name', name: of.name };
    if (of.kind === 'tuple') return { kind: 'tuple', targets: of.items.map((item) => this.toTarget(item, line)) };
    return this.fail("can't assign to this", line);
  }
}

/** Throws TemplateError for what is no template of Jinja2. */
export function parseTemplate(source: string): Body {
  return new Parser(source).parse();
}
