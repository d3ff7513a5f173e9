// The curve of one metric from one format: sources are never mixed, since they log at other steps and with other
// precision. The parts of a resumed run are put together without what was trained twice. Pure.
import { Curve } from './curve.ts';
import type { CurvePoints, StoredPoints } from '#features/runs/server/points/columns.ts';
import type { FactSource } from './evidence.ts';
import { isEvaluation, isSummaryFigure } from './metricNames.ts';
import { countDigits, toEnd, toMainCurve, toStart, type Strand } from './strand.ts';

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
 * How each session of a strand follows. A session that has the run's id, and yet begins at its first step again, either
 * counts anew (W&B resumed offline) or trains anew: nobody says which, so nothing of the earlier one is dropped.
 */
function toSequels({ sessions }: Strand): readonly Sequel[] {
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
export function toSessionProblems(strand: Strand): readonly string[] {
  const { sessions } = strand;
  if (sessions.length < 2) return [];
  return toSequels(strand).flatMap(({ offset }, at) =>
    offset === 0
      ? []
      : [
          `Session ${at + 1} of ${sessions.length} of this run begins at its first step again, as W&B does when it is resumed ` +
            `offline. No value is dropped: ${offset} is added to its steps. Log your own step, such as train/global_step, to see that one.`,
        ],
  );
}

function toOneCurve(name: string, strand: Strand): Curve | null {
  const [only, ...more] = strand.sessions;
  if (only && more.length === 0) return only.curves.get(name) ?? null;
  const sequels = toSequels(strand);
  return joinPoints(strand.sessions.map(({ curves }, at) => toPart(curves.get(name), sequels[at])));
}

/** What the names of replaced points begin with. */
const REPLACED = 'replaced/';

/** Sources with nearly as many points as the best are chosen among by their digits. */
const NEARLY = 0.98;

/** The curve from the format with most points, and of those with most digits; null: no points. */
export function joinCurve(name: string, strands: readonly Strand[]): JoinedCurve | null {
  const found = strands.flatMap((strand) => {
    if (!strand.sessions.some(({ curves }) => (curves.get(name)?.length ?? 0) > 0)) return [];
    const curve = toOneCurve(name, strand);
    return curve && curve.length > 0 ? [{ strand, curve }] : [];
  });
  const most = found.reduce((high, { curve }) => Math.max(high, curve.length), 0);
  const [best] = found
    .filter(({ curve }) => curve.length >= most * NEARLY)
    .map(({ strand, curve }) => ({ strand, curve, digits: found.length > 1 ? toDigits(curve.read()) : 0 }))
    .toSorted((a, b) => b.digits - a.digits || b.curve.length - a.curve.length);
  if (!best) return null;
  // A trainer's state holds only what counts, the event files beside it all that was logged.
  const again = [best, ...found].find(({ curve }) => curve.replaced !== null);
  return {
    ...toJoined(name, best),
    replaced: again?.curve.replaced
      ? toJoined(`${REPLACED}${name}`, { strand: again.strand, curve: again.curve.replaced })
      : null,
  };
}

function toJoined(name: string, { strand, curve }: { readonly strand: Strand; readonly curve: Curve }): JoinedCurve {
  // The curve grows before the runs are joined again.
  const { length, lastStep, firstValue, lastValue, lastTime } = curve;
  const newest = strand.sessions.at(-1);
  return {
    name,
    format: strand.format,
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
