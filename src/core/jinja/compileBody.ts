// Statements as functions that write.
import { toCallable } from './attributes.ts';
import { compileCall, compileExpression, type Evaluate } from './compileExpression.ts';
import { compileMacro, inScope } from './compileMacro.ts';
import { setField } from './globals.ts';
import { isTrue, iterate, toItems } from './iteration.ts';
import { Loop } from './loop.ts';
import { assigns, mentions } from './mentions.ts';
import { toText } from './representation.ts';
import type { Body, Statement, Target } from './syntax.ts';
import { TemplateError } from './templateError.ts';
import { isText, Namespace, Scope, typeOf, type Run, type Value } from './values.ts';

/** How a body ended: at its end, or with `break` or `continue` for the loop around it. */
type End = 'end' | 'break' | 'continue';
type Execute = (run: Run) => End;
type Assign = (run: Run, value: Value) => void;

interface Place {
  /** Inside an `if`: see compileCall. */
  readonly isSoft: boolean;
  /** `break` and `continue` have a loop that they can reach. */
  readonly isInLoop: boolean;
  /** Names of blocks so far. */
  readonly blocks: Set<string>;
}

const inner = (place: Place): Place => ({ ...place, isSoft: false });
const apart = (place: Place): Place => ({ ...place, isSoft: false, isInLoop: false });

function compileTarget(target: Target): Assign {
  if (target.kind === 'name') {
    const { name } = target;
    return (run, value) => run.scope.names.set(name, value);
  }
  if (target.kind === 'field') {
    const { name, field } = target;
    return (run, value) => {
      const namespace = run.read(name);
      if (!(namespace instanceof Namespace)) throw new TemplateError('cannot assign attribute on non-namespace object');
      setField(namespace, field, value);
    };
  }
  const targets = target.targets.map(compileTarget);
  return (run, value) => {
    const items = toItems(run, value);
    if (items.length !== targets.length)
      throw new TemplateError(
        items.length < targets.length
          ? `not enough values to unpack (expected ${targets.length}, got ${items.length})`
          : `too many values to unpack (expected ${targets.length})`,
      );
    for (const [at, assign] of targets.entries()) assign(run, items[at] ?? null);
  };
}

/** What a body writes, and how it ended. */
function captureBody(run: Run, body: Execute): { readonly text: string; readonly end: End } {
  let end: End = 'end';
  const text = run.capture(() => {
    end = inScope(run, run.scope, () => body(run));
  });
  return { text, end };
}

function compileFor(node: Extract<Statement, { kind: 'for' }>, place: Place): Execute {
  if (assigns(node, 'loop'))
    throw new TemplateError("Can't assign to special loop variable in for-loop target", node.line);
  const items = compileExpression(node.items, place.isSoft);
  const assign = compileTarget(node.target);
  const test = node.test && compileExpression(node.test, false);
  const body = compileBody(node.body, { ...inner(place), isInLoop: true });
  const isInLoop = place.isInLoop && !node.isRecursive;
  const otherwise = node.otherwise.length > 0 ? compileBody(node.otherwise, { ...inner(place), isInLoop }) : null;
  const hasVariable = node.isRecursive || mentions(node.body, 'loop');

  function* filter(run: Run, around: Scope, values: Iterable<Value>): Generator<Value> {
    for (const value of values) {
      const isKept = inScope(run, around, () => {
        run.spend(1);
        assign(run, value);
        return test === null || isTrue(test(run));
      });
      if (isKept) yield value;
    }
  }

  function execute(run: Run, around: Scope, iterable: Value, depth: number): End {
    const all = iterate(run, iterable);
    const values = test === null ? all : filter(run, around, all);
    const outer = run.scope;
    // As in Jinja2: a pass that `continue` or `break` ends does not count, so `else` follows if all of them do.
    let isEmpty = true;
    const pass = (value: Value, loop: Loop | null): End => {
      run.spend(1);
      run.scope = new Scope(around);
      if (loop !== null) run.scope.names.set('loop', loop.variable);
      assign(run, value);
      const end = body(run);
      if (end === 'end') isEmpty = false;
      return end;
    };
    try {
      if (hasVariable) {
        const recurse = node.isRecursive
          ? (more: Value, below: number): Value => run.capture(() => execute(run, around, more, below))
          : null;
        const loop = new Loop(run, values, test === null ? iterable : null, depth, recurse);
        for (let value = loop.next(); value !== undefined; value = loop.next())
          if (pass(value, loop) === 'break') break;
      } else for (const value of values) if (pass(value, null) === 'break') break;
    } finally {
      run.scope = outer;
    }
    return isEmpty && otherwise !== null ? inScope(run, around, () => otherwise(run)) : 'end';
  }

  return (run) => execute(run, run.scope, items(run), 0);
}

function compileCallBlock(node: Extract<Statement, { kind: 'callBlock' }>, place: Place): Execute {
  const { call, parameters, body, line } = node;
  if (call.kind !== 'call') throw new TemplateError('{% call %} needs a call of a macro', line);
  const of = compileExpression(call.of, place.isSoft);
  const { args, kwargs } = compileCall(call.call, place.isSoft);
  const makeCaller = compileMacro({ name: '', parameters, body, line }, compileBody(body, apart(place)));
  return (run) => {
    run.line = line;
    const caller = makeCaller(run);
    const macro = toCallable(of(run));
    const given = args(run);
    const named = kwargs(run);
    if (named.has('caller')) throw new TemplateError("got multiple values for keyword argument 'caller'");
    const text = macro(run, given, new Map([...named, ['caller', caller]]));
    if (!isText(text)) throw new TemplateError(`{% call %} needs a text, not ${typeOf(text)}`);
    run.write(toText(run, text));
    return 'end';
  };
}

function compileIf(node: Extract<Statement, { kind: 'if' }>, place: Place): Execute {
  const soft = { ...place, isSoft: true };
  const branches = node.branches.map(({ test, body }) => ({
    test: compileExpression(test, true),
    body: compileBody(body, soft),
    line: test.line,
  }));
  const otherwise = compileBody(node.otherwise, soft);
  return (run) => {
    for (const { test, body, line } of branches) {
      run.line = line;
      run.spend(1);
      if (isTrue(test(run))) return body(run);
    }
    return otherwise(run);
  };
}

function compileWith(node: Extract<Statement, { kind: 'with' }>, place: Place): Execute {
  const values = node.values.map(
    ({ target, value }) => [compileTarget(target), compileExpression(value, place.isSoft)] as const,
  );
  const body = compileBody(node.body, inner(place));
  return (run) => {
    // All of them before the first is assigned: none sees another.
    const given = values.map(([, value]) => value(run));
    return inScope(run, run.scope, () => {
      for (const [at, [assign]] of values.entries()) assign(run, given[at] ?? null);
      return body(run);
    });
  };
}

function compileSetBlock(node: Extract<Statement, { kind: 'setBlock' }>, place: Place): Execute {
  const assign = compileTarget(node.target);
  const filter = node.filter && compileExpression(node.filter, false);
  const body = compileBody(node.body, inner(place));
  return (run) => {
    const { text, end } = captureBody(run, body);
    if (end !== 'end') return end;
    run.captured = text;
    assign(run, filter === null ? text : filter(run));
    return 'end';
  };
}

function compileFilterBlock(node: Extract<Statement, { kind: 'filterBlock' }>, place: Place): Execute {
  const filter = compileExpression(node.filter, false);
  const body = compileBody(node.body, inner(place));
  return (run) => {
    const { text, end } = captureBody(run, body);
    if (end !== 'end') return end;
    run.captured = text;
    const value = filter(run);
    if (!isText(value)) throw new TemplateError(`the filter gives ${typeOf(value)}, not a text`);
    run.write(toText(run, value));
    return 'end';
  };
}

function compileBlock(node: Extract<Statement, { kind: 'block' }>, place: Place): Execute {
  const { name, isScoped, line } = node;
  if (place.blocks.has(name)) throw new TemplateError(`block '${name}' defined twice`, line);
  place.blocks.add(name);
  const body = compileBody(node.body, apart(place));
  return (run) => inScope(run, isScoped ? run.scope : run.root, () => body(run));
}

function compilePrint(of: Evaluate, line: number): Execute {
  return (run) => {
    run.line = line;
    run.write(toText(run, of(run)));
    return 'end';
  };
}

function compileStatement(node: Statement, place: Place): Execute {
  switch (node.kind) {
    case 'text': {
      const { text } = node;
      return (run) => {
        run.write(text);
        return 'end';
      };
    }
    case 'print':
      return compilePrint(compileExpression(node.of, place.isSoft), node.line);
    case 'set': {
      const assign = compileTarget(node.target);
      const value = compileExpression(node.value, place.isSoft);
      const { line } = node;
      return (run) => {
        run.line = line;
        run.spend(1);
        assign(run, value(run));
        return 'end';
      };
    }
    case 'setBlock':
      return compileSetBlock(node, place);
    case 'if':
      return compileIf(node, place);
    case 'for': {
      const execute = compileFor(node, place);
      const { line } = node;
      return (run) => {
        run.line = line;
        return execute(run);
      };
    }
    case 'break':
    case 'continue': {
      const { kind, line } = node;
      if (!place.isInLoop) throw new TemplateError(`'${kind}' outside of a loop`, line);
      return () => kind;
    }
    case 'macro': {
      const make = compileMacro(node, compileBody(node.body, apart(place)));
      const { name } = node;
      return (run) => {
        run.scope.names.set(name, make(run));
        return 'end';
      };
    }
    case 'callBlock':
      return compileCallBlock(node, place);
    case 'filterBlock':
      return compileFilterBlock(node, place);
    case 'with':
      return compileWith(node, place);
    case 'generation': {
      // A function of its own in Jinja2: what it sets stays inside, and no `continue` leaves it.
      const body = compileBody(node.body, apart(place));
      return (run) => inScope(run, run.scope, () => body(run));
    }
    case 'block':
      return compileBlock(node, place);
    case 'other': {
      const { tag, line } = node;
      return (run) => {
        run.line = line;
        throw new TemplateError(`{% ${tag} %} needs another template, and a chat template has none`);
      };
    }
  }
}

function compileBody(body: Body, place: Place): Execute {
  const statements = body.map((node) => compileStatement(node, place));
  const [only] = statements;
  if (only === undefined) return () => 'end';
  if (statements.length === 1) return only;
  return (run) => {
    for (const statement of statements) {
      const end = statement(run);
      if (end !== 'end') return end;
    }
    return 'end';
  };
}

/** A whole template, as a function that writes. Throws TemplateError for what Jinja2 refuses to compile. */
export function compileTemplate(body: Body): (run: Run) => void {
  return compileBody(body, { isSoft: false, isInLoop: false, blocks: new Set() });
}
