// Unique names of columns, for heads, controls, choices and plots, and the place of all runs, which is said once. Pure.
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { toGroups } from '#features/experiments/shared/grouping.ts';
import { toCandidateName, toCandidateTitle, toOriginWords } from '#features/experiments/shared/trainingWords.ts';
import { toTraitTexts } from './columnTraits.ts';
import type { CompareColumn, ReadyColumn } from './compareColumns.ts';

export interface ColumnNames {
  /** The beginning of a place that all runs share, if there are several: `Tickets › Round`; null: none. */
  readonly place: string | null;
  /** By ref: where a candidate comes from, without that place. */
  readonly origins: ReadonlyMap<string, string>;
  /** By ref; no two are the same. */
  readonly names: ReadonlyMap<string, string>;
  /** By ref: what tells a column apart from others of the same name; only where there are others. */
  readonly traits: ReadonlyMap<string, string>;
}

/** A column's head has room for this much of a title and a place. Names that differ only behind it look the same. */
const SHOWN_TITLE = 36;
const SHOWN_PLACE = 60;

const BELOW = ' › ';

function toSharedPlace(candidates: readonly Candidate[]): readonly string[] {
  const [first, ...others] = candidates
    .filter(({ origin }) => origin === 'run')
    .map(({ location }) => location?.split(BELOW) ?? []);
  if (!first || others.length === 0) return [];
  const end = first.findIndex((part, at) => others.some((other) => other[at] !== part));
  return end === -1 ? first : first.slice(0, end);
}

/** The column with only the rest of its run's place. */
function toBelow(column: ReadyColumn, place: readonly string[]): ReadyColumn {
  const { candidate } = column;
  if (candidate.origin !== 'run' || place.length === 0) return column;
  const location = candidate.location?.split(BELOW).slice(place.length).join(BELOW) || null;
  return { ...column, candidate: { ...candidate, location } };
}

const toLook = (candidate: Candidate): string =>
  candidate.origin === 'run'
    ? `${toCandidateTitle(candidate).slice(0, SHOWN_TITLE)}\n${toOriginWords(candidate).slice(0, SHOWN_PLACE)}`
    : toCandidateName(candidate);

const toClippedTitle = (title: string): string =>
  title.length <= SHOWN_TITLE ? title : `${title.slice(0, SHOWN_TITLE).toWellFormed()}…`;

const toName = (candidate: Candidate): string =>
  candidate.origin === 'run' && candidate.location === null ? toCandidateTitle(candidate) : toCandidateName(candidate);

/** The distinguishing text comes before the run's place, because a list of choices shows only the first words. */
function toNameWith(candidate: Candidate, text: string): string {
  if (candidate.origin !== 'run') return `${toCandidateName(candidate)} · ${text}`;
  const name = `${toClippedTitle(toCandidateTitle(candidate))} · ${text}`;
  return candidate.location === null ? name : `${name} · ${toOriginWords(candidate)}`;
}

const toPlaceText = (series: number): string => `column ${series + 1}`;

const isUnique = (texts: readonly string[]): boolean => new Set(texts).size === texts.length;

/** Columns that look the same get distinguishing texts, or their place in the address if nothing distinguishes them. */
export function toColumnNames(columns: readonly CompareColumn[]): ColumnNames {
  const found = columns.filter((column): column is ReadyColumn => column.kind === 'ready');
  const place = toSharedPlace(found.map(({ candidate }) => candidate));
  const ready = found.map((column) => toBelow(column, place));
  const names = new Map(columns.map(({ ref, series }) => [ref, toPlaceText(series)]));
  for (const { ref, candidate } of ready) names.set(ref, toName(candidate));
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
  // A run's own name may equal a name that another column got.
  if (!isUnique([...names.values()])) {
    for (const { ref, series } of columns) {
      const text = toPlaceText(series);
      names.set(ref, `${names.get(ref) ?? ref} · ${text}`);
      traits.set(ref, traits.has(ref) ? `${traits.get(ref)}, ${text}` : text);
    }
  }
  return {
    names,
    traits,
    origins: new Map(ready.map(({ ref, candidate }) => [ref, toOriginWords(candidate)])),
    place: place.length === 0 ? null : place.join(BELOW),
  };
}
