// Unique names of columns, for heads, controls, choices and plots. Pure.
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toGroups } from '#features/experiments/shared/grouping.ts';
import { toCandidateName, toCandidateTitle, toOriginWords } from '#features/experiments/shared/trainingWords.ts';
import { toTraitTexts } from './columnTraits.ts';
import type { CompareColumn, ReadyColumn } from './compareColumns.ts';

export interface ColumnNames {
  /** By ref; no two are the same. */
  readonly names: ReadonlyMap<string, string>;
  /** By ref: what tells a column apart from others of the same name; only where there are others. */
  readonly traits: ReadonlyMap<string, string>;
}

/** A column's head has room for this much of a title and a place. Names that differ only behind it look the same. */
const SHOWN_TITLE = 36;
const SHOWN_PLACE = 60;

const toLook = (candidate: Candidate): string =>
  candidate.origin === 'run'
    ? `${toCandidateTitle(candidate).slice(0, SHOWN_TITLE)}\n${toOriginWords(candidate).slice(0, SHOWN_PLACE)}`
    : toCandidateName(candidate);

const toClippedTitle = (title: string): string =>
  title.length <= SHOWN_TITLE ? title : `${title.slice(0, SHOWN_TITLE).toWellFormed()}…`;

/** The distinguishing text comes before the run's place, because a list of choices shows only the first words. */
const toNameWith = (candidate: Candidate, text: string): string =>
  candidate.origin === 'run'
    ? `${toClippedTitle(toCandidateTitle(candidate))} · ${text} · ${toOriginWords(candidate)}`
    : `${toCandidateName(candidate)} · ${text}`;

const toPlaceText = (series: number): string => `column ${series + 1}`;

const isUnique = (texts: readonly string[]): boolean => new Set(texts).size === texts.length;

/** Columns that look the same get distinguishing texts, or their place in the address if nothing distinguishes them. */
export function toColumnNames(columns: readonly CompareColumn[]): ColumnNames {
  const ready = columns.filter((column): column is ReadyColumn => column.kind === 'ready');
  const names = new Map(
    columns.map((column) => [
      column.ref,
      column.kind === 'ready' ? toCandidateName(column.candidate) : toPlaceText(column.series),
    ]),
  );
  const traits = new Map<string, string>();
  for (const group of toGroups(ready, ({ candidate }) => toLook(candidate)).values()) {
    if (group.length === 1) continue;
    const texts = toTraitTexts(group);
    const isDistinct = isUnique([...texts.values()]);
    if (!isDistinct && isUnique(group.map(({ ref }) => names.get(ref) ?? ref))) continue;
    for (const { ref, series, candidate } of group) {
      const text = isDistinct ? (texts.get(ref) ?? '') : toPlaceText(series);
      traits.set(ref, text);
      names.set(ref, toNameWith(candidate, text));
    }
  }
  // A run's own name may equal the name that another run got above.
  for (const group of toGroups(ready, ({ ref }) => names.get(ref) ?? ref).values()) {
    if (group.length === 1) continue;
    for (const { ref, series } of group) {
      const place = toPlaceText(series);
      names.set(ref, `${names.get(ref) ?? ref} · ${place}`);
      traits.set(ref, traits.has(ref) ? `${traits.get(ref)}, ${place}` : place);
    }
  }
  return { names, traits };
}
