// Reads a run of a folder from any service: missing fields are null or empty, further fields are ignored.
import { arrayOr, failRead, isObject, numberOr, textOr, type JsonObject, type Read } from '#core/contract/reading.ts';
import { toStatusCause } from '#core/contract/statuses.ts';
import type { Run, RunCheckpoint, RunFact, RunMetric, ServedAs } from './runs.ts';

type Source = RunFact['source'];
type Value = RunFact['value'];

const toText = (value: unknown): string => textOr(value, '');
const toTexts = (value: unknown): string[] => arrayOr(value).filter((entry) => typeof entry === 'string');
const toNumber = (value: unknown): number | null => numberOr(value, null);

/** The entry of `list` that `value` is, else `fallback`. */
const toOneOf = <T extends string>(list: readonly T[], value: unknown, fallback: T): T =>
  list.find((entry) => entry === value) ?? fallback;

function toObjects<T>(value: unknown, read: (entry: JsonObject) => T): T[] {
  return arrayOr(value).filter(isObject).map(read);
}

function toSource(value: unknown): Source {
  const { format, file, place } = isObject(value) ? value : {};
  return { format: toText(format), file: toText(file), place: textOr(place, null) };
}

/** Lists and objects become their JSON text. */
function toFactValue(value: unknown): Value {
  if (value === undefined) return null;
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Value;
  return JSON.stringify(value);
}

function toFact(entry: JsonObject): RunFact {
  const note = toText(entry['note']);
  const others = toObjects(entry['others'], ({ value, source }) => ({
    value: toFactValue(value),
    source: toSource(source),
  }));
  return {
    name: toText(entry['name']),
    value: toFactValue(entry['value']),
    source: toSource(entry['source']),
    ...(note !== '' && { note }),
    ...(others.length > 0 && { others }),
  };
}

const toFacts = (value: unknown): RunFact[] => toObjects(value, toFact).filter(({ name }) => name !== '');

const SPECIAL = ['NaN', 'Infinity', '-Infinity'] as const;

const toCurveValue = (value: unknown): RunMetric['last'] =>
  typeof value === 'number' ? value : toOneOf(SPECIAL, value, 'NaN');

function toMetric(entry: JsonObject): RunMetric {
  return {
    name: toText(entry['name']),
    points: numberOr(entry['points'], 0),
    first: toCurveValue(entry['first']),
    last: toCurveValue(entry['last']),
    lowest: toNumber(entry['lowest']),
    highest: toNumber(entry['highest']),
    last_step: numberOr(entry['last_step'], 0),
    source: toSource(entry['source']),
  };
}

const KINDS = ['adapter', 'full', 'gguf', 'unknown'] as const;

function toServed(value: unknown): ServedAs | null {
  if (!isObject(value) || (value['way'] !== 'llama' && value['way'] !== 'engine')) return null;
  const problem = textOr(value['problem'], '');
  const base = textOr(value['base_model_id'], null);
  return { way: value['way'], base_model_id: base, ...(problem !== '' && { problem }) };
}

function toCheckpoint(entry: JsonObject): RunCheckpoint {
  const served = toServed(entry['served']);
  const measures = Object.entries(isObject(entry['measures']) ? entry['measures'] : {});
  return {
    path: toText(entry['path']),
    step: toNumber(entry['step']),
    kind: toOneOf(KINDS, entry['kind'], 'unknown'),
    bytes: numberOr(entry['bytes'], 0),
    is_complete: entry['is_complete'] === true,
    ...(entry['is_best'] === true && { is_best: true as const }),
    saved_at: toNumber(entry['saved_at']),
    measures: Object.fromEntries(
      measures.filter((measure): measure is [string, number] => Number.isFinite(measure[1])),
    ),
    model_id: textOr(entry['model_id'], null),
    ...(served && { served }),
  };
}

/** A run as read: its status may be one that this page doesn't know. */
export type ReadRun = Omit<Run, 'status'> & { readonly status: string };

/** `GET /api/v1/studio/runs/{runId}`. Fails only if the answer is no object or has no id. */
export function readRun(body: unknown): Read<ReadRun> {
  if (!isObject(body)) return failRead('the answer is not an object');
  if (toText(body['id']) === '') return failRead('the run has no id');
  const seconds = toNumber(body['seconds']);
  const cause = toStatusCause(body['status_cause']);
  const value: ReadRun = {
    id: toText(body['id']),
    root_id: toText(body['root_id']),
    label: toText(body['label']),
    folder: toText(body['folder']),
    status: textOr(body['status'], 'unknown'),
    ...(cause && { status_cause: cause }),
    status_reason: toText(body['status_reason']),
    is_status_certain: body['is_status_certain'] === true,
    formats: toTexts(body['formats']),
    started_at: toNumber(body['started_at']),
    ended_at: toNumber(body['ended_at']),
    ...(seconds !== null && { seconds }),
    last_sign_at: toNumber(body['last_sign_at']),
    step: toNumber(body['step']),
    total_steps: toNumber(body['total_steps']),
    parts: toTexts(body['parts']),
    facts: toFacts(body['facts']),
    parameters: toFacts(body['parameters']),
    environment: toFacts(body['environment']),
    summary: toFacts(body['summary']),
    metrics: toObjects(body['metrics'], toMetric),
    checkpoints: toObjects(body['checkpoints'], toCheckpoint),
    row_files: toObjects(body['row_files'], ({ path, step }) => ({ path: toText(path), step: toNumber(step) })),
    problems: toTexts(body['problems']),
  };
  return { ok: true, value };
}
