// Reads datasets, snapshots and what was made from any service: missing fields are null or empty, further ones ignored.
import { isRowBucket } from '#core/contract/rowsFile.ts';
import { arrayOr, failRead, isObject, numberOr, textOr, type JsonObject, type Read } from '#core/contract/reading.ts';
import {
  NODE_TYPES,
  type BadLine,
  type Dataset,
  type DeletedNode,
  type SnapshotComparison,
  type Split,
} from './datasets.ts';

export const toCount = (value: unknown): number => Math.max(0, Math.trunc(numberOr(value, 0)));
export const toPositions = (value: unknown): number[] =>
  arrayOr(value).filter((entry): entry is number => Number.isInteger(entry) && (entry as number) >= 0);

/** A dataset of any service: its status and form may be other texts than ours. */
export type ReadDataset = Omit<Dataset, 'status' | 'form' | 'updated_at' | 'labels' | 'snapshots'> & {
  readonly status: string;
  readonly form: string | null;
};

/** Reads the id that a service gave to what it made, such as `{project_id}`. */
export function readMadeId(body: unknown, field: 'project_id' | 'dataset_id' | 'snapshot_id' | 'id'): Read<string> {
  const id = isObject(body) ? body[field] : undefined;
  return typeof id === 'string' && id !== '' ? { ok: true, value: id } : failRead(`it has no ${field}`);
}

function toBadLine({ line, column, message, start }: JsonObject): BadLine {
  return {
    line: numberOr(line, 0),
    column: numberOr(column, 1),
    message: textOr(message, ''),
    start: textOr(start, ''),
  };
}

function toBadLines(value: unknown): Dataset['bad_lines'] {
  if (!isObject(value)) return { count: 0, first: [] };
  const first = arrayOr(value['first']).filter(isObject).map(toBadLine);
  return { count: numberOr(value['count'], first.length), first };
}

function toProgress(value: unknown): Dataset['progress'] {
  if (!isObject(value)) return null;
  const { bytes, total, rows, rows_per_second } = value;
  return {
    bytes: toCount(bytes),
    total: numberOr(total, null),
    rows: toCount(rows),
    rows_per_second: numberOr(rows_per_second, 0),
  };
}

/** Fails if the answer has no id. */
export function readDataset(body: unknown): Read<ReadDataset> {
  // ASSUMED: some services put a record into a field of its name.
  const record = isObject(body) && isObject(body['dataset']) ? body['dataset'] : body;
  if (!isObject(record) || typeof record['id'] !== 'string') return failRead('it has no id');
  const same = record['same_file_as'];
  return {
    ok: true,
    value: {
      id: record['id'],
      name: textOr(record['name'], ''),
      project_id: textOr(record['project_id'], null),
      status: textOr(record['status'], 'unknown'),
      datapoints_count: toCount(record['datapoints_count']),
      created_at: textOr(record['created_at'], ''),
      form: textOr(record['form'], null),
      progress: toProgress(record['progress']),
      bad_lines: toBadLines(record['bad_lines']),
      same_file_as:
        isObject(same) && typeof same['id'] === 'string' ? { id: same['id'], name: textOr(same['name'], '') } : null,
      error: textOr(record['error'], null),
    },
  };
}

/** The bad lines that a refused import names: they are beside the error in its answer. */
export function readBadLines(body: unknown): Dataset['bad_lines'] {
  return toBadLines(isObject(body) ? body['bad_lines'] : null);
}

export function readSplit(body: unknown): Read<Split> {
  if (!isObject(body) || typeof body['training_count'] !== 'number') return failRead('it has no counts');
  const { percentage, training_count, validation_count, left_out_count, chosen_count, leak_count } = body;
  return {
    ok: true,
    value: {
      percentage: toCount(percentage),
      training_count: toCount(training_count),
      validation_count: toCount(validation_count),
      left_out_count: toCount(left_out_count),
      chosen_count: toCount(chosen_count),
      leak_count: toCount(leak_count),
    },
  };
}

function toCompared(value: unknown): SnapshotComparison['added'] {
  const record = isObject(value) ? value : {};
  return { count: toCount(record['count']), positions: toPositions(record['positions']) };
}

function toChanged(value: unknown): SnapshotComparison['changed'] {
  const record = isObject(value) ? value : {};
  const pairs = arrayOr(record['pairs']).map(toPositions);
  return { count: toCount(record['count']), pairs: pairs.filter((pair) => pair.length === 2) as [number, number][] };
}

export function readComparison(body: unknown): Read<SnapshotComparison> {
  if (!isObject(body) || !isObject(body['added'])) return failRead('it is not a comparison');
  return {
    ok: true,
    value: {
      same_count: toCount(body['same_count']),
      added: toCompared(body['added']),
      gone: toCompared(body['gone']),
      changed: toChanged(body['changed']),
      moved: toCompared(body['moved']),
    },
  };
}

function toDeletedNode(entry: JsonObject): DeletedNode | null {
  const { id, type, label, project_id, deleted_at, gone_at } = entry;
  const known = NODE_TYPES.find((each) => each === type);
  if (typeof id !== 'string' || known === undefined) return null;
  return {
    id,
    type: known,
    label: textOr(label, ''),
    project_id: textOr(project_id, ''),
    deleted_at: textOr(deleted_at, ''),
    gone_at: textOr(gone_at, ''),
  };
}

export function readDeleted(body: unknown): Read<readonly DeletedNode[]> {
  if (!isObject(body) || !Array.isArray(body['deleted'])) return failRead('it has no "deleted" list');
  const nodes = body['deleted'].filter(isObject).map(toDeletedNode);
  return { ok: true, value: nodes.filter((node) => node !== null) };
}

export const toSide = (value: unknown): 'training' | 'validation' | null => (isRowBucket(value) ? value : null);
