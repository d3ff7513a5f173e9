// The curve of one metric from one format: sources are never mixed, since they log at other steps and with other
// precision. The parts of a resumed run are put together without what was trained twice. Pure.
import { Curve, type CurvePoints } from './curve.ts';
import type { FactSource, RunEvidence } from './evidence.ts';
import { countDigits, type Strand } from './strand.ts';

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
  read(from?: number): CurvePoints;
}

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

/** Older points at and after the first step of a newer part are dropped. */
function joinParts(parts: readonly { points: CurvePoints; firstStep: number | null }[]): Curve {
  const joined = new Curve();
  for (const { points, firstStep } of parts) {
    if (firstStep !== null) joined.dropFrom(firstStep);
    const { steps, values, times, length } = points;
    for (let at = 0; at < length; at += 1) {
      const time = times?.[at];
      joined.push(steps[at] ?? 0, values[at] ?? Number.NaN, time === undefined || Number.isNaN(time) ? null : time);
    }
  }
  return joined;
}

function toOneCurve(
  name: string,
  { sessions }: Strand,
  firstStepOf: (evidence: RunEvidence) => number | null,
): Curve | null {
  const [only, ...more] = sessions;
  if (only && more.length === 0) return only.curves.get(name) ?? null;
  const empty = new Curve().read();
  return joinParts(
    sessions.map((session) => ({
      points: session.curves.get(name)?.read() ?? empty,
      firstStep: firstStepOf(session),
    })),
  );
}

/** Sources with nearly as many points as the best are chosen among by their digits. */
const NEARLY = 0.98;

/** The curve from the format with most points, and of those with most digits; null: no points. */
export function joinCurve(
  name: string,
  strands: readonly Strand[],
  firstStepOf: (evidence: RunEvidence) => number | null,
): JoinedCurve | null {
  const found = strands.flatMap((strand) => {
    if (!strand.sessions.some(({ curves }) => (curves.get(name)?.length ?? 0) > 0)) return [];
    const curve = toOneCurve(name, strand, firstStepOf);
    return curve && curve.length > 0 ? [{ strand, curve }] : [];
  });
  const most = found.reduce((high, { curve }) => Math.max(high, curve.length), 0);
  const [best] = found
    .filter(({ curve }) => curve.length >= most * NEARLY)
    .map(({ strand, curve }) => ({ strand, curve, digits: found.length > 1 ? toDigits(curve.read()) : 0 }))
    .toSorted((a, b) => b.digits - a.digits || b.curve.length - a.curve.length);
  const newest = best?.strand.sessions.at(-1);
  if (!best || !newest) return null;
  const { curve, strand } = best;
  // The curve grows before the runs are joined again.
  const { length, lastStep, firstValue, lastValue, lastTime } = curve;
  return {
    name,
    format: strand.format,
    source: newest.curveSource ?? { file: newest.folder, place: null },
    length,
    lastStep: lastStep ?? 0,
    firstValue: firstValue ?? Number.NaN,
    lastValue: lastValue ?? Number.NaN,
    lastTime,
    read: (from = 0) => curve.read(from, length),
  };
}
