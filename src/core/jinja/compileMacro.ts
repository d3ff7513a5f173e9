// Macros, and the bodies of `call`.
import { compileExpression } from './compileExpression.ts';
import { mentions } from './mentions.ts';
import type { Body, Parameter } from './syntax.ts';
import { TemplateError } from './templateError.ts';
import { Dict, Instance, Scope, Tuple, Undefined, type Kwargs, type Run, type Value } from './values.ts';

/** Runs a body with names of its own. */
export function inScope<T>(run: Run, around: Scope, body: () => T): T {
  const outer = run.scope;
  run.scope = new Scope(around);
  try {
    return body();
  } finally {
    run.scope = outer;
  }
}

export interface MacroFacts {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly body: Body;
  readonly line: number;
}

/**
 * `execute`: the compiled body. A macro as values: made anew each time its definition is reached, with the names around it.
 */
export function compileMacro(
  { name, parameters, body, line }: MacroFacts,
  execute: (run: Run) => unknown,
): (run: Run) => Instance {
  const names = parameters.map((one) => one.name);
  if (new Set(names).size < names.length) throw new TemplateError(`the macro '${name}' has a parameter twice`, line);
  const defaults = parameters.map((one) => one.default && compileExpression(one.default, false));
  const explicitCaller = names.indexOf('caller');
  const usesCaller = mentions(body, 'caller');
  if (usesCaller && explicitCaller !== -1 && defaults[explicitCaller] === null)
    throw new TemplateError('the parameter "caller" of a macro must be left out or have a default', line);
  const takesKwargs = mentions(body, 'kwargs') && !names.includes('kwargs');
  const takesVarargs = mentions(body, 'varargs') && !names.includes('varargs');

  function fillScope(run: Run, given: readonly Value[], kwargs: Kwargs): void {
    const { names: values } = run.scope;
    const rest = new Map(kwargs);
    const missing: number[] = [];
    for (const [at, key] of names.entries()) {
      const value = at < given.length ? given[at] : rest.get(key);
      if (at >= given.length) rest.delete(key);
      if (value === undefined) {
        missing.push(at);
        values.set(key, new Undefined(`parameter '${key}' was not provided`));
      } else values.set(key, value);
    }
    if (usesCaller && explicitCaller === -1) {
      const caller = rest.get('caller') ?? null;
      rest.delete('caller');
      values.set('caller', caller ?? new Undefined('No caller defined'));
    }
    if (takesKwargs) {
      const dict = new Dict();
      for (const [key, value] of rest) dict.set(key, value);
      values.set('kwargs', dict);
    } else if (rest.size > 0)
      throw new TemplateError(`macro '${name}' takes no keyword argument '${[...rest.keys()][0] ?? ''}'`);
    if (takesVarargs) values.set('varargs', new Tuple(given.slice(names.length)));
    else if (given.length > names.length)
      throw new TemplateError(`macro '${name}' takes not more than ${names.length} argument(s)`);
    for (const at of missing) {
      const value = defaults[at]?.(run);
      if (value !== undefined) values.set(names[at] ?? '', value);
    }
  }

  return (definition) => {
    const around = definition.scope;
    return new Instance(
      'Macro',
      (attribute) => {
        switch (attribute) {
          case 'name':
            return name === '' ? null : name;
          case 'arguments':
            return [...names];
          case 'catch_kwargs':
            return takesKwargs;
          case 'catch_varargs':
            return takesVarargs;
          case 'caller':
            return usesCaller;
          default:
            return undefined;
        }
      },
      (run, given, kwargs) =>
        inScope(run, around, () => {
          fillScope(run, given, kwargs);
          return run.capture(() => execute(run));
        }),
      null,
      () => `<Macro ${name === '' ? 'anonymous' : `'${name}'`}>`,
    );
  };
}
