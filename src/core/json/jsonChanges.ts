// The difference of two JSON answers, by field. Pure.
import { findChanges, toIds } from '#core/differences/sequenceDiff.ts';
import { isObject, type JsonObject } from '#core/contract/readJson.ts';
import { toAnswerValue, toValueKey, toValueText } from './jsonValues.ts';

export interface JsonChange {
  /** `order.items[2].name`; empty: the whole answer. */
  readonly path: string;
  /** As JSON in one line; null: it is not there. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Steps to align two lists, together. Beyond them entries are compared by their place. */
const MAX_STEPS = 2_000_000;

const addName = (path: string, name: string): string => {
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
};

class Changes {
  readonly found: JsonChange[] = [];
  readonly #budget = { steps: MAX_STEPS };

  compare(path: string, before: unknown, after: unknown): void {
    if (toValueKey(before) === toValueKey(after)) return;
    if (Array.isArray(before) && Array.isArray(after)) this.#compareLists(path, before, after);
    else if (isObject(before) && isObject(after)) this.#compareObjects(path, before, after);
    else this.#add(path, [before], [after]);
  }

  #add(path: string, before: readonly unknown[], after: readonly unknown[]): void {
    const [a = null, b = null] = [before, after].map((given) => (given.length === 0 ? null : toValueText(given[0])));
    this.found.push({ path, before: a, after: b });
  }

  #compareObjects(path: string, before: JsonObject, after: JsonObject): void {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const at = addName(path, name);
      const [had, has] = [before, after].map((each) => Object.hasOwn(each, name));
      if (had === true && has === true) this.compare(at, before[name], after[name]);
      else this.#add(at, had === true ? [before[name]] : [], has === true ? [after[name]] : []);
    }
  }

  /** An entry that was put in or taken out moves the others, which are the same. */
  #compareLists(path: string, before: readonly unknown[], after: readonly unknown[]): void {
    const known = new Map<string, number>();
    const [a, b] = [toIds(known, before.map(toValueKey)), toIds(known, after.map(toValueKey))];
    const all = { before: { start: 0, end: before.length }, after: { start: 0, end: after.length } };
    for (const change of findChanges(a, b, this.#budget) ?? [all]) {
      const count = Math.max(change.before.end - change.before.start, change.after.end - change.after.start);
      for (let step = 0; step < count; step += 1) {
        const [from, to] = [change.before.start + step, change.after.start + step];
        const [had, has] = [from < change.before.end, to < change.after.end];
        const at = `${path}[${has ? to : from}]`;
        if (had && has) this.compare(at, before[from], after[to]);
        else this.#add(at, had ? [before[from]] : [], has ? [after[to]] : []);
      }
    }
  }
}

/** How the values of two JSON answers differ; empty: they are equal; null: one of them is no JSON answer. */
export function findJsonChanges(before: string, after: string): readonly JsonChange[] | null {
  const [a, b] = [toAnswerValue(before), toAnswerValue(after)];
  if (!a || !b || a.isFenced !== b.isFenced) return null;
  const changes = new Changes();
  changes.compare('', a.value, b.value);
  return changes.found;
}
