// Chat templates as Python's Jinja2 renders them when transformers sets it up: immutable sandbox, trim_blocks,
// lstrip_blocks, loop controls, `generation`, and transformers' own tojson.
import { compileTemplate } from './compileBody.ts';
import { GLOBALS } from './globals.ts';
import { parseTemplate } from './parseTemplate.ts';
import { RaisedByTemplate, TemplateError, TooMuchWork } from './templateError.ts';
import { Dict, Float, Run, Scope, toInt, type Value } from './values.ts';

export interface Template {
  /**
   * The text. `values`: the names that the template finds, as `toPython` makes them. `now`: for strftime_now. Throws
   * TemplateError where Python refuses, and TooMuchWork where the template does not end.
   */
  render(values: ReadonlyMap<string, Value>, now: () => Date): string;
}

/** What JavaScript throws when the stack, a text or a bigint grows too large. */
function toTemplateError(error: unknown, line: number | null): unknown {
  if (error instanceof RangeError) return new TooMuchWork('the template calls itself without an end', line);
  if (!(error instanceof TemplateError) || error instanceof RaisedByTemplate || error.line !== null) return error;
  error.line = line;
  if (line !== null) error.message += ` (line ${line})`;
  return error;
}

/** Opens a template. Throws TemplateError for a text that is none. */
export function openTemplate(source: string): Template {
  let write: (run: Run) => void;
  try {
    write = compileTemplate(parseTemplate(source));
  } catch (error) {
    throw toTemplateError(error, null);
  }
  const globals = new Scope(null);
  for (const [name, value] of GLOBALS) globals.names.set(name, value);
  return {
    render(values, now) {
      const scope = new Scope(globals);
      for (const [name, value] of values) scope.names.set(name, value);
      const run = new Run(scope, now);
      try {
        write(run);
        return run.out;
      } catch (error) {
        throw toTemplateError(error, run.line);
      }
    },
  };
}

/** A JSON value as Python has it. JavaScript keeps no 1.0 apart from 1: what has to is read by `parseJson`. */
export function toPython(value: unknown): Value {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isInteger(value) ? toInt(BigInt(value)) : new Float(value);
  if (Array.isArray(value)) return value.map(toPython);
  if (typeof value !== 'object') return null;
  const dict = new Dict();
  for (const [key, item] of Object.entries(value)) if (item !== undefined) dict.set(key, toPython(item));
  return dict;
}
