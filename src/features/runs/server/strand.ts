// A strand is what one format says about one run: one piece of evidence, or several if the run was resumed. Strands of
// several formats are compared by their values and times.
import { numberOr } from '#core/contract/reading.ts';
import type { Curve } from './curve.ts';
import type { RunEvidence } from './evidence.ts';
import { lastPart } from './paths.ts';
import { toTrackerId } from './sourceRank.ts';

export interface Strand {
  readonly format: string;
  /** Oldest first; more than one if the run was resumed. */
  readonly sessions: readonly RunEvidence[];
}

/** The training loss, else the longest curve that is not an evaluation. null: no curve yet. */
export function toMainCurve({ curves }: RunEvidence): { name: string; curve: Curve } | null {
  const loss = curves.get('loss');
  if (loss && loss.length > 0) return { name: 'loss', curve: loss };
  let best: { name: string; length: number } | null = null;
  for (const [name, { length }] of curves) {
    const isBetter =
      best === null || (best.name.startsWith('eval/') && !name.startsWith('eval/')) || length > best.length;
    if (length > 0 && isBetter) best = { name, length };
  }
  const curve = best && curves.get(best.name);
  return best && curve ? { name: best.name, curve } : null;
}

export function toStart(evidence: RunEvidence): number | null {
  return evidence.startedAt ?? numberOr(toMainCurve(evidence)?.curve.firstTime, null);
}

export function toEnd(evidence: RunEvidence): number | null {
  return evidence.endedAt ?? numberOr(toMainCurve(evidence)?.curve.lastTime, null) ?? evidence.lastSignAt;
}

/** How many steps lie between two points; null: it has fewer than two. */
function toGap(evidence: RunEvidence): number | null {
  const { steps, length } = toMainCurve(evidence)?.curve.read(0, 20) ?? { steps: [], length: 0 };
  let gap: number | null = null;
  for (let at = 1; at < length; at += 1) {
    const step = (steps[at] ?? 0) - (steps[at - 1] ?? 0);
    if (step > 0 && (gap === null || step < gap)) gap = step;
  }
  return gap;
}

function isNamed(name: string, evidence: RunEvidence): boolean {
  const { key, folder } = evidence;
  return name === toTrackerId(evidence) || name === key || name === folder || lastPart(name) === lastPart(folder);
}

/** Whether its tracker says that it goes on from the earlier one. */
const isSaidContinuation = (earlier: RunEvidence, later: RunEvidence): boolean =>
  (toTrackerId(later) !== null && toTrackerId(later) === toTrackerId(earlier)) ||
  (later.resumedFrom !== null && isNamed(later.resumedFrom, earlier));

/** Whether a later session went on from a checkpoint: its first point comes later than one that begins at step 0 has. */
function isContinuation(earlier: RunEvidence, later: RunEvidence): boolean {
  const first = toMainCurve(later)?.curve.firstStep ?? null;
  if (first === null) {
    const asked = later.parameters.get('resume_from_checkpoint')?.value;
    return asked !== undefined && asked !== null && asked !== false && asked !== 'False' && asked !== '';
  }
  const gap = toGap(later) ?? toGap(earlier) ?? toMainCurve(earlier)?.curve.firstStep ?? 1;
  return first > Math.max(gap, 1);
}

const compareStarts = (a: RunEvidence, b: RunEvidence): number =>
  (toStart(a) ?? Infinity) - (toStart(b) ?? Infinity) || (a.key < b.key ? -1 : 1);

/** The strands of one format at one home, oldest first. */
export function toStrands(evidence: readonly RunEvidence[]): Strand[] {
  const strands: RunEvidence[][] = [];
  const sorted = evidence.length > 1 ? evidence.toSorted(compareStarts) : evidence;
  for (const each of sorted) {
    const named = strands.find((sessions) => sessions.some((earlier) => isSaidContinuation(earlier, each)));
    const newest = strands.at(-1);
    const previous = newest?.at(-1);
    const target = named ?? (previous && isContinuation(previous, each) ? newest : undefined);
    if (target) target.push(each);
    else strands.push([each]);
  }
  return strands.map((sessions) => ({ format: sessions[0]?.format ?? '', sessions }));
}

/** Points of each session that are compared. */
const COMPARED = 200;

type Values = ReadonlyMap<string, ReadonlyMap<number, number>>;

const METRICS = ['loss', 'eval/loss', 'reward'] as const;

/** The first and last values of a strand by metric and step. */
function toValues({ sessions }: Strand): Values {
  const values = new Map<string, Map<number, number>>();
  for (const { curves } of sessions) {
    for (const name of METRICS) {
      const points = curves.get(name)?.read();
      if (!points || points.length === 0) continue;
      const found = values.get(name) ?? new Map<number, number>();
      values.set(name, found);
      for (let at = 0; at < points.length; at += 1) {
        if (at === COMPARED && points.length > 2 * COMPARED) at = points.length - COMPARED;
        found.set(points.steps[at] ?? 0, points.values[at] ?? 0);
      }
    }
  }
  return values;
}

const valuesOf = new WeakMap<Strand, Values>();

function readValues(strand: Strand): Values {
  const values = valuesOf.get(strand) ?? toValues(strand);
  valuesOf.set(strand, values);
  return values;
}

/** Printed logs have 4 digits, and drop zeros at the end; float32 has 6 that hold. */
const LEAST_DIGITS = 4;
const MOST_DIGITS = 6;

/** Significant digits of a number as it is written. */
export const countDigits = (value: number): number =>
  String(Math.abs(value))
    .replace(/e.*$/, '')
    .replaceAll(/[.]|^0+/g, '').length;

/** Equal to the last digit that both have. */
function isSameValue(a: number, b: number): boolean {
  if (Object.is(a, b)) return true;
  const digits = Math.min(MOST_DIGITS, Math.max(LEAST_DIGITS, Math.min(countDigits(a), countDigits(b))));
  const place = Math.floor(Math.log10(Math.max(Math.abs(a), Math.abs(b)))) - digits + 1;
  return Math.abs(a - b) <= 10 ** place;
}

/** How many values at the same steps are equal, and how many are not. */
export function compareValues(a: Strand, b: Strand): { readonly same: number; readonly different: number } {
  let same = 0;
  let different = 0;
  for (const [name, ours] of readValues(a)) {
    const theirs = readValues(b).get(name);
    if (!theirs) continue;
    for (const [step, value] of ours) {
      const other = theirs.get(step);
      if (other === undefined) continue;
      if (isSameValue(value, other)) same += 1;
      else different += 1;
    }
  }
  return { same, different };
}

const signatureOf = new WeakMap<Strand, readonly string[]>();

/** The values of its loss as texts that are equal if the values are, mostly: a rounded value may fall to either side. */
export function toSignature(strand: Strand): readonly string[] {
  const known = signatureOf.get(strand);
  if (known) return known;
  const loss = readValues(strand).get('loss') ?? new Map<number, number>();
  const signature = [...loss].slice(0, 50).map(([step, value]) => `${step}:${value.toPrecision(4)}`);
  signatureOf.set(strand, signature);
  return signature;
}

export function overlapsInTime(a: Strand, b: Strand): boolean {
  const range = ({ sessions }: Strand): readonly [number | null, number | null] => {
    const [first] = sessions;
    const last = sessions.at(-1);
    return [first ? toStart(first) : null, last ? toEnd(last) : null];
  };
  const [aStart, aEnd] = range(a);
  const [bStart, bEnd] = range(b);
  if (aStart === null || aEnd === null || bStart === null || bEnd === null) return false;
  return aStart <= bEnd && bStart <= aEnd;
}
