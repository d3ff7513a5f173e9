// Whether the records of a file stand in their order and lead to what came before them. Pure; throws TransferProblem.
import { NOTE_LIMITS } from '#core/contract/limits.ts';
import { MAX_NODES, placeOf, type RecordKind, type RecordOf, type TransferRecord } from './records.ts';
import { refuseFile } from './transferProblem.ts';

export interface FileOrder {
  /** Throws TransferProblem for a record that can't stand here. `line`: its number. */
  check(record: TransferRecord, line: number): void;
}

type Fields = Readonly<Record<string, unknown>>;

export function openFileOrder(): FileOrder {
  /** Kinds of nodes, by their ids. */
  const nodes = new Map<string, RecordKind>();
  /** The last record of each kind that others belong to. */
  let dataset: RecordOf<'dataset'> | null = null;
  let snapshot: RecordOf<'snapshot'> | null = null;
  let training: RecordOf<'training'> | null = null;
  let model: RecordOf<'model'> | null = null;
  let manifest: RecordOf<'manifest'> | null = null;
  let file: { readonly bytes: number; read: number } | null = null;
  /** Of one kind and parent: how many rows there are, and the place of the last one. */
  const lists = new Map<RecordKind, { readonly parent: unknown; count: number; last: number }>();
  const rowCounts = new Map<string, number>();
  /** What may be there once only. */
  const known = new Set<string>();
  let place = -1;
  let logEnd: number | null = null;
  let nextRow = 0;
  let notes = 0;

  const fail = (line: number, message: string): never => {
    throw refuseFile('wrong_order', `Line ${line} can not stand where it is: ${message}`);
  };

  function addOnce(key: string, line: number, message: string): void {
    if (known.has(key)) fail(line, message);
    known.add(key);
  }

  function addNode(kind: RecordKind, id: string, line: number): void {
    if (nodes.has(id)) fail(line, `there is a node ${id} already.`);
    if (nodes.size >= MAX_NODES)
      throw refuseFile('too_many_nodes', `The file has more than ${MAX_NODES.toLocaleString('en')} nodes.`);
    nodes.set(id, kind);
  }

  function refer(of: string, kind: string, id: unknown, isThere: boolean): void {
    if (!isThere)
      throw refuseFile(
        'broken_reference',
        `A record ${of} names ${kind} ${String(id)}, which the file does not have before it.`,
      );
  }

  const isLast = (kind: string, id: unknown): boolean =>
    id === { dataset: dataset?.id, snapshot: snapshot?.id, training: training?.experiment_id, model: model?.id }[kind];

  function checkParent(record: TransferRecord, line: number): void {
    const { kind } = record;
    const { parent, isOnly } = placeOf(kind);
    if (!parent) return;
    const id = String((record as Fields)[parent.field]);
    const found = nodes.get(id);
    refer(
      kind,
      parent.kind,
      id,
      parent.isLast
        ? isLast(parent.kind, id)
        : found === parent.kind || (parent.kind === 'node' && found !== undefined),
    );
    if (isOnly) addOnce(`${kind} ${id}`, line, `its ${parent.kind} has a ${kind} already.`);
  }

  /** The rows of a parent come in their order. */
  function checkList(record: TransferRecord, line: number): void {
    const { kind } = record;
    const { parent, order, list, most = Infinity } = placeOf(kind);
    if (!parent || order === undefined) return;
    const id = (record as Fields)[parent.field];
    const given = lists.get(kind);
    const state = given?.parent === id && given ? given : { parent: id, count: 0, last: -1 };
    lists.set(kind, state);
    for (const row of list === undefined ? [record] : ((record as Fields)[list] as readonly Fields[])) {
      const at = Number((row as Fields)[order]);
      if (at <= state.last) fail(line, `${order} ${at} of the ${kind} is there already.`);
      state.last = at;
      state.count += 1;
    }
    if (state.count > most) fail(line, `the ${parent.kind} ${String(id)} has more ${kind} than a studio keeps.`);
  }

  /** The rows of a dataset come whole, and at once. */
  function endDataset(line: number): void {
    if (dataset && nextRow !== dataset.datapoints_count)
      fail(line, `the dataset ${dataset.id} has ${nextRow} of its ${dataset.datapoints_count} rows.`);
  }

  /** The log of a training comes whole, so that whoever reads it comes to its end. */
  function endTraining(line: number): void {
    if (training && (logEnd ?? 0) < training.log_size)
      fail(line, `the log of the training ${training.experiment_id} is shorter than it says.`);
  }

  function checkOwn(record: TransferRecord, line: number): void {
    switch (record.kind) {
      case 'manifest':
        manifest = record;
        return;
      case 'project':
        // A person has seen what the first line says.
        if (manifest?.project_id !== record.id || manifest.name !== record.name)
          fail(line, 'the first line of the file tells of another project.');
        return;
      case 'dataset':
        endDataset(line);
        rowCounts.set(record.id, record.datapoints_count);
        dataset = record;
        nextRow = 0;
        return;
      case 'rows':
        if (record.first !== nextRow) fail(line, `rows go on at ${record.first}, not at ${nextRow}.`);
        nextRow += record.rows.length;
        if (nextRow > (dataset?.datapoints_count ?? 0)) fail(line, 'the dataset has more than its rows.');
        return;
      case 'marks':
        if (record.marks.some(({ position }) => position >= (dataset?.datapoints_count ?? 0)))
          fail(line, 'a marked row is not in its dataset.');
        return;
      case 'snapshot': {
        const { rows_end, training_count, validation_count } = record;
        if (rows_end > (rowCounts.get(record.dataset_id) ?? 0) || training_count + validation_count > rows_end)
          fail(line, 'the snapshot has more rows than its dataset.');
        snapshot = record;
        return;
      }
      case 'frozen-texts':
        if (record.texts.some(([at]) => at >= (snapshot?.rows_end ?? 0)))
          fail(line, 'an edited row is not in its snapshot.');
        return;
      case 'experiment': {
        const { job_id, experiment_number: number } = record;
        return addOnce(`${job_id} ${number}`, line, `its job has a run with the number ${number} already.`);
      }
      case 'training': {
        endTraining(line);
        const { refinetune_from: source } = record;
        refer('training', 'experiment', source, source === null || nodes.get(source) === 'experiment');
        training = record;
        logEnd = null;
        return;
      }
      case 'log':
        if (logEnd !== null && record.starts_at !== logEnd)
          fail(line, `the log goes on at ${record.starts_at}, not at ${logEnd}.`);
        logEnd = record.starts_at + record.body.length;
        return;
      case 'model':
        model = record;
        return addOnce(`model ${record.id}`, line, `there is a model ${record.id} already.`);
      case 'file': {
        if (file) fail(line, 'the model file before it has no end.');
        // Formats make names of files, which some systems do not tell apart by capitals.
        const form = (record.format ?? '').replaceAll(' ', '-').toLowerCase();
        file = { bytes: record.bytes, read: 0 };
        return addOnce(`file ${form} ${record.model_id}`, line, 'there is such a file of its model already.');
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
        notes += 1;
        if (notes > NOTE_LIMITS.notes) fail(line, 'there are more notes than a studio keeps.');
        return;
      default:
        return;
    }
  }

  return {
    check(record, line) {
      const { kind } = record;
      const { place: next } = placeOf(kind);
      if (next < place || (next > 1 && place < 1) || (next === place && next < 2))
        fail(line, `${kind} comes too late, too early or twice.`);
      if (next > 2 && place <= 2) endDataset(line);
      if (next > 6 && place <= 6) endTraining(line);
      if (file && kind !== 'part' && kind !== 'file-end' && kind !== 'file')
        fail(line, 'the model file before it has no end.');
      place = next;
      checkParent(record, line);
      if ('id' in record && kind !== 'model') addNode(kind, record.id, line);
      checkList(record, line);
      checkOwn(record, line);
    },
  };
}
