// Arguments of calls, laid on the parameters of what is called.
import { TemplateError } from './templateError.ts';
import { isWhole, Undefined, type Kwargs, type Run, type Value, typeOf } from './values.ts';

/** A name that must be given, or a name with its default. Names that begin with `/` are given by their place alone. */
export type ParameterList = readonly (string | readonly [name: string, value: Value])[];

/** Values in the order of the parameters. Throws where they do not fit. */
export function bindArguments(
  name: string,
  parameters: ParameterList,
  args: readonly Value[],
  kwargs: Kwargs,
): readonly Value[] {
  if (args.length > parameters.length)
    throw new TemplateError(`${name}() takes at most ${parameters.length} arguments (${args.length} given)`);
  let used = 0;
  const bound = parameters.map((parameter, at): Value => {
    const [key, fallback] = typeof parameter === 'string' ? [parameter, undefined] : parameter;
    const named = kwargs.get(key);
    if (named !== undefined) used += 1;
    const given = args[at];
    if (given !== undefined && named !== undefined)
      throw new TemplateError(`${name}() got multiple values for argument '${key}'`);
    const value = given ?? named ?? (given === null || named === null ? null : fallback);
    if (value === undefined) throw new TemplateError(`${name}() is missing the argument '${key.replace('/', '')}'`);
    return value;
  });
  if (used < kwargs.size) {
    const extra = [...kwargs.keys()].find((key) => !parameters.some((one) => one === key || one[0] === key));
    throw new TemplateError(`${name}() got an unexpected keyword argument '${extra ?? ''}'`);
  }
  return bound;
}

/** A function with named parameters, as calls reach it. */
export function withParameters(
  name: string,
  parameters: ParameterList,
  run: (run: Run, ...values: Value[]) => Value,
): (current: Run, args: readonly Value[], kwargs: Kwargs) => Value {
  return (current, args, kwargs) => run(current, ...bindArguments(name, parameters, args, kwargs));
}

/** An int that counts or points; bool is one too. Throws for what is none. */
export function toIndex(value: Value): number {
  if (isWhole(value)) return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(value)));
  if (value instanceof Undefined) value.fail();
  throw new TemplateError(`'${typeOf(value)}' object cannot be interpreted as an integer`);
}
