// Functions that every template has: Jinja2's, and transformers' raise_exception and strftime_now.
import { toIndex, withParameters } from './bind.ts';
import { formatDate } from './dates.ts';
import { iterate } from './iteration.ts';
import { toDict } from './methods.ts';
import { toText } from './representation.ts';
import { RaisedByTemplate, TemplateError } from './templateError.ts';
import { toStr } from './textFunctions.ts';
import { Callable, Dict, Instance, Namespace, Range, Undefined, type Kwargs, type Run, type Value } from './values.ts';

/** Jinja2's sandbox refuses longer ones. */
const MAX_RANGE = 100_000;

function makeRange(args: readonly Value[]): Range {
  if (args.length === 0 || args.length > 3)
    throw new TemplateError(`range expected 1 to 3 arguments, got ${args.length}`);
  const [first = 0, second, third = 1] = args.map(toIndex);
  if (third === 0) throw new TemplateError('range() arg 3 must not be zero');
  const range = second === undefined ? new Range(0, first, 1) : new Range(first, second, third);
  if (range.length > MAX_RANGE)
    throw new TemplateError(`Range too big. The sandbox blocks ranges larger than ${MAX_RANGE}.`);
  return range;
}

function makeDict(run: Run, args: readonly Value[], kwargs: Kwargs): Dict {
  if (args.length > 1) throw new TemplateError(`dict expected at most 1 argument, got ${args.length}`);
  const [given] = args;
  const dict = given === undefined ? new Dict() : toDict(run, given);
  for (const [name, value] of kwargs) dict.set(name, value);
  return dict;
}

/** Sets an attribute of a namespace. */
export function setField(namespace: Namespace, name: string, value: Value): void {
  if (name.startsWith('_'))
    throw new TemplateError(`an attribute of a namespace can't begin with an underscore, as '${name}' does`);
  namespace.values.set(name, value);
}

function makeNamespace(run: Run, args: readonly Value[], kwargs: Kwargs): Namespace {
  const namespace = new Namespace();
  for (const [key, value] of makeDict(run, args, kwargs).entries()) setField(namespace, toText(run, key), value);
  return namespace;
}

function makeCycler(items: readonly Value[]): Instance {
  if (items.length === 0) throw new TemplateError('at least one item has to be provided');
  let at = 0;
  const current = (): Value => items[at] ?? null;
  const next = new Callable('next', () => {
    const item = current();
    at = (at + 1) % items.length;
    return item;
  });
  const reset = new Callable('reset', () => {
    at = 0;
    return null;
  });
  return new Instance('Cycler', (name) =>
    name === 'next'
      ? next
      : name === 'reset'
        ? reset
        : name === 'current'
          ? current()
          : name === 'pos'
            ? at
            : undefined,
  );
}

function makeJoiner(separator: Value): Instance {
  let isUsed = false;
  return new Instance(
    'Joiner',
    (name) => (name === 'sep' ? separator : name === 'used' ? isUsed : undefined),
    () => {
      if (isUsed) return separator;
      isUsed = true;
      return '';
    },
  );
}

const callable = (name: string, call: Callable['call']): [string, Value] => [
  name,
  new Callable(name, call, 'function'),
];

const FROM_KEYS = new Callable('fromkeys', (run, args) => {
  const [keys = null, value = null] = args;
  const dict = new Dict();
  for (const key of iterate(run, keys)) dict.set(key, value);
  return dict;
});

/** Names that each template finds. */
export const GLOBALS: ReadonlyMap<string, Value> = new Map<string, Value>([
  callable('range', (_run, args) => makeRange(args)),
  ['dict', new Instance('TemplateDict', (name) => (name === 'fromkeys' ? FROM_KEYS : undefined), makeDict)],
  callable('namespace', makeNamespace),
  callable('cycler', (_run, args) => makeCycler(args)),
  callable(
    'joiner',
    withParameters('joiner', [['sep', ', ']], (_run, separator = ', ') => makeJoiner(separator)),
  ),
  callable('lipsum', () => {
    throw new TemplateError('lipsum() writes random text, which is not supported here');
  }),
  callable(
    'raise_exception',
    withParameters('raise_exception', ['message'], (run, message = '') => {
      throw new RaisedByTemplate(toText(run, message));
    }),
  ),
  callable(
    'strftime_now',
    withParameters('strftime_now', ['format'], (run, form = '') => {
      if (form instanceof Undefined) form.fail();
      return formatDate(run.now(), toStr(form));
    }),
  ),
]);
