// The event files of one folder become runs: a program that was resumed, or that evaluates after its training, begins
// another file of the same run; one that starts from the first step again is another run.
import type { Curve } from '#features/runs/server/curve.ts';
import {
  isEvaluation,
  isSummaryFigure,
  SUMMARY_FIGURES,
  toMetricName,
  toStepName,
} from '#features/runs/server/metricNames.ts';
import { joinPoints, toResumedStep, type Sequel } from '#features/runs/server/formatRun.ts';
import type { EventFile } from './eventFile.ts';

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
  // What each step has is no figure of the whole run.
  for (const figure of SUMMARY_FIGURES) {
    const [name, curve] = [toStepName(figure), found.get(figure)];
    if (name === figure || !curve || curve.length < 2 || found.has(name)) continue;
    found.delete(figure);
    found.set(name, curve);
  }
  return found;
}

const firstStep = ({ firstStep: step }: Curve): number => step ?? Infinity;

const isTraining = (name: string, curve: Curve): boolean =>
  curve.length > 0 && !isEvaluation(name) && !isSummaryFigure(name);

/** Whether it holds more than the evaluation after a training. */
export const trains = ({ file }: EventPart): boolean =>
  file.texts.has(ARGUMENTS) || [...toNamedCurves(file)].some(([name, curve]) => isTraining(name, curve));

export const hasOnlyFigures = ({ file }: EventPart): boolean =>
  [...file.curves.values()].every(({ length }) => length <= 1);

/** Whether a later file holds only the settings and last figures of the run before it, as `add_hparams` writes them. */
export const isHparams = (part: EventPart): boolean => part.file.hparams !== null && hasOnlyFigures(part);

/** The parts of each run, in the order of their file names, which begin with the time. */
export function toRuns(parts: readonly EventPart[]): readonly (readonly EventPart[])[] {
  const runs: EventPart[][] = [];
  for (const part of parts) {
    const last = runs.at(-1);
    if (!last || (!isHparams(part) && last.some((earlier) => startsAgain(earlier, part)))) runs.push([part]);
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

/** The curves of a run. */
export function joinCurves(parts: readonly EventPart[]): ReadonlyMap<string, Curve> {
  const [first] = parts;
  if (first && parts.length === 1) return toNamedCurves(first.file);
  const all: { readonly curves: ReadonlyMap<string, Curve>; readonly sequel: Sequel }[] = [];
  let endedAt = -Infinity;
  for (const { file } of parts) {
    const curves = toNamedCurves(file);
    // Two writers may be open in one folder.
    const isLater = (file.firstTime ?? Infinity) >= endedAt;
    const earlier = all.map((part) => part.curves);
    const resumesAt = isLater ? toResumedStep(earlier, curves) : Infinity;
    all.push({ curves, sequel: { isLater, resumesAt, purgesFrom: file.purgeStep ?? Infinity, offset: 0 } });
    endedAt = Math.max(endedAt, file.lastTime ?? -Infinity);
  }
  const joined = new Map<string, Curve>();
  for (const name of new Set(all.flatMap(({ curves }) => [...curves.keys()]))) {
    const curve = joinPoints(all.map(({ curves, sequel }) => ({ curve: curves.get(name), sequel })));
    if (curve) joined.set(name, curve);
  }
  return joined;
}
