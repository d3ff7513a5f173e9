// The event files of one folder become runs: a program that was resumed, or that evaluates after its training, begins
// another file of the same run; one that starts from the first step again is another run.
import { Curve } from '#server/runs/curve.ts';
import { isEvaluation, toMetricName } from '#server/runs/metricNames.ts';
import type { EventFile } from './eventFile.ts';
import { isSummaryFigure } from './summaryFigures.ts';

/** One event file. */
export interface EventPart {
  /** Path below the root. */
  readonly path: string;
  readonly file: EventFile;
  readonly modifiedAt: number;
  /** `modifiedAt` when it was first read. */
  readonly seenAt: number;
}

export const ARGUMENTS = 'args/text_summary';
export const MODEL = 'model_config/text_summary';

/** By metric name. Where two tags have the same name, the second keeps its tag. */
function toNamedCurves(file: EventFile): ReadonlyMap<string, Curve> {
  const found = new Map<string, Curve>();
  for (const [tag, curve] of file.curves) {
    const name = toMetricName(tag);
    found.set(found.has(name) ? tag : name, curve);
  }
  return found;
}

const firstStep = ({ firstStep: step }: Curve): number => step ?? Infinity;

const isTraining = (name: string, curve: Curve): boolean =>
  curve.length > 0 && !isEvaluation(name) && !isSummaryFigure(name);

/** Whether it holds more than the evaluation after a training. */
export const trains = ({ file }: EventPart): boolean =>
  file.texts.has(ARGUMENTS) || [...toNamedCurves(file)].some(([name, curve]) => isTraining(name, curve));

/** The parts of each run, in the order of their file names, which begin with the time. */
export function toRuns(parts: readonly EventPart[]): readonly (readonly EventPart[])[] {
  const runs: EventPart[][] = [];
  for (const part of parts) {
    const last = runs.at(-1);
    if (!last || last.some((earlier) => startsAgain(earlier, part))) runs.push([part]);
    else last.push(part);
  }
  return runs;
}

/** Whether the later file logs again from the first step that the earlier one has. */
function startsAgain(earlier: EventPart, later: EventPart): boolean {
  const before = toNamedCurves(earlier.file);
  return [...toNamedCurves(later.file)].some(([name, curve]) => {
    const old = before.get(name);
    return old !== undefined && isTraining(name, curve) && isTraining(name, old) && firstStep(curve) <= firstStep(old);
  });
}

/** The curves of a run. Points that a resumed part repeats are dropped from the earlier ones. */
export function joinCurves(parts: readonly EventPart[]): ReadonlyMap<string, Curve> {
  const [first] = parts;
  if (first && parts.length === 1) return toNamedCurves(first.file);
  const joined = new Map<string, Curve>();
  for (const part of parts) {
    const curves = toNamedCurves(part.file);
    const from = part.file.purgeStep ?? firstTrainingStep(curves);
    for (const [name, old] of joined) {
      old.dropFrom(Math.min(from, firstStep(curves.get(name) ?? new Curve())));
    }
    for (const [name, curve] of curves) {
      const target = joined.get(name) ?? new Curve();
      joined.set(name, target);
      const { steps, values, times } = curve.read();
      for (let i = 0; i < steps.length; i += 1) target.push(steps[i] ?? 0, values[i] ?? 0, times?.[i] ?? null);
    }
  }
  return joined;
}

function firstTrainingStep(curves: ReadonlyMap<string, Curve>): number {
  let first = Infinity;
  for (const [name, curve] of curves) if (isTraining(name, curve)) first = Math.min(first, firstStep(curve));
  return first;
}
