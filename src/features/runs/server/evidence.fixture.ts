// For tests: evidence as the readers of formats make it.
import { Curve } from './curve.ts';
import { toEvidence, type Fact, type ParameterValue, type RunEvidence, type StatusSign } from './evidence.ts';

export const NOW = Date.UTC(2026, 7, 22, 12);
export const MINUTE = 60_000;

export const fact = <Value>(value: Value, file = 'file', place: string | null = null): Fact<Value> => ({
  value,
  source: { file, place },
});

/** Points `[step, value]`; with `from`, one each second from that time on. */
export function curve(points: readonly (readonly [step: number, value: number])[], from: number | null = null): Curve {
  const made = new Curve();
  for (const [at, [step, value]] of points.entries()) made.push(step, value, from === null ? null : from + at * 1000);
  return made;
}

/** A loss at each multiple of `gap`, which falls from `start`. */
export function losses(first: number, last: number, gap: number, start = 2): [number, number][] {
  const points: [number, number][] = [];
  for (let step = first; step <= last; step += gap) points.push([step, start / (1 + step / 100)]);
  return points;
}

export const parameters = (
  values: Readonly<Record<string, ParameterValue>>,
  file = 'config.json',
): ReadonlyMap<string, Fact<ParameterValue>> =>
  new Map(Object.entries(values).map(([name, value]) => [name, fact(value, file)]));

export const sign = (kind: StatusSign['kind'], reason: string = kind, at: number | null = null): StatusSign => ({
  kind,
  reason,
  at,
  source: { file: 'file', place: null },
});

/** Event files of one process, in `<folder>/runs/<name>`. */
export function events(folder: string, name: string, loss: Curve, more: Partial<RunEvidence> = {}): RunEvidence {
  const path = `${folder}/runs/${name}_10-00-00_host`;
  return toEvidence({
    format: 'tensorboard',
    key: path,
    folder: path,
    curves: new Map([['loss', loss]]),
    curveSource: { file: `${path}/events.out.tfevents.1.host.7.0`, place: null },
    ...more,
  });
}

/** An output folder of HF's Trainer with one checkpoint. */
export function outputs(folder: string, more: Partial<RunEvidence> = {}): RunEvidence {
  return toEvidence({
    format: 'hf-trainer',
    key: folder,
    folder,
    checkpoints: [
      {
        path: `${folder}/checkpoint-100`,
        step: 100,
        kind: 'adapter',
        bytes: 1000,
        isComplete: true,
        measures: new Map(),
        savedAt: null,
      },
    ],
    ...more,
  });
}
