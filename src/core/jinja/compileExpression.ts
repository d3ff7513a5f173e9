// Expressions as functions that give their value.
import { getAttribute, getItem, getSlice, toCallable } from './attributes.ts';
import { hasFilter } from './filterNames.ts';
import { applyFilter } from './filterTable.ts';
import { isTrue, iterate } from './iteration.ts';
import { affirm, applyBinary, compare, negate } from './operators.ts';
import { toText } from './representation.ts';
import type { Call, Expression } from './syntax.ts';
import { TemplateError } from './templateError.ts';
import { applyTest, hasTest } from './tests.ts';
import { Dict, isText, NO_KWARGS, Tuple, typeOf, Undefined, type Kwargs, type Run, type Value } from './values.ts';

export type Evaluate = (run: Run) => Value;

export interface CompiledCall {
  readonly args: (run: Run) => readonly Value[];
  readonly kwargs: (run: Run) => Kwargs;
}

const NO_ARGS: readonly Value[] = [];

function toKwargs(run: Run, given: readonly (readonly [string, Evaluate])[], more: Evaluate | null): Kwargs {
  const kwargs = new Map<string, Value>();
  for (const [name, value] of given) kwargs.set(name, value(run));
  if (more === null) return kwargs;
  const added = more(run);
  if (!(added instanceof Dict)) throw new TemplateError(`argument after ** must be a mapping, not ${typeOf(added)}`);
  for (const [key, value] of added.entries()) {
    const name = isText(key) ? toText(run, key) : null;
    if (name === null) throw new TemplateError('keywords must be strings');
    if (kwargs.has(name)) throw new TemplateError(`got multiple values for keyword argument '${name}'`);
    kwargs.set(name, value);
  }
  return kwargs;
}

/** `isSoft`: a name of a filter that does not exist matters only once it is reached, as inside an `if`. */
export function compileCall({ args, kwargs, moreArgs, moreKwargs }: Call, isSoft: boolean): CompiledCall {
  const given = args.map((arg) => compileExpression(arg, isSoft));
  const more = moreArgs && compileExpression(moreArgs, isSoft);
  const named = kwargs.map(({ name, value }) => [name, compileExpression(value, isSoft)] as const);
  const moreNamed = moreKwargs && compileExpression(moreKwargs, isSoft);
  const [only] = given;
  let toArgs: CompiledCall['args'];
  if (more !== null) toArgs = (run) => [...given.map((arg) => arg(run)), ...iterate(run, more(run))];
  else if (only === undefined) toArgs = () => NO_ARGS;
  else if (given.length === 1) toArgs = (run) => [only(run)];
  else toArgs = (run) => given.map((arg) => arg(run));
  return {
    args: toArgs,
    kwargs: named.length === 0 && moreNamed === null ? () => NO_KWARGS : (run) => toKwargs(run, named, moreNamed),
  };
}

function compileCompare({ first, rest }: Extract<Expression, { kind: 'compare' }>, isSoft: boolean): Evaluate {
  const start = compileExpression(first, isSoft);
  const steps = rest.map(({ operator, of }) => ({ operator, value: compileExpression(of, isSoft) }));
  const [only] = steps;
  if (steps.length === 1 && only !== undefined) {
    const { operator, value } = only;
    return (run) => compare(run, operator, start(run), value(run));
  }
  return (run) => {
    let left = start(run);
    for (const { operator, value } of steps) {
      const right = value(run);
      if (!compare(run, operator, left, right)) return false;
      left = right;
    }
    return true;
  };
}

function compileFilter(node: Extract<Expression, { kind: 'filter' }>, isSoft: boolean): Evaluate {
  const { name, line } = node;
  if (!isSoft && !hasFilter(name)) throw new TemplateError(`there is no filter named '${name}'`, line);
  const of: Evaluate = node.of === null ? (run) => run.captured : compileExpression(node.of, isSoft);
  const { args, kwargs } = compileCall(node.call, isSoft);
  return (run) => applyFilter(run, name, of(run), args(run), kwargs(run));
}

function compileTest(node: Extract<Expression, { kind: 'test' }>, isSoft: boolean): Evaluate {
  const { name, line } = node;
  if (!isSoft && !hasTest(name)) throw new TemplateError(`there is no test named '${name}'`, line);
  const of = compileExpression(node.of, isSoft);
  if (name === 'defined') return (run) => !(of(run) instanceof Undefined);
  const { args, kwargs } = compileCall(node.call, isSoft);
  return (run) => applyTest(run, name, of(run), args(run), kwargs(run));
}

function compileChoice(node: Extract<Expression, { kind: 'choice' }>): Evaluate {
  const test = compileExpression(node.test, true);
  const yes = compileExpression(node.yes, true);
  const no = node.no && compileExpression(node.no, true);
  const message = `the inline if-expression on line ${node.line} evaluated to false and no else section was defined.`;
  return (run) => (isTrue(test(run)) ? yes(run) : no === null ? new Undefined(message) : no(run));
}

function compileDict(node: Extract<Expression, { kind: 'dict' }>, isSoft: boolean): Evaluate {
  const pairs = node.pairs.map(
    ([key, value]) => [compileExpression(key, isSoft), compileExpression(value, isSoft)] as const,
  );
  return (run) => {
    const dict = new Dict();
    for (const [key, value] of pairs) dict.set(key(run), value(run));
    return dict;
  };
}

function compileItems(node: Extract<Expression, { kind: 'list' | 'tuple' | 'concat' }>, isSoft: boolean): Evaluate {
  const items = node.items.map((item) => compileExpression(item, isSoft));
  if (node.kind === 'list') return (run) => items.map((item) => item(run));
  if (node.kind === 'tuple') return (run) => new Tuple(items.map((item) => item(run)));
  return (run) => {
    const values = items.map((item) => item(run));
    let text = '';
    for (const value of values) text += toText(run, value);
    run.grow(text.length);
    return text;
  };
}

/** Throws TemplateError for names of filters and tests that do not exist. */
export function compileExpression(node: Expression, isSoft: boolean): Evaluate {
  switch (node.kind) {
    case 'constant': {
      const { value } = node;
      return () => value;
    }
    case 'name': {
      const { name } = node;
      return (run) => run.read(name);
    }
    case 'list':
    case 'tuple':
    case 'concat':
      return compileItems(node, isSoft);
    case 'dict':
      return compileDict(node, isSoft);
    case 'attribute': {
      const of = compileExpression(node.of, isSoft);
      const { name } = node;
      return (run) => getAttribute(run, of(run), name);
    }
    case 'item': {
      const of = compileExpression(node.of, isSoft);
      const key = compileExpression(node.key, isSoft);
      return (run) => getItem(run, of(run), key(run));
    }
    case 'slice': {
      const of = compileExpression(node.of, isSoft);
      const bounds = node.bounds.map((bound) => bound && compileExpression(bound, isSoft));
      return (run) =>
        getSlice(
          run,
          of(run),
          bounds.map((bound) => (bound === null ? null : bound(run))),
        );
    }
    case 'call': {
      const of = compileExpression(node.of, isSoft);
      const { args, kwargs } = compileCall(node.call, isSoft);
      return (run) => {
        const call = toCallable(of(run));
        run.spend(1);
        return call(run, args(run), kwargs(run));
      };
    }
    case 'filter':
      return compileFilter(node, isSoft);
    case 'test':
      return compileTest(node, isSoft);
    case 'unary': {
      const of = compileExpression(node.of, isSoft);
      if (node.operator === 'not') return (run) => !isTrue(of(run));
      const change = node.operator === '-' ? negate : affirm;
      return (run) => change(of(run));
    }
    case 'binary': {
      const { operator } = node;
      const left = compileExpression(node.left, isSoft);
      const right = compileExpression(node.right, isSoft);
      return (run) => applyBinary(run, operator, left(run), right(run));
    }
    case 'and':
    case 'or': {
      const left = compileExpression(node.left, isSoft);
      const right = compileExpression(node.right, isSoft);
      const isAnd = node.kind === 'and';
      return (run) => {
        const value = left(run);
        return isTrue(value) === isAnd ? right(run) : value;
      };
    }
    case 'compare':
      return compileCompare(node, isSoft);
    case 'choice':
      return compileChoice(node);
  }
}
