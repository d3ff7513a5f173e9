// Whether the records of a file stand in their order and lead to what came before them. Pure; throws TransferProblem.
import { NOTE_LIMITS } from '#core/contract/limits.ts';
import { MAX_NODES, MAX_OF_TRAINING, type RecordKind, type RecordOf, type TransferRecord } from './records.ts';
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

/** What came of a training so far. */
interface Training {
  readonly id: string;
  readonly logSize: number;
  /** Where its log goes on; null: nothing of it came. */
  logEnd: number | null;
  readonly counts: Record<keyof typeof MAX_OF_TRAINING, number>;
  /** The last step of each kind. */
  readonly steps: Record<'points' | 'validation' | 'checkpoint', number>;
}

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
  /** The last snapshot with a recommendation. */
  let recommended: string | null = null;
  let training: Training | null = null;
  let trained = new Set<string>();
  let model: { readonly id: string; readonly forms: Set<string> } | null = null;
  let file: { readonly bytes: number; read: number } | null = null;
  let manifest: RecordOf<'manifest'> | null = null;
  /** Of the runs of each job. */
  const numbers = new Map<string, Set<number>>();

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

  /** The log of a training comes whole, so that whoever reads it comes to its end. */
  function endTraining(line: number): void {
    if (training && (training.logEnd ?? 0) < training.logSize)
      fail(line, `the log of the training ${training.id} is shorter than it says.`);
  }

  /** Of a training, steps come in their order. */
  function checkProgress(
    record: RecordOf<'points'> | RecordOf<'validation'> | RecordOf<'checkpoint'> | RecordOf<'log'>,
    line: number,
  ): void {
    if (training?.id !== record.experiment_id) return nowhere(record.kind, 'training', record.experiment_id);
    const steps =
      record.kind === 'points' ? record.points.map(({ step }) => step) : 'step' in record ? [record.step] : [];
    training.counts[record.kind] += Math.max(1, steps.length);
    if (training.counts[record.kind] > MAX_OF_TRAINING[record.kind])
      fail(line, `the training ${training.id} has more ${record.kind} than a studio keeps.`);
    if (record.kind === 'log') {
      if (training.logEnd !== null && record.starts_at !== training.logEnd)
        fail(line, `the log goes on at ${record.starts_at}, not at ${training.logEnd}.`);
      training.logEnd = record.starts_at + record.body.length;
      return;
    }
    for (const step of steps) {
      if (step <= training.steps[record.kind]) fail(line, `step ${step} of the ${record.kind} is there already.`);
      training.steps[record.kind] = step;
    }
  }

  function checkOwn(record: TransferRecord, line: number): void {
    switch (record.kind) {
      case 'manifest':
        manifest = record;
        return;
      case 'end':
        return;
      case 'project':
        // A person has seen what the first line says.
        if (manifest?.project_id !== record.id || manifest.name !== record.name)
          fail(line, 'the first line of the file tells of another project.');
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
        if (record.kind === 'recommendation' && recommended === record.snapshot_id)
          fail(line, 'its snapshot has a recommendation already.');
        if (record.kind === 'recommendation') recommended = record.snapshot_id;
        if (record.kind === 'frozen-texts' && record.texts.some(([at]) => at >= (snapshot?.rows_end ?? 0)))
          fail(line, 'a edited row is not in its snapshot.');
        return;
      case 'job':
        refer('snapshot', 'job', 'snapshot', record.snapshot_id);
        return addNode(record, line);
      case 'experiment': {
        refer('job', 'experiment', 'job', record.job_id);
        const known = numbers.get(record.job_id) ?? new Set();
        if (known.has(record.experiment_number))
          fail(line, `its job has a run with the number ${record.experiment_number} already.`);
        numbers.set(record.job_id, known.add(record.experiment_number));
        return addNode(record, line);
      }
      case 'training':
        endTraining(line);
        refer('experiment', 'training', 'experiment', record.experiment_id);
        if (record.refinetune_from !== null) refer('experiment', 'training', 'experiment', record.refinetune_from);
        if (trained.has(record.experiment_id)) fail(line, 'its run has a training already.');
        trained = trained.add(record.experiment_id);
        training = {
          id: record.experiment_id,
          logSize: record.log_size,
          logEnd: null,
          counts: { points: 0, validation: 0, checkpoint: 0, log: 0 },
          steps: { points: -1, validation: -1, checkpoint: -1 },
        };
        return;
      case 'points':
      case 'validation':
      case 'checkpoint':
      case 'log':
        return checkProgress(record, line);
      case 'model':
        refer('experiment', 'model', 'experiment', record.experiment_id);
        if (modelIds.has(record.id)) fail(line, `there is a model ${record.id} already.`);
        modelIds.add(record.id);
        model = { id: record.id, forms: new Set() };
        return;
      case 'file': {
        if (file) fail(line, 'the model file before it has no end.');
        if (model?.id !== record.model_id) return nowhere('file', 'model', record.model_id);
        // Formats make names of files, which some systems do not tell apart by capitals.
        const form = (record.format ?? '').replaceAll(' ', '-').toLowerCase();
        if (model.forms.has(form)) fail(line, 'there is such a file of its model already.');
        model.forms.add(form);
        file = { bytes: record.bytes, read: 0 };
        return;
      }
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
      if (next > 6 && place <= 6) endTraining(line);
      if (file && record.kind !== 'part' && record.kind !== 'file-end' && record.kind !== 'file')
        fail(line, 'the model file before it has no end.');
      place = next;
      checkOwn(record, line);
    },
  };
}
