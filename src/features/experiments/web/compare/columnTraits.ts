// Traits that findTraits columns of one name apart: base model, training type, a parameter, number, date, id. Pure.
import { parseRunRef } from '#ui/address/runRefs.ts';
import { toParameters } from '#features/experiments/shared/parameters.ts';
import { toGroups } from '#features/experiments/shared/grouping.ts';
import { toTrainingWord } from '#features/experiments/shared/trainingWords.ts';
import { shortId } from '#ui/kit/format.ts';
import { toCellText } from './cellText.ts';
import type { ReadyColumn } from './compareColumns.ts';

/** The text of a trait for a column. */
type Trait = (column: ReadyColumn) => string;

/** More texts than this are no clearer than an id. */
const MOST_TRAITS = 2;

/** The first characters of a date and time: 10 are the day, 16 the minute. */
function toCreatedText(created: string | null, length: 10 | 16): string {
  const time = created === null ? NaN : Date.parse(created);
  if (Number.isNaN(time)) return 'date not given';
  return `created ${new Date(time).toISOString().slice(0, length).replace('T', ' ')}${length === 16 ? ' UTC' : ''}`;
}

/** Id of the experiment, or of the snapshot that a candidate is recommended for. */
function toId({ ref }: ReadyColumn): string {
  const parsed = parseRunRef(ref);
  if (!parsed) return ref;
  return parsed.kind === 'experiment' ? parsed.experiment_id : parsed.snapshot_id;
}

/** How it was trained, the most telling traits first. Results are no traits. */
function toTraits(group: readonly ReadyColumn[]): readonly Trait[] {
  const parameters = toParameters(group.map(({ candidate }) => candidate)).filter(
    ({ id, isResult }) => !isResult && id !== 'base_model_id' && id !== 'training_type',
  );
  return [
    ({ candidate }) => candidate.base_model_id,
    ({ candidate }) => toTrainingWord(candidate.training_type) ?? 'training not given',
    ...parameters.map((parameter): Trait => ({ candidate }) => {
      const value = parameter.read(candidate);
      return `${parameter.label} ${value === null ? 'not given' : toCellText(parameter, value).text}`;
    }),
  ];
}

/** For columns with the same traits. */
const MARKS: readonly Trait[] = [
  ({ candidate }) => (candidate.place === null ? 'no number' : `#${candidate.place}`),
  ({ created }) => toCreatedText(created, 10),
  ({ created }) => toCreatedText(created, 16),
  (column) => `id ${shortId(toId(column))}`,
  (column) => `id ${toId(column)}`,
];

const countTexts = (group: readonly ReadyColumn[], trait: Trait): number => new Set(group.map(trait)).size;

function findTraits(
  group: readonly ReadyColumn[],
  traits: readonly Trait[],
  depth: number,
): ReadonlyMap<string, readonly string[]> {
  const isDistinct = (trait: Trait): boolean => countTexts(group, trait) === group.length;
  const trait =
    traits.find(isDistinct) ??
    (depth < MOST_TRAITS ? traits.find((entry) => countTexts(group, entry) > 1) : undefined) ??
    MARKS.find(isDistinct);
  // Nothing tells them apart, such as one run in two columns: the caller handles it.
  if (!trait) return new Map(group.map(({ ref }) => [ref, []]));
  const found = new Map<string, readonly string[]>();
  const parts = toGroups(group, trait);
  for (const [text, part] of parts) {
    const more = part.length > 1 ? findTraits(part, traits, depth + 1) : null;
    for (const { ref } of part) found.set(ref, [text, ...(more?.get(ref) ?? [])]);
  }
  return found;
}

/** By ref: texts that findTraits the columns of a group (two or more of one name) apart; equal or empty if nothing does. */
export function toTraitTexts(group: readonly ReadyColumn[]): ReadonlyMap<string, string> {
  return new Map([...findTraits(group, toTraits(group), 0)].map(([ref, texts]) => [ref, texts.join(', ')]));
}
