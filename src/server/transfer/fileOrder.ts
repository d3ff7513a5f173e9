// Whether the records of a file stand in their order and lead to what came before them. Pure; throws TransferProblem.
import { NOTE_LIMITS } from '#shared/contract/limits.ts';
import { MAX_NODES, type RecordKind, type RecordOf, type TransferRecord } from './records.ts';
import { refuseFile } from './transferProblem.ts';

/** The order of kinds. Those that belong to the node before them share its place. */
const PLACES: Readonly<Record<RecordKind, number>> = {
  manifest: 0,
  project: 1,
  dataset: 2,
  rows: 2,
  marks: 2,
  snapshot: 3,
  frozen: 3,
  'frozen-texts': 3,
  recommendation: 3,
  job: 4,
  experiment: 5,
  training: 6,
  points: 6,
  validation: 6,
  checkpoint: 6,
  log: 6,
  model: 7,
  file: 7,
  part: 7,
  'file-end': 7,
  note: 8,
  end: 9,
};

const nowhere = (kind: string, field: string, id: string): never => {
  throw refuseFile(
    'broken_reference',
    `A record ${kind} names ${field} ${id}, which the file does not have before it.`,
  );
};

export interface FileOrder {
  /** Throws TransferProblem for a record that can't stand here. `line`: its number. */
  check(record: TransferRecord, line: number): void;
}

export function openFileOrder(): FileOrder {
  const nodes = new Set<string>();
  const kinds = new Map<string, RecordKind>();
  const rowCounts = new Map<string, number>();
  const ends = new Map<string, number>();
  const modelIds = new Set<string>();
  const noted = new Set<string>();
  let place = -1;
  let dataset: { readonly id: string; readonly count: number; next: number; marked: number } | null = null;
  let snapshot: RecordOf<'snapshot'> | null = null;
  let training: string | null = null;
  let trained = new Set<string>();
  let model: string | null = null;
  let file: { readonly bytes: number; read: number } | null = null;

  const fail = (line: number, message: string): never => {
    throw refuseFile('wrong_order', `Line ${line} can not stand where it is: ${message}`);
  };

  function addNode(record: { readonly kind: RecordKind; readonly id: string }, line: number): void {
    if (nodes.has(record.id)) fail(line, `there is a node ${record.id} already.`);
    if (nodes.size >= MAX_NODES)
      throw refuseFile('too_many_nodes', `The file has more than ${MAX_NODES.toLocaleString('en')} nodes.`);
    nodes.add(record.id);
    kinds.set(record.id, record.kind);
  }

  const refer = (kind: RecordKind, of: string, field: string, id: string): void => {
    if (kinds.get(id) !== kind) nowhere(of, field, id);
  };

  /** The rows of a dataset come whole, and at once. */
  function endDataset(line: number): void {
    if (dataset && dataset.next !== dataset.count)
      fail(line, `the dataset ${dataset.id} has ${dataset.next} of its ${dataset.count} rows.`);
  }

  function checkOwn(record: TransferRecord, line: number): void {
    switch (record.kind) {
      case 'manifest':
      case 'end':
        return;
      case 'project':
        return addNode(record, line);
      case 'dataset':
        endDataset(line);
        addNode(record, line);
        rowCounts.set(record.id, record.datapoints_count);
        dataset = { id: record.id, count: record.datapoints_count, next: 0, marked: -1 };
        return;
      case 'rows':
        if (dataset?.id !== record.dataset_id) return nowhere('rows', 'dataset', record.dataset_id);
        if (record.first !== dataset.next) fail(line, `rows go on at ${record.first}, not at ${dataset.next}.`);
        dataset.next += record.rows.length;
        if (dataset.next > dataset.count) fail(line, `the dataset has more than its ${dataset.count} rows.`);
        return;
      case 'marks':
        if (dataset?.id !== record.dataset_id) return nowhere('marks', 'dataset', record.dataset_id);
        for (const { position } of record.marks) {
          if (position <= dataset.marked || position >= dataset.count)
            fail(line, `there is no unmarked row at position ${position}.`);
          dataset.marked = position;
        }
        return;
      case 'snapshot': {
        refer('dataset', 'snapshot', 'dataset', record.dataset_id);
        addNode(record, line);
        const count = rowCounts.get(record.dataset_id) ?? 0;
        const { rows_end, training_count, validation_count } = record;
        if (rows_end > count || training_count + validation_count > rows_end)
          fail(line, 'the snapshot has more rows than its dataset.');
        ends.set(record.id, rows_end);
        snapshot = record;
        return;
      }
      case 'frozen':
      case 'frozen-texts':
      case 'recommendation':
        if (snapshot?.id !== record.snapshot_id) nowhere(record.kind, 'snapshot', record.snapshot_id);
        if (record.kind === 'frozen-texts' && record.texts.some(([at]) => at >= (snapshot?.rows_end ?? 0)))
          fail(line, 'a edited row is not in its snapshot.');
        return;
      case 'job':
        refer('snapshot', 'job', 'snapshot', record.snapshot_id);
        return addNode(record, line);
      case 'experiment':
        refer('job', 'experiment', 'job', record.job_id);
        return addNode(record, line);
      case 'training':
        refer('experiment', 'training', 'experiment', record.experiment_id);
        if (record.refinetune_from !== null) refer('experiment', 'training', 'experiment', record.refinetune_from);
        if (trained.has(record.experiment_id)) fail(line, 'its run has a training already.');
        trained = trained.add(record.experiment_id);
        training = record.experiment_id;
        return;
      case 'points':
      case 'validation':
      case 'checkpoint':
      case 'log':
        if (training !== record.experiment_id) nowhere(record.kind, 'training', record.experiment_id);
        return;
      case 'model':
        refer('experiment', 'model', 'experiment', record.experiment_id);
        if (modelIds.has(record.id)) fail(line, `there is a model ${record.id} already.`);
        modelIds.add(record.id);
        model = record.id;
        return;
      case 'file':
        if (file) fail(line, 'the model file before it has no end.');
        if (model !== record.model_id) nowhere('file', 'model', record.model_id);
        file = { bytes: record.bytes, read: 0 };
        return;
      case 'part':
        if (!file) return fail(line, 'it belongs to no model file.');
        file.read += Buffer.byteLength(record.data, 'base64');
        if (file.read > file.bytes) fail(line, 'the model file is longer than it says.');
        return;
      case 'file-end':
        if (file?.read !== file?.bytes || !file) fail(line, 'the model file before it is not whole.');
        file = null;
        return;
      case 'note':
        if (!nodes.has(record.node_id)) nowhere('note', 'node', record.node_id);
        if (noted.has(record.node_id)) fail(line, 'its node has a note already.');
        noted.add(record.node_id);
        if (noted.size > NOTE_LIMITS.notes) fail(line, 'there are more notes than a studio keeps.');
        return;
      default:
        return record satisfies never;
    }
  }

  return {
    check(record, line) {
      const next = PLACES[record.kind];
      if (next < place || (next > 1 && place < 1) || (next === place && next < 2))
        fail(line, `${record.kind} comes too late, too early or twice.`);
      if (next > 2 && place <= 2) endDataset(line);
      if (file && record.kind !== 'part' && record.kind !== 'file-end' && record.kind !== 'file')
        fail(line, 'the model file before it has no end.');
      place = next;
      checkOwn(record, line);
    },
  };
}
