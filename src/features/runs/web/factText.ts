// How facts of a run and their sources are written, which settings differ, which match a search. Pure.
import type { RunFact } from '#features/runs/shared/runs.ts';
import { toNumberText } from '#core/contract/numberNotation.ts';

type Value = RunFact['value'];

export function toFactText(value: Value): string {
  if (value === null) return 'none';
  if (typeof value === 'number') return toNumberText(value);
  if (value === '') return 'empty text';
  return String(value);
}

/** "args/text_summary in runs/a/events.out.tfevents.1". */
export function toSourceText({ file, place, format }: RunFact['source']): string {
  const where = place === null ? file : `${place} in ${file}`;
  return where === '' ? format : where;
}

/** 1 is not "1", and a NaN that was written as text equals itself. */
const isSame = (a: Value | undefined, b: Value | undefined): boolean => Object.is(a, b);

export interface SettingRow {
  readonly name: string;
  readonly fact: RunFact | null;
  /** Of the other run; null: it does not have the setting. */
  readonly other: RunFact | null;
  readonly isDifferent: boolean;
}

/** The settings of a run beside those of another one, by name; those of one run alone differ. */
export function toSettingRows(own: readonly RunFact[], other: readonly RunFact[] | null): readonly SettingRow[] {
  const mine = new Map(own.map((fact) => [fact.name, fact]));
  const theirs = new Map((other ?? []).map((fact) => [fact.name, fact]));
  const names = [...new Set([...mine.keys(), ...theirs.keys()])].toSorted((a, b) => a.localeCompare(b));
  return names.map((name) => {
    const [fact = null, beside = null] = [mine.get(name), theirs.get(name)];
    return { name, fact, other: beside, isDifferent: other !== null && !isSame(fact?.value, beside?.value) };
  });
}

/** `find`: words that name or value has to hold, all of them, in any case. */
export function findSettings(rows: readonly SettingRow[], find: string): readonly SettingRow[] {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter(({ name, fact, other }) => {
    const text = [name, fact, other]
      .map((part) => (typeof part === 'string' ? part : part === null ? '' : toFactText(part.value)))
      .join('\n')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
