// Texts from phrases: `[a|b]` is one of several, `{city}` is filled in. The same seed gives the same texts on every machine.
import { openRandom } from '#trainer/model/random.ts';

export interface Draw {
  /** A whole number from `low` to `high`, both possible. */
  number(low: number, high: number): number;
  one<T>(values: readonly T[]): T;
  /** True for a part of all calls, from 0 to 1. */
  chance(part: number): boolean;
  /** The text of a phrase. Slots without a value stay as they are. */
  phrase(phrase: string, slots?: Readonly<Record<string, string>>): string;
}

/** The innermost choice: brackets that hold no others. */
const CHOICE = /\[([^[\]]*)\]/;
const SLOT = /\{(\w+)\}/g;

export function openDraw(seed: number): Draw {
  const random = openRandom(seed);
  const one = <T>(values: readonly T[]): T => {
    const found = values[Math.floor(random() * values.length)];
    if (found === undefined) throw new RangeError('There is nothing to draw from.');
    return found;
  };
  return {
    number: (low, high) => low + Math.floor(random() * (high - low + 1)),
    one,
    chance: (part) => random() < part,
    phrase(phrase, slots = {}) {
      let text = phrase;
      for (let found = CHOICE.exec(text); found !== null; found = CHOICE.exec(text)) {
        const chosen = one((found[1] ?? '').split('|'));
        text = text.slice(0, found.index) + chosen + text.slice(found.index + found[0].length);
      }
      return text
        .replace(SLOT, (whole, name: string) => slots[name] ?? whole)
        .replace(/ {2,}/g, ' ')
        .replace(/ ([.,!?])/g, '$1')
        .trim();
    },
  };
}

/** So many rows, no two of the same prompt. `toRow` may be called more often. */
export function toUnlike<Row extends { readonly prompt: string }>(count: number, toRow: () => Row): readonly Row[] {
  const rows = new Map<string, Row>();
  for (let tries = 0; rows.size < count; tries += 1) {
    if (tries > count * 100) throw new Error(`The phrases give only ${rows.size} texts of ${count}.`);
    const row = toRow();
    if (!rows.has(row.prompt)) rows.set(row.prompt, row);
  }
  return [...rows.values()];
}
