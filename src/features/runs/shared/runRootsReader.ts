// Reads the folders of runs from any service: missing fields are null or empty, further fields are ignored. Small, because
// every project asks whether it is one.
import { arrayOr, failRead, isObject, numberOr, textOr, type JsonObject, type Read } from '#core/contract/reading.ts';
import type { RunRoot } from './runs.ts';

const toText = (value: unknown): string => textOr(value, '');

const toObjects = <T>(value: unknown, read: (entry: JsonObject) => T): T[] => arrayOr(value).filter(isObject).map(read);

const STATES = ['scanning', 'watching', 'polling', 'missing'] as const;

function toGrouping(value: unknown): RunRoot['grouping'] {
  const { by, pattern, parameter } = isObject(value) ? value : {};
  if (by === 'pattern') return { by, pattern: toText(pattern) };
  return by === 'parameter' ? { by, parameter: toText(parameter) } : { by: 'folder' };
}

function toRoot(entry: JsonObject): RunRoot {
  const notUnderstood = toObjects(entry['not_understood'], ({ folder, reason }) => ({
    folder: toText(folder),
    reason: toText(reason),
  }));
  const reason = toText(entry['state_reason']);
  const measure = toText(entry['main_measure']);
  return {
    id: toText(entry['id']),
    path: toText(entry['path']),
    state: STATES.find((state) => state === entry['state']) ?? 'watching',
    ...(reason === '' ? {} : { state_reason: reason }),
    from_flag: entry['from_flag'] === true,
    folders: numberOr(entry['folders'], 0),
    files: numberOr(entry['files'], 0),
    runs: numberOr(entry['runs'], 0),
    formats: toObjects(entry['formats'], ({ format, label, runs }) => ({
      format: toText(format),
      label: textOr(label, toText(format)),
      runs: numberOr(runs, 0),
    })),
    not_understood: notUnderstood,
    not_understood_count: numberOr(entry['not_understood_count'], notUnderstood.length),
    problems: toObjects(entry['problems'], ({ file, problem }) => ({ file: toText(file), problem: toText(problem) })),
    scanned_at: numberOr(entry['scanned_at'], null),
    grouping: toGrouping(entry['grouping']),
    ...(measure === '' ? {} : { main_measure: measure }),
  };
}

/** One folder of runs. Fails only if the answer is no object or has no id. */
export function readRunRoot(body: unknown): Read<RunRoot> {
  if (!isObject(body)) return failRead('the answer is not an object');
  return toText(body['id']) === '' ? failRead('the folder has no id') : { ok: true, value: toRoot(body) };
}

/** `GET /api/v1/studio/run-roots`. Fails only if the answer has no list. */
export function readRunRoots(body: unknown): Read<readonly RunRoot[]> {
  if (!isObject(body) || !Array.isArray(body['roots'])) return failRead('the answer has no list of folders');
  return { ok: true, value: toObjects(body['roots'], toRoot).filter(({ id }) => id !== '') };
}
