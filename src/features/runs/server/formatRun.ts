// What one format says about one run: one piece of evidence, or several if the run was resumed. Those of several formats are
// compared by their values and times. A curve is of one format: sources are never mixed, since they log at other steps and
// with other precision. The parts of a resumed run are put together without what was trained twice. Pure.
import { numberOr } from '#core/contract/readJson.ts';
import { Curve } from './curve.ts';
import { toTrackerId, type FactSource, type RunEvidence } from './evidence.ts';
import { lastPart } from './paths.ts';
import type { CurvePoints, StoredPoints } from '#features/runs/server/curvePoints/columns.ts';
import { isEvaluation, isSummaryFigure } from './metricNames.ts';

export interface FormatRun {
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

/** The formatRuns of one format at one home, oldest first. */
export function toFormatRuns(evidence: readonly RunEvidence[]): FormatRun[] {
  const formatRuns: RunEvidence[][] = [];
  const sorted = evidence.length > 1 ? evidence.toSorted(compareStarts) : evidence;
  for (const each of sorted) {
    const named = formatRuns.find((sessions) => sessions.some((earlier) => isSaidContinuation(earlier, each)));
    const newest = formatRuns.at(-1);
    const previous = newest?.at(-1);
    const target = named ?? (previous && isContinuation(previous, each) ? newest : undefined);
    if (target) target.push(each);
    else formatRuns.push([each]);
  }
  return formatRuns.map((sessions) => ({ format: sessions[0]?.format ?? '', sessions }));
}

/** Points of each session that are compared. */
const COMPARED = 200;

type Values = ReadonlyMap<string, ReadonlyMap<number, number>>;

const METRICS = ['loss', 'eval/loss', 'reward'] as const;

/** The first and last values of a formatRun by metric and step. */
function toValues({ sessions }: FormatRun): Values {
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

const valuesOf = new WeakMap<FormatRun, Values>();

function readValues(formatRun: FormatRun): Values {
  const values = valuesOf.get(formatRun) ?? toValues(formatRun);
  valuesOf.set(formatRun, values);
  return values;
}

/** Printed logs have 4 digits, and drop zeros at the end; float32 has 6 that hold. */
const LEAST_DIGITS = 4;
const MOST_DIGITS = 6;

/** Significant digits of a number as it is written. */
const countDigits = (value: number): number =>
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
export function compareValues(a: FormatRun, b: FormatRun): { readonly same: number; readonly different: number } {
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

const signatureOf = new WeakMap<FormatRun, readonly string[]>();

/** The values of its loss as texts that are equal if the values are, mostly: a rounded value may fall to either side. */
export function toSignature(formatRun: FormatRun): readonly string[] {
  const known = signatureOf.get(formatRun);
  if (known) return known;
  const loss = readValues(formatRun).get('loss') ?? new Map<number, number>();
  const signature = [...loss].slice(0, 50).map(([step, value]) => `${step}:${value.toPrecision(4)}`);
  signatureOf.set(formatRun, signature);
  return signature;
}

export function overlapsInTime(a: FormatRun, b: FormatRun): boolean {
  const range = ({ sessions }: FormatRun): readonly [number | null, number | null] => {
    const [first] = sessions;
    const last = sessions.at(-1);
    return [first ? toStart(first) : null, last ? toEnd(last) : null];
  };
  const [aStart, aEnd] = range(a);
  const [bStart, bEnd] = range(b);
  if (aStart === null || aEnd === null || bStart === null || bEnd === null) return false;
  return aStart <= bEnd && bStart <= aEnd;
}

export interface JoinedCurve {
  readonly name: string;
  readonly format: string;
  readonly source: FactSource;
  readonly length: number;
  readonly lastStep: number;
  readonly firstValue: number;
  readonly lastValue: number;
  /** NaN or null: unknown. */
  readonly lastTime: number | null;
  /** All points, or those from one place on. Decoded for each call; valid until the next change of the evidence. */
  read(from?: number): StoredPoints;
  /** What later sessions trained again, as a curve of its own; null: nothing. */
  readonly replaced: JoinedCurve | null;
}

type Curves = ReadonlyMap<string, Curve>;

/** How a part follows the ones before it. */
export interface Sequel {
  /** false: an earlier part had not ended when it began, so it repeats nothing. */
  readonly isLater: boolean;
  /** The step from which it trains again what was trained before; Infinity: it does not. */
  readonly resumesAt: number;
  /** The step from which its program says that no older point holds, of any metric; Infinity: it does not say so. */
  readonly purgesFrom: number;
  /** What is added to its steps because they begin again, at least; 0: they do not. */
  readonly offset: number;
}

/** Where a part trains again what earlier ones trained: the first step of a training metric that they have too. */
export function toResumedStep(earlier: readonly Curves[], later: Curves): number {
  let resumed = Infinity;
  for (const [name, { firstStep }] of later) {
    if (firstStep === null || isEvaluation(name) || isSummaryFigure(name)) continue;
    const isAgain = earlier.some((curves) => (curves.get(name)?.lastStep ?? -Infinity) >= firstStep);
    if (isAgain) resumed = Math.min(resumed, firstStep);
  }
  return resumed;
}

/** What leads the first step of a curve that begins again to the step after the last one. */
function toOffset(before: Curve, first: number): number {
  const { steps } = before.read(0, 2);
  const { lastStep, firstStep } = before;
  if (lastStep === null || firstStep === null || first > firstStep) return 0;
  return lastStep + Math.max(1, (steps[1] ?? 0) - (steps[0] ?? 0)) - first;
}

/**
 * The points of one metric. A part that trains again replaces what it logs itself, from its first step on. One that only
 * evaluates replaces the steps that it evaluated. null: no part has it.
 */
export function joinPoints(
  parts: readonly { readonly curve: Curve | undefined; readonly sequel: Sequel }[],
): Curve | null {
  const found = parts.filter(({ curve }) => (curve?.length ?? 0) > 0);
  if (found.length === 0) return null;
  const joined = new Curve({ replacesRepeats: found.every(({ sequel }) => sequel.isLater) });
  for (const { curve, sequel } of parts) {
    const { isLater, resumesAt, purgesFrom } = sequel;
    if (purgesFrom < Infinity) joined.dropFrom(purgesFrom);
    if (!curve || curve.length === 0) continue;
    const { steps, values, times, length } = curve.read();
    const offset = sequel.offset === 0 ? 0 : Math.max(sequel.offset, toOffset(joined, steps[0] ?? 0));
    if (curve.replaced) joined.keepReplaced(curve.replaced.read(), offset);
    const first = (steps[0] ?? 0) + offset;
    const from = Math.min(first, resumesAt);
    if (isLater && (resumesAt < Infinity || first >= (joined.lastStep ?? Infinity))) joined.dropFrom(from);
    for (let at = 0; at < length; at += 1) {
      const time = times?.[at];
      const shown = time === undefined || Number.isNaN(time) ? null : time;
      joined.put((steps[at] ?? 0) + offset, values[at] ?? Number.NaN, shown);
    }
  }
  return joined;
}

const FIRST: Sequel = { isLater: true, resumesAt: Infinity, purgesFrom: Infinity, offset: 0 };

/** Values that are looked at to see how precise a source is. */
const SAMPLED = 24;

/** Mean number of significant digits. */
function toDigits({ values, length }: CurvePoints): number {
  let digits = 0;
  let count = 0;
  const stride = Math.max(1, Math.floor(length / SAMPLED));
  for (let at = 0; at < length; at += stride) {
    const value = values[at] ?? Number.NaN;
    if (!Number.isFinite(value)) continue;
    digits += countDigits(value);
    count += 1;
  }
  return count === 0 ? 0 : digits / count;
}

/**
 * How each session of a formatRun follows. A session that has the run's id, and yet begins at its first step again, either
 * counts anew (W&B resumed offline) or trains anew: nobody says which, so nothing of the earlier one is dropped.
 */
function toSequels({ sessions }: FormatRun): readonly Sequel[] {
  let endedAt = -Infinity;
  const sequels: Sequel[] = [];
  for (const [at, session] of sessions.entries()) {
    const isLater = (toStart(session) ?? Infinity) >= endedAt;
    const main = toMainCurve(session);
    const earlier = sessions.slice(0, at).map(({ curves }) => curves);
    const before = main && joinPoints(earlier.map((curves, part) => toPart(curves.get(main.name), sequels[part])));
    const offset = isLater && before && before.length > 1 ? toOffset(before, main.curve.firstStep ?? Infinity) : 0;
    const resumesAt = isLater && offset === 0 ? toResumedStep(earlier, session.curves) : Infinity;
    sequels.push({ offset, isLater, resumesAt, purgesFrom: Infinity });
    endedAt = Math.max(endedAt, toEnd(session) ?? -Infinity);
  }
  return sequels;
}

const toPart = (curve: Curve | undefined, sequel: Sequel | undefined) => ({ curve, sequel: sequel ?? FIRST });

/** What is doubtful about the sessions of a run, for people. */
export function toSessionProblems(formatRun: FormatRun): readonly string[] {
  const { sessions } = formatRun;
  if (sessions.length < 2) return [];
  return toSequels(formatRun).flatMap(({ offset }, at) =>
    offset === 0
      ? []
      : [
          `Session ${at + 1} of ${sessions.length} of this run begins at its first step again, as W&B does when it is resumed ` +
            `offline. No value is dropped: ${offset} is added to its steps. Log your own step, such as train/global_step, to see that one.`,
        ],
  );
}

function toOneCurve(name: string, formatRun: FormatRun): Curve | null {
  const [only, ...more] = formatRun.sessions;
  if (only && more.length === 0) return only.curves.get(name) ?? null;
  const sequels = toSequels(formatRun);
  return joinPoints(formatRun.sessions.map(({ curves }, at) => toPart(curves.get(name), sequels[at])));
}

/** What the names of replaced points begin with. */
const REPLACED = 'replaced/';

/** Sources with nearly as many points as the best are chosen among by their digits. */
const NEARLY = 0.98;

/** The curve from the format with most points, and of those with most digits; null: no points. */
export function joinCurve(name: string, formatRuns: readonly FormatRun[]): JoinedCurve | null {
  const found = formatRuns.flatMap((formatRun) => {
    if (!formatRun.sessions.some(({ curves }) => (curves.get(name)?.length ?? 0) > 0)) return [];
    const curve = toOneCurve(name, formatRun);
    return curve && curve.length > 0 ? [{ formatRun, curve }] : [];
  });
  const most = found.reduce((high, { curve }) => Math.max(high, curve.length), 0);
  const [best] = found
    .filter(({ curve }) => curve.length >= most * NEARLY)
    .map(({ formatRun, curve }) => ({ formatRun, curve, digits: found.length > 1 ? toDigits(curve.read()) : 0 }))
    .toSorted((a, b) => b.digits - a.digits || b.curve.length - a.curve.length);
  if (!best) return null;
  // A trainer's state holds only what counts, the event files beside it all that was logged.
  const again = [best, ...found].find(({ curve }) => curve.replaced !== null);
  return {
    ...toJoined(name, best),
    replaced: again?.curve.replaced
      ? toJoined(`${REPLACED}${name}`, { formatRun: again.formatRun, curve: again.curve.replaced })
      : null,
  };
}

function toJoined(
  name: string,
  { formatRun, curve }: { readonly formatRun: FormatRun; readonly curve: Curve },
): JoinedCurve {
  // The curve grows before the runs are joined again.
  const { length, lastStep, firstValue, lastValue, lastTime } = curve;
  const newest = formatRun.sessions.at(-1);
  return {
    name,
    format: formatRun.format,
    source: newest?.curveSource ?? { file: newest?.folder ?? '', place: null },
    length,
    lastStep: lastStep ?? 0,
    firstValue: firstValue ?? Number.NaN,
    lastValue: lastValue ?? Number.NaN,
    lastTime,
    read: (start = 0) => curve.read(start, length),
    replaced: null,
  };
}
