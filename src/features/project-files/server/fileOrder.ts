// Whether the records of a file stand in their order and lead to what came before them. Pure; throws TransferProblem.
import { NOTE_LIMITS } from '#features/notes/shared/notes.ts';
import { MAX_NODES, placeOf, type RecordKind, type RecordOf, type TransferRecord } from './records.ts';
import { refuseFile, type TransferProblem } from './transferProblem.ts';

/** Throws TransferProblem for a record that can't stand here. `line`: its number. */
export type OrderCheck = (record: TransferRecord, line: number) => void;

type Fields = Readonly<Record<string, unknown>>;

const wrongOrder = (line: number, message: string): TransferProblem =>
  refuseFile('wrong_order', `Line ${line} can not stand where it is: ${message}`);

/** Whether the last record of a kind is whole before this one, with all that belongs to it. */
const isPast = (kind: RecordKind, record: TransferRecord): boolean =>
  record.kind === kind || placeOf(record.kind).place > placeOf(kind).place;

/** Kinds come in their order. There is one manifest, and one project. */
function openPlaces(): OrderCheck {
  let place = -1;
  return ({ kind }, line) => {
    const { place: next } = placeOf(kind);
    if (next < place || (next > 1 && place < 1) || (next === place && next < 2))
      throw wrongOrder(line, `${kind} comes too late, too early or twice.`);
    place = next;
  };
}

/** What a record names is there before it. No two nodes have one id. */
function openReferences(): OrderCheck {
  const nodes = new Map<string, RecordKind>();
  /** The id of the last record of each kind that others belong to. */
  const last = new Map<string, string>();

  function assertThere(of: string, kind: string, id: string, isThere: boolean): void {
    if (isThere) return;
    throw refuseFile('broken_reference', `A record ${of} names ${kind} ${id}, which the file does not have before it.`);
  }

  function addNode(kind: RecordKind, id: string, line: number): void {
    if (nodes.has(id)) throw wrongOrder(line, `there is a node ${id} already.`);
    if (nodes.size >= MAX_NODES)
      throw refuseFile('too_many_nodes', `The file has more than ${MAX_NODES.toLocaleString('en')} nodes.`);
    nodes.set(id, kind);
  }

  return (record, line) => {
    const { kind } = record;
    const { parent } = placeOf(kind);
    if (parent) {
      const id = String((record as Fields)[parent.field]);
      const isNode = parent.kind === 'node' ? nodes.has(id) : nodes.get(id) === parent.kind;
      assertThere(kind, parent.kind, id, parent.isLast ? last.get(parent.kind) === id : isNode);
    }
    if (kind === 'training') {
      const { experiment_id, refinetune_from: source } = record;
      if (source !== null) assertThere(kind, 'experiment', source, nodes.get(source) === 'experiment');
      last.set(kind, experiment_id);
    }
    if (kind === 'evaluation' && record.dataset_id !== null)
      assertThere(kind, 'dataset', record.dataset_id, nodes.get(record.dataset_id) === 'dataset');
    if (!('id' in record)) return;
    if (kind !== 'model') addNode(kind, record.id, line);
    last.set(kind, record.id);
  };
}

/** What a record has that no other one may have, and what is wrong if one has it; null: nothing. */
function toOnly(record: TransferRecord): { readonly key: string; readonly message: string } | null {
  if (record.kind === 'experiment') {
    const { job_id, experiment_number: number } = record;
    return { key: `${job_id} ${number}`, message: `its job has a run with the number ${number} already.` };
  }
  if (record.kind === 'model') return { key: `model ${record.id}`, message: `there is a model ${record.id} already.` };
  if (record.kind === 'file') {
    // Formats make names of files, which some systems do not tell apart by capitals.
    const form = (record.format ?? '').replaceAll(' ', '-').toLowerCase();
    return { key: `file ${form} ${record.model_id}`, message: 'there is such a file of its model already.' };
  }
  const { kind } = record;
  const { parent, isOnly } = placeOf(kind);
  if (!parent || !isOnly) return null;
  const id = String((record as Fields)[parent.field]);
  return { key: `${kind} ${id}`, message: `its ${parent.kind} has a ${kind} already.` };
}

function openOnly(): OrderCheck {
  const known = new Set<string>();
  return (record, line) => {
    const only = toOnly(record);
    if (!only) return;
    if (known.has(only.key)) throw wrongOrder(line, only.message);
    known.add(only.key);
  };
}

/** The rows of a parent come in their order, and are no more than a studio keeps. */
function openLists(): OrderCheck {
  /** Of one kind and parent: how many rows there are, and the place of the last one. */
  const lists = new Map<RecordKind, { readonly parent: unknown; count: number; last: number }>();
  return (record, line) => {
    const { kind } = record;
    const { parent, order, list, most = Infinity } = placeOf(kind);
    if (!parent || order === undefined) return;
    const id = (record as Fields)[parent.field];
    const given = lists.get(kind);
    const state = given?.parent === id && given ? given : { parent: id, count: 0, last: -1 };
    lists.set(kind, state);
    for (const row of list === undefined ? [record] : ((record as Fields)[list] as readonly Fields[])) {
      const at = Number((row as Fields)[order]);
      if (at <= state.last) throw wrongOrder(line, `${order} ${at} of the ${kind} is there already.`);
      state.last = at;
      state.count += 1;
    }
    if (state.count > most)
      throw wrongOrder(line, `the ${parent.kind} ${String(id)} has more ${kind} than a studio keeps.`);
  };
}

/** A person has seen what the first line says. */
function openProject(): OrderCheck {
  let manifest: RecordOf<'manifest'> | null = null;
  return (record, line) => {
    if (record.kind === 'manifest') manifest = record;
    if (record.kind === 'project' && (manifest?.project_id !== record.id || manifest.name !== record.name))
      throw wrongOrder(line, 'the first line of the file tells of another project.');
  };
}

/** The rows of a dataset come whole, and at once. What names a row names one that is there. */
function openRows(): OrderCheck {
  const counts = new Map<string, number>();
  let dataset: RecordOf<'dataset'> | null = null;
  let next = 0;
  let frozen = 0;
  return (record, line) => {
    const count = dataset?.datapoints_count ?? 0;
    if (dataset && next !== count && isPast('dataset', record))
      throw wrongOrder(line, `the dataset ${dataset.id} has ${next} of its ${count} rows.`);
    switch (record.kind) {
      case 'dataset':
        counts.set(record.id, record.datapoints_count);
        dataset = record;
        next = 0;
        return;
      case 'rows':
        if (record.first !== next) throw wrongOrder(line, `rows go on at ${record.first}, not at ${next}.`);
        next += record.rows.length;
        if (next > count) throw wrongOrder(line, 'the dataset has more than its rows.');
        return;
      case 'marks':
        if (record.marks.some(({ position }) => position >= count))
          throw wrongOrder(line, 'a marked row is not in its dataset.');
        return;
      case 'snapshot': {
        const { dataset_id, rows_end, training_count, validation_count } = record;
        if (rows_end > (counts.get(dataset_id) ?? 0) || training_count + validation_count > rows_end)
          throw wrongOrder(line, 'the snapshot has more rows than its dataset.');
        frozen = rows_end;
        return;
      }
      case 'frozen-texts':
        if (record.texts.some(([at]) => at >= frozen)) throw wrongOrder(line, 'an edited row is not in its snapshot.');
        return;
      default:
        return;
    }
  };
}

/** The log of a training comes whole, so that whoever reads it comes to its end. */
function openLogs(): OrderCheck {
  let training: RecordOf<'training'> | null = null;
  let end: number | null = null;
  return (record, line) => {
    if (training && (end ?? 0) < training.log_size && isPast('training', record))
      throw wrongOrder(line, `the log of the training ${training.experiment_id} is shorter than it says.`);
    if (record.kind === 'training') [training, end] = [record, null];
    if (record.kind !== 'log') return;
    if (end !== null && record.starts_at !== end)
      throw wrongOrder(line, `the log goes on at ${record.starts_at}, not at ${end}.`);
    end = record.starts_at + record.body.length;
  };
}

/** The parts of a model file come at once, and are as long as it says. */
function openModelFiles(): OrderCheck {
  let file: { readonly bytes: number; read: number } | null = null;
  return (record, line) => {
    switch (record.kind) {
      case 'part':
        if (!file) throw wrongOrder(line, 'it belongs to no model file.');
        file.read += Buffer.byteLength(record.data, 'base64');
        if (file.read > file.bytes) throw wrongOrder(line, 'the model file is longer than it says.');
        return;
      case 'file-end':
        if (!file || file.read !== file.bytes) throw wrongOrder(line, 'the model file before it is not whole.');
        file = null;
        return;
      default:
        if (file) throw wrongOrder(line, 'the model file before it has no end.');
        if (record.kind === 'file') file = { bytes: record.bytes, read: 0 };
    }
  };
}

function openNotes(): OrderCheck {
  let count = 0;
  return ({ kind }, line) => {
    if (kind === 'note') count += 1;
    if (count > NOTE_LIMITS.notes) throw wrongOrder(line, 'there are more notes than a studio keeps.');
  };
}

/** Call it for each record of a file, in their order. */
export function openFileOrder(): OrderCheck {
  const checks = [
    openPlaces(),
    openReferences(),
    openOnly(),
    openLists(),
    openProject(),
    openRows(),
    openLogs(),
    openModelFiles(),
    openNotes(),
  ];
  return (record, line) => {
    for (const check of checks) check(record, line);
  };
}
