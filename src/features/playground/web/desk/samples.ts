// Samples of one message: their seeds, and how far they agree. Pure.
import { toAgreement } from '#features/evaluation/shared/agreement.ts';
import { toContentKey } from '#features/evaluation/shared/toolCalls.ts';
import { isBusy, type Answer } from './desk.ts';

/** One seed for each sample, counting up from the first; null: none is sent, the service chooses one. */
export function toSeeds(seed: number | null, count: number): readonly (number | null)[] {
  return Array.from({ length: count }, (_, index) => (seed === null ? null : seed + index));
}

interface SampleGroup {
  readonly text: string;
  readonly count: number;
  /** Index of its first answer among all versions. */
  readonly version: number;
  /** The group contains the version on show. */
  readonly isShown: boolean;
}

export interface SampleSet {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly stopped: number;
  readonly running: number;
  /** 1-based place of the version on show among the samples. */
  readonly place: number;
  /** Distinct answers, the most frequent first. */
  readonly groups: readonly SampleGroup[];
}

/** The text that represents an answer: its text and its tool calls. */
function toShownText({ message }: Answer): string {
  return [message.text.trim(), ...message.toolCalls.map((call) => `${call.name}(${call.arguments})`)]
    .filter(Boolean)
    .join('\n');
}

/** The sample set of the version on show; null if the version isn't part of a set. */
export function toSampleSet(versions: readonly Answer[], shown: number): SampleSet | null {
  const batch = versions[shown]?.batch ?? null;
  if (batch === null) return null;
  const places = versions.flatMap((answer, index) => (answer.batch === batch ? [index] : []));
  if (places.length < 2) return null;
  const count = (isCounted: (answer: Answer) => boolean): number =>
    places.filter((place) => versions[place] !== undefined && isCounted(versions[place])).length;
  const done = places.filter((place) => versions[place]?.phase === 'done');
  // As in the grid: the order and the white space of calls don't matter.
  const keys = done.map((place) =>
    toContentKey(versions[place]?.message.text ?? '', versions[place]?.message.toolCalls ?? []),
  );
  const groups = toAgreement(keys).groups.map(({ places: within }): SampleGroup => {
    const all = within.map((index) => done[index] ?? 0);
    const first = versions[all[0] ?? 0];
    return {
      text: first ? toShownText(first) : '',
      count: all.length,
      version: all[0] ?? 0,
      isShown: all.includes(shown),
    };
  });
  return {
    total: places.length,
    done: done.length,
    failed: count(({ phase }) => phase === 'failed' || phase === 'interrupted'),
    stopped: count(({ phase }) => phase === 'stopped'),
    running: count(({ phase }) => isBusy(phase)),
    place: places.indexOf(shown) + 1,
    groups,
  };
}

/** More counts than this are not written out. */
const MAX_COUNTS = 6;

/** "3 + 2": how many samples gave each answer, the most frequent first. */
function toCounts(groups: SampleSet['groups']): string {
  const counts = groups.slice(0, MAX_COUNTS).map(({ count }) => count);
  return [...counts, ...(groups.length > MAX_COUNTS ? ['…'] : [])].join(' + ');
}

/** "2 distinct answers (3 + 2)"; then counts of samples that are pending, failed or stopped. */
export function toSampleText({ total, done, failed, stopped, running, groups }: SampleSet): string {
  const equal = groups[0]?.count ?? 0;
  const agreed =
    groups.length === 1
      ? `all ${done} equal`
      : equal === 1
        ? `all ${done} different`
        : `${groups.length} distinct answers (${toCounts(groups)})`;
  const parts = [
    done === 0 ? '' : done === 1 ? '1 answer' : agreed,
    running === 0 ? '' : `${running} of ${total} to come`,
    failed === 0 ? '' : `${failed} failed`,
    stopped === 0 ? '' : `${stopped} stopped`,
  ];
  return parts.filter(Boolean).join(' · ');
}
