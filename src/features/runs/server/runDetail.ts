// A run on the wire with all that is known of it: each fact with its source, and what other sources say.
import { numberOr } from '#core/contract/readJson.ts';
import {
  MAX_CURVES,
  type CurveList,
  type CurveRequest,
  type Run,
  type RunCurve,
  type RunFact,
  type RunMetric,
} from '#features/runs/shared/runs.ts';
import { SETTINGS, type TableName } from '#features/runs/shared/settings/settingTable.ts';
import { toDivergence } from './runStatus.ts';
import type { FactSource, ParameterValue } from './evidence.ts';
import type { JoinedCurve, JoinedFact, JoinedRun, JoinedSetting } from './joinedRun.ts';
import type { RunRecord } from './runRecords.ts';
import type { ModelIds } from './runFolderTree.ts';
import type { SettingName } from './settings.ts';
import { createHash } from 'node:crypto';
import { thin } from '#features/runs/shared/settings/downsampleCurve.ts';

type CurveValue = RunMetric['first'];

/** Most parameters of an answer. */
const MAX_FACTS = 3000;

/** JSON has no word for NaN and infinities. */
export function toCurveValue(value: number): CurveValue {
  if (Number.isFinite(value)) return value;
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
}

const toWireValue = (value: ParameterValue): RunFact['value'] =>
  typeof value === 'number' ? toCurveValue(value) : value;

const toSource = (format: string, { file, place }: FactSource): RunFact['source'] => ({ format, file, place });

function toRunFact(name: string, { value, source, format, others }: JoinedFact<ParameterValue>): RunFact {
  return {
    name,
    value: toWireValue(value),
    source: toSource(format, source),
    ...(others.length === 0
      ? {}
      : {
          others: others.map((other) => ({
            value: toWireValue(other.value),
            source: toSource(other.format, other.source),
          })),
        }),
  };
}

const toFacts = (facts: ReadonlyMap<string, JoinedFact<ParameterValue>>): RunFact[] =>
  [...facts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, MAX_FACTS)
    .map(([name, fact]) => toRunFact(name, fact));

/** The tags of all sources together: that one has more is no contradiction. */
function toTags(run: JoinedRun): JoinedFact<ParameterValue> | null {
  const first = run.fact(({ tags, curveSource, folder }) =>
    tags.length === 0 ? null : { value: '', source: curveSource ?? { file: folder, place: null } },
  );
  return first && { ...first, value: run.tags.join(', '), others: [] };
}

/** Only among all settings of a run. */
const isDetail = (name: SettingName): boolean =>
  name === 'num_devices' || (name in SETTINGS && SETTINGS[name as TableName].isFact !== true);

/** What a run is, then its settings under one name. */
function toMainFacts(run: JoinedRun): RunFact[] {
  const datasets = run.fact((evidence) => evidence.datasets);
  const join = (value: readonly string[]): string => value.join(', ');
  const about: readonly (readonly [string, JoinedFact<ParameterValue> | null])[] = [
    ['name', run.fact(({ name }) => name)],
    ['group', run.fact(({ group }) => group)],
    ['tags', toTags(run)],
    ['notes', run.fact(({ notes }) => notes)],
    ['output_dir', run.fact(({ outputDir }) => outputDir)],
    [
      'datasets',
      datasets && {
        ...datasets,
        value: join(datasets.value),
        others: datasets.others.map(({ value, source, format }) => ({ value: join(value), source, format })),
      },
    ],
    ['method', run.method],
    ['is_adapter', run.fact(({ isAdapter }) => isAdapter)],
    ['best_step', toDivergence(run) ? null : run.bestStep],
  ];
  const toSetting = ([name, { value, note, from, fact }]: readonly [string, JoinedSetting]): RunFact => {
    // A setting that was computed says from what.
    const isComputed = from.length > 1 || note !== null;
    const words = [from.join(' × '), ...(note === null ? [] : [note])].join(', ');
    const base = toRunFact(name, fact);
    const source = isComputed ? { ...base.source, place: words } : base.source;
    return { name, value, source, ...(isComputed || !base.others ? {} : { others: base.others }) };
  };
  return [
    ...about.flatMap(([name, fact]) => (fact ? [toRunFact(name, fact)] : [])),
    ...[...run.settings()].filter(([name]) => !isDetail(name)).map(toSetting),
  ];
}

/** What figures of a whole training are, for people: next to curves they look like their ends. */
const SUMMARY_NOTES: Readonly<Record<string, string>> = {
  train_loss: 'mean of the training, as the trainer wrote it',
  train_runtime: 'seconds of the training, as the trainer wrote it',
};

function toSummary(run: JoinedRun): RunFact[] {
  const resumed = run.parts.length > 1 ? '; of the last session alone, since the run was resumed' : '';
  return toFacts(run.summary).map((fact) => {
    const note = Object.hasOwn(SUMMARY_NOTES, fact.name) ? SUMMARY_NOTES[fact.name] : undefined;
    return note === undefined ? fact : Object.assign(fact, { note: `${note}${resumed}` });
  });
}

/** `lostFrom`: the step from which on its values say nothing. */
function toMetric(name: string, curve: JoinedCurve, lostFrom: number): RunMetric {
  const { steps, values, length } = curve.read();
  let lowest: number | null = null;
  let highest: number | null = null;
  for (let at = 0; at < length; at += 1) {
    const value = values[at] ?? Number.NaN;
    if (!Number.isFinite(value) || (steps[at] ?? 0) >= lostFrom) continue;
    if (lowest === null || value < lowest) lowest = value;
    if (highest === null || value > highest) highest = value;
  }
  return {
    name,
    points: length,
    first: toCurveValue(curve.firstValue),
    last: toCurveValue(curve.lastValue),
    lowest,
    highest,
    last_step: curve.lastStep,
    source: toSource(curve.format, curve.source),
  };
}

export function toRun(rootId: string, { id, run, label, status }: RunRecord, models: ModelIds): Run {
  const { progress, bestStep } = run;
  const lostFrom = toDivergence(run)?.step ?? Infinity;
  const best = lostFrom === Infinity ? (bestStep?.value ?? null) : null;
  return {
    id,
    root_id: rootId,
    label,
    folder: run.folder,
    status: status.status,
    ...(status.cause === null ? {} : { status_cause: status.cause }),
    status_reason: status.reason,
    is_status_certain: status.isCertain,
    formats: [...run.formats],
    started_at: numberOr(run.startedAt, null),
    ended_at: numberOr(run.endedAt, null),
    ...(run.seconds === null ? {} : { seconds: run.seconds }),
    last_sign_at: numberOr(run.lastSignAt, null),
    step: numberOr(progress.step, null),
    total_steps: numberOr(progress.totalSteps, null),
    parts: [...run.parts],
    facts: toMainFacts(run),
    parameters: toFacts(run.parameters()),
    environment: toFacts(run.environment),
    summary: toSummary(run),
    metrics: [...run.curves()].map(([name, curve]) => toMetric(name, curve, lostFrom)),
    checkpoints: run.checkpoints.map(({ path, step, kind, bytes, isComplete, savedAt, measures }) => ({
      path,
      step: numberOr(step, null),
      kind,
      bytes: Math.max(0, Math.floor(bytes)),
      is_complete: isComplete,
      saved_at: numberOr(savedAt, null),
      measures:
        step !== null && step >= lostFrom
          ? {}
          : Object.fromEntries([...measures].filter(([, value]) => Number.isFinite(value))),
      ...(step !== null && step === best ? { is_best: true } : {}),
      model_id: models.get(path) ?? null,
    })),
    row_files: run.rowFiles.map(({ path, step }) => ({ path, step: numberOr(step, null) })),
    problems: [...run.problems],
  };
}

// The answer to a question for curves: thinned, bounded, with a version that changes when an answer would.

/** Points of a curve if the question doesn't say. */
const POINTS = 1000;
/** Points of all curves of an answer. */
const MAX_POINTS = 1_000_000;

function toCurve(runId: string, curve: JoinedCurve, request: CurveRequest, limit: number): RunCurve {
  const points = curve.read();
  const { steps, values, times } = points.pick(
    thin(points, { limit, from: request.from_step, to: request.to_step }, points.storedValues),
  );
  return {
    run_id: runId,
    name: curve.name,
    length: points.length,
    steps: [...steps],
    values: Array.from(values, toCurveValue),
    ...(times === null ? {} : { times: Array.from(times, (time) => numberOr(time, null)) }),
  };
}

function toVersion(
  request: CurveRequest,
  found: readonly (readonly [string, JoinedCurve])[],
  names: CurveList['names'],
): string {
  const { version: _version, ...question } = request;
  const states = found.map(([id, { name, length, lastStep, format, firstValue, lastValue }]) => [
    id,
    name,
    length,
    lastStep,
    format,
    String(lastValue),
    String(firstValue),
  ]);
  return createHash('sha1')
    .update(JSON.stringify([question, states, names]))
    .digest('base64url');
}

/** null: nothing is new since `request.version`. `records`: the runs that the question names, and that there are. */
export function toCurveList(records: readonly RunRecord[], request: CurveRequest): CurveList | null {
  const wanted = new Set(request.names);
  const counts = new Map<string, number>();
  const found: (readonly [string, JoinedCurve])[] = [];
  for (const { id, run } of records) {
    for (const whole of run.curves().values())
      for (const curve of whole.replaced ? [whole, whole.replaced] : [whole]) {
        counts.set(curve.name, (counts.get(curve.name) ?? 0) + 1);
        if (wanted.has(curve.name) && found.length < MAX_CURVES) found.push([id, curve]);
      }
  }
  const names = [...counts].map(([name, runs]) => ({ name, runs })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const version = toVersion(request, found, names);
  if (request.version === version) return null;
  const limit = Math.min(request.points ?? POINTS, Math.floor(MAX_POINTS / Math.max(1, found.length)));
  return { version, curves: found.map(([id, curve]) => toCurve(id, curve, request, limit)), names };
}
