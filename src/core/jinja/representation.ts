// str(value) and repr(value).
import { floatText, wholeText } from './numbers.ts';
import {
  Callable,
  Dict,
  DictView,
  Float,
  Instance,
  Iter,
  Markup,
  Namespace,
  Range,
  Tuple,
  Undefined,
  type Run,
  type Value,
} from './values.ts';

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };

/** repr(text). */
export function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inside = text.replace(/[\\\p{C}\p{Z}\uD800-\uDFFF]/gu, (one) => {
    if (one === ' ') return one;
    const escape = ESCAPES[one];
    if (escape !== undefined) return escape;
    const code = one.codePointAt(0) ?? 0;
    const digits = code.toString(16);
    if (code < 0x100) return `\\x${digits.padStart(2, '0')}`;
    return code < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
  });
  return `${mark}${mark === "'" ? inside.replaceAll("'", "\\'") : inside}${mark}`;
}

/** An address, as Python prints for objects without a form of their own: always the same one here. */
const ADDRESS = 'at 0x7f0000000000';

function listText(run: Run, items: Iterable<Value>): string {
  return Array.from(items, (item) => reprText(run, item)).join(', ');
}

function dictText(run: Run, entries: Iterable<readonly [Value, Value]>): string {
  return `{${Array.from(entries, ([key, value]) => `${reprText(run, key)}: ${reprText(run, value)}`).join(', ')}}`;
}

function thingText(run: Run, value: Exclude<Value, null | boolean | number | bigint | string>): string {
  if (Array.isArray(value)) return `[${listText(run, value)}]`;
  if (value instanceof Float) return floatText(value.value);
  if (value instanceof Dict) return dictText(run, value.entries());
  if (value instanceof Tuple) return `(${listText(run, value.items)}${value.items.length === 1 ? ',' : ''})`;
  if (value instanceof DictView) return `${value.type}([${listText(run, value)}])`;
  if (value instanceof Undefined) return 'Undefined';
  if (value instanceof Markup) return `Markup(${quote(value.text)})`;
  if (value instanceof Range) return `range(${value.start}, ${value.stop}${value.step === 1 ? '' : `, ${value.step}`})`;
  if (value instanceof Namespace) return `<Namespace ${dictText(run, value.values.entries())}>`;
  if (value instanceof Iter) return `<${value.type} object ${value.maker === '' ? '' : `${value.maker} `}${ADDRESS}>`;
  if (value instanceof Instance && value.represent !== null) return value.represent();
  if (value instanceof Callable) return `<built-in method ${value.name} of object ${ADDRESS}>`;
  return `<${value.type} object ${ADDRESS}>`;
}

/** repr(value). */
export function reprText(run: Run, value: Value): string {
  if (typeof value === 'string') {
    run.grow(value.length);
    return quote(value);
  }
  run.spend(1);
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number' || typeof value === 'bigint') return wholeText(value);
  return thingText(run, value);
}

/** str(value): what the template prints for it. */
export function toText(run: Run, value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof Markup) return value.text;
  if (value instanceof Undefined) return '';
  return reprText(run, value);
}
