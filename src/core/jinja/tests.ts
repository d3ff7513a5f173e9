// What may stand behind `is`.
import { bindArguments } from './bind.ts';
import { toCallable } from './attributes.ts';
import type { ParameterList } from './bind.ts';
import { isEqual } from './comparing.ts';
import { hasFilter } from './filterNames.ts';
import { isIterable, isTrue } from './iteration.ts';
import { readMethod } from './methods.ts';
import { applyBinary, compare } from './operators.ts';
import { toText } from './representation.ts';
import type { Comparison } from './syntax.ts';
import { TemplateError } from './templateError.ts';
import {
  Callable,
  Dict,
  Float,
  Instance,
  isNumber,
  isText,
  isWhole,
  Markup,
  Range,
  Thing,
  Tuple,
  Undefined,
  type Kwargs,
  type Run,
  type Value,
} from './values.ts';

type TestOf = (run: Run, value: Value, ...values: Value[]) => boolean;

interface TemplateTest {
  readonly parameters: ParameterList;
  readonly test: TestOf;
}

const plain = (test: TestOf): TemplateTest => ({ parameters: [], test });
const comparison = (operator: Comparison): TemplateTest => ({
  parameters: ['/other'],
  test: (run, value, other = null) => compare(run, operator, value, other),
});

function rest(run: Run, value: Value, by: Value): Value {
  return applyBinary(run, '%', value, by);
}

function isCallable(value: Value): boolean {
  return value instanceof Callable || (value instanceof Instance && value.call !== null) || value instanceof Undefined;
}

/** What has `__getitem__` and a length. */
function isSequence(value: Value): boolean {
  return (
    isText(value) ||
    Array.isArray(value) ||
    value instanceof Dict ||
    value instanceof Tuple ||
    value instanceof Range ||
    value instanceof Undefined
  );
}

/** A name to look up; '' for what is no text. Throws for what can't be looked up. */
function toName(value: Value): string {
  new Dict().get(value);
  return value instanceof Markup ? value.text : typeof value === 'string' ? value : '';
}

/** Whether `value.isupper()` and the like hold; of other values their text counts. */
function byMethod(name: string): TemplateTest {
  return plain((run, value) => {
    const method = readMethod(run, toText(run, value), name);
    return method !== undefined && isTrue(toCallable(method)(run, [], new Map()));
  });
}

const EQUAL = comparison('==');
const IN: TemplateTest = { parameters: ['/seq'], test: (run, value, all = null) => compare(run, 'in', value, all) };

const TESTS: Readonly<Record<string, TemplateTest>> = {
  '==': EQUAL,
  eq: EQUAL,
  equalto: EQUAL,
  '!=': comparison('!='),
  ne: comparison('!='),
  '>': comparison('>'),
  gt: comparison('>'),
  greaterthan: comparison('>'),
  '>=': comparison('>='),
  ge: comparison('>='),
  '<': comparison('<'),
  lt: comparison('<'),
  lessthan: comparison('<'),
  '<=': comparison('<='),
  le: comparison('<='),
  in: IN,
  boolean: plain((_run, value) => typeof value === 'boolean'),
  callable: plain((_run, value) => isCallable(value)),
  defined: plain((_run, value) => !(value instanceof Undefined)),
  divisibleby: {
    parameters: ['num'],
    test: (run, value, by = null) => isEqual(run, rest(run, value, by), 0),
  },
  escaped: plain((_run, value) => value instanceof Markup),
  even: plain((run, value) => isEqual(run, rest(run, value, 2), 0)),
  false: plain((_run, value) => value === false),
  filter: plain((_run, value) => hasFilter(toName(value))),
  float: plain((_run, value) => value instanceof Float),
  integer: plain((_run, value) => isWhole(value) && typeof value !== 'boolean'),
  iterable: plain((_run, value) => isIterable(value)),
  lower: byMethod('islower'),
  mapping: plain((_run, value) => value instanceof Dict),
  none: plain((_run, value) => value === null),
  number: plain((_run, value) => isNumber(value)),
  odd: plain((run, value) => isEqual(run, rest(run, value, 2), 1)),
  sameas: {
    parameters: ['other'],
    test: (_run, value, other = null) =>
      value === other && (!(value instanceof Thing) || value instanceof Undefined || value === other),
  },
  sequence: plain((_run, value) => isSequence(value)),
  string: plain((_run, value) => isText(value)),
  test: plain((_run, value) => hasTest(toName(value))),
  true: plain((_run, value) => value === true),
  undefined: plain((_run, value) => value instanceof Undefined),
  upper: byMethod('isupper'),
};

function readTest(name: string): TemplateTest | undefined {
  return Object.hasOwn(TESTS, name) ? TESTS[name] : undefined;
}

export function hasTest(name: string): boolean {
  return readTest(name) !== undefined;
}

/** `value is name(args)`. */
export function applyTest(run: Run, name: string, value: Value, args: readonly Value[], kwargs: Kwargs): boolean {
  run.spend(1);
  const found = readTest(name);
  if (found === undefined) throw new TemplateError(`there is no test named '${name}'`);
  return found.test(run, value, ...bindArguments(name, found.parameters, args, kwargs));
}
