// pprint.pformat of Python, for the filter `pprint`: one line if it fits 80 characters, else an item a line.
import { compareValues } from './comparing.ts';
import { reprText, toText } from './representation.ts';
import { Dict, Group, isText, Tuple, typeOf, type Run, type Value } from './values.ts';

const WIDTH = 80;

class PrettyPrinter {
  constructor(private readonly run: Run) {}

  /** `left`: characters before it; `kept`: closing marks that follow in its line. */
  print(value: Value, left: number, kept: number): string {
    const line = this.toLine(value);
    // Python prints a group, which has a form of its own, in one line.
    if (line.length <= WIDTH - left - kept || value instanceof Group) return line;
    if (value instanceof Dict && value.size > 0) return this.printDict(value, left, kept);
    if (Array.isArray(value) && value.length > 0) return `[${this.printItems(value, left + 1, kept + 1)}]`;
    if (value instanceof Tuple && value.items.length > 0) {
      const end = value.items.length === 1 ? ',)' : ')';
      return `(${this.printItems(value.items, left + 1, kept + end.length)}${end}`;
    }
    return isText(value) ? this.printText(toText(this.run, value), left, kept) : line;
  }

  private sort(dict: Dict): (readonly [Value, Value])[] {
    return [...dict.entries()].sort(([left], [right]) => {
      if (isText(left) === isText(right) && typeOf(left) === typeOf(right))
        return compareValues(this.run, left, right, '<');
      return typeOf(left) < typeOf(right) ? -1 : 1;
    });
  }

  /** All in one line: dicts sorted by their keys. */
  private toLine(value: Value): string {
    if (value instanceof Dict)
      return `{${this.sort(value)
        .map(([key, item]) => `${this.toLine(key)}: ${this.toLine(item)}`)
        .join(', ')}}`;
    if (Array.isArray(value)) return `[${value.map((item) => this.toLine(item)).join(', ')}]`;
    if (value instanceof Tuple)
      return `(${value.items.map((item) => this.toLine(item)).join(', ')}${value.items.length === 1 ? ',' : ''})`;
    return reprText(this.run, value);
  }

  private printDict(dict: Dict, left: number, kept: number): string {
    const entries = this.sort(dict);
    const lines = entries.map(([key, value], at) => {
      const start = `${reprText(this.run, key)}: `;
      return start + this.print(value, left + 1 + start.length, at === entries.length - 1 ? kept + 1 : 1);
    });
    return `{${lines.join(`,\n${' '.repeat(left + 1)}`)}}`;
  }

  private printItems(items: readonly Value[], left: number, kept: number): string {
    return items
      .map((item, at) => this.print(item, left, at === items.length - 1 ? kept : 1))
      .join(`,\n${' '.repeat(left)}`);
  }

  /** A long text as several strings, cut at its lines and between its words. */
  private printText(text: string, given: number, keptGiven: number): string {
    const isNested = given > 0 || keptGiven > 0;
    const left = isNested ? given : given + 1;
    const kept = isNested ? keptGiven : keptGiven + 1;
    const chunks: string[] = [];
    const lines = text.split(/(?<=\n)/);
    for (const [at, line] of lines.entries()) {
      const isLast = at === lines.length - 1;
      const room = WIDTH - left - (isLast ? kept : 0);
      const whole = reprText(this.run, line);
      if (whole.length <= room) {
        chunks.push(whole);
        continue;
      }
      const parts = line.match(/\S*\s*/g)?.filter((part) => part !== '') ?? [];
      let current = '';
      for (const [place, part] of parts.entries()) {
        const candidate = current + part;
        const limit = isLast && place === parts.length - 1 ? room : WIDTH - left;
        if (reprText(this.run, candidate).length > limit) {
          if (current !== '') chunks.push(reprText(this.run, current));
          current = part;
        } else current = candidate;
      }
      if (current !== '') chunks.push(reprText(this.run, current));
    }
    if (chunks.length === 1) return reprText(this.run, text);
    const joined = chunks.join(`\n${' '.repeat(left)}`);
    return isNested ? joined : `(${joined})`;
  }
}

/** pformat(value). */
export function prettyText(run: Run, value: Value): string {
  return new PrettyPrinter(run).print(value, 0, 0);
}
