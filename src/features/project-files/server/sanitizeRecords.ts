// What a project's file says is not believed: names of models, states and dates become what this studio can answer for. What
// was changed is told.
import { isActiveStatus } from '#core/contract/statuses.ts';
import {
  IMPORT_CHANGES,
  NAMED_CHANGES,
  type ImportChange,
  type ImportChangeKind,
  type ProjectImported,
} from '#features/project-files/shared/transfer.ts';
import { RECOMMENDATION_ENDED, toEndedReason } from './endedRuns.ts';
import type { FileItem } from './fileRecords.ts';
import { toImportedId } from './modelNames.ts';
import { placeOf, type RecordOf } from './records.ts';

export interface TakenNames {
  readonly names: ReadonlySet<string>;
  /** false: a server that this studio uses does not answer, so it may have models of other names. */
  readonly isComplete: boolean;
}

/** A model under the name that it has here. */
export interface AdmittedModel extends RecordOf<'model'> {
  /** The name and the run in the file. */
  readonly given: { readonly id: string; readonly experiment_id: string };
}

export type AdmittedItem = Exclude<FileItem, { readonly kind: 'model' }> | AdmittedModel;

export interface Admission {
  /** The record as it is taken. Ids of nodes stay those of the file. */
  admit(item: FileItem): Promise<AdmittedItem>;
  /** A model got another name after all. */
  rename(from: string, to: string): void;
  readonly counts: ProjectImported['counts'];
  /** What is not taken as the file says it, by kind: counted by reason, the first ones by name. */
  listChanges(): ImportChange[];
}

export interface AdmissionOptions {
  /** The id of a node here, by its id in the file. */
  readonly toId: (id: string) => string;
  /** Whether the project gets ids of its own. */
  readonly isCopy: boolean;
  /** Whether own functions of checks may come in. */
  readonly isOwner: boolean;
  /** What nobody who made the file can know. */
  readonly seed: string;
  readonly now: Date;
  /** The names of all models, and those that runs here have. */
  readonly readTaken: () => Promise<TakenNames>;
  readonly toFreeName: (projectName: string) => Promise<string>;
}

const REASONS = {
  project: 'Another project here has this name.',
  shape:
    'Imported models are called ft-, their base, and the first 8 digits of their run, so that none can be taken for another ' +
    'model.',
  copy: 'The runs of a copy have ids of their own, and the names of their models end with them.',
  taken: 'A model of this studio, or of a server that it uses, has this name.',
  unknown:
    'The server of --engine does not answer, so the names of its models are not known. This one was made so that none of ' +
    'them can have it.',
  alias: 'Imported models have no aliases: one could stand for a model that you use, or will add.',
  date: 'Dates in the future are those of this import.',
  function:
    'Own functions are code that runs in the service: only the owner may bring one. Import it with the owner’s token.',
  ended: 'What goes on where a file is made does not go on where it is imported.',
} as const;

/** Clocks of two machines may differ by so much. */
const CLOCK_MS = 5 * 60_000;
const DATES = ['created_at', 'started_at', 'finished_at', 'ended_at', 'updated_at', 'at'] as const;

/** Kinds that are counted, and as what. */
const COUNTED = {
  dataset: 'datasets',
  snapshot: 'snapshots',
  job: 'jobs',
  experiment: 'experiments',
  note: 'notes',
} as const;

type Fields = Readonly<Record<string, unknown>>;
type Reason = keyof typeof REASONS;
type NoteChange = (kind: ImportChangeKind, reason: Reason, named: ImportChange['named'][number]) => void;

/** What is told in the end, by kind and reason. */
function openChanges() {
  const changes = new Map<string, ImportChange>();
  const note: NoteChange = (kind, reason, named) => {
    const key = `${kind} ${reason}`;
    const change = changes.get(key) ?? { kind, reason: REASONS[reason], count: 0, named: [] };
    change.count += 1;
    if (change.named.length < NAMED_CHANGES) change.named.push(named);
    changes.set(key, change);
  };
  return {
    note,
    list: () => IMPORT_CHANGES.flatMap((kind) => [...changes.values()].filter((change) => change.kind === kind)),
  };
}

type NameOptions = Pick<AdmissionOptions, 'toId' | 'isCopy' | 'seed' | 'readTaken'>;

interface MadeName {
  readonly name: string;
  /** Why it is another one than in the file; null: it is told already, or the same. */
  reason: Reason | null;
}

/** The names here of the models that a file names. */
function openNames({ toId, isCopy, seed, readTaken }: NameOptions, note: NoteChange) {
  /** By run and name in the file. */
  const names = new Map<string, MadeName>();
  let taken: Promise<{ readonly names: Set<string>; readonly isComplete: boolean }> | null = null;

  async function make(id: string, run: string): Promise<MadeName> {
    taken ??= readTaken().then((read) => ({ ...read, names: new Set(read.names) }));
    const { names: all, isComplete } = await taken;
    const wanted = toImportedId(id, run, toId(run));
    const free = isComplete ? wanted : `${wanted}-${seed.slice(0, 8)}`;
    let name = free;
    for (let number = 2; all.has(name); number += 1) name = `${free}-${number}`;
    all.add(name);
    if (name === id) return { name, reason: null };
    const isOfRun = toImportedId(id, run, run) === id;
    const reason = !isComplete ? 'unknown' : name !== wanted ? 'taken' : isOfRun && isCopy ? 'copy' : 'shape';
    return { name, reason };
  }

  /** `run`: in the file. `isTold`: a person hears of it if it is another one. */
  return async (id: string, run: string, isTold: boolean): Promise<string> => {
    const key = `${run} ${id}`;
    const made = names.get(key) ?? (await make(id, run));
    names.set(key, made);
    const { name, reason } = made;
    if (!isTold || reason === null) return name;
    note('model_renamed', reason, { of: null, from: id, to: name });
    made.reason = null;
    return name;
  };
}

/** What people call records: by their own label, or that of what they belong to. */
function openLabels() {
  const labels = new Map<string, string>();
  function labelOf(item: FileItem): string {
    if (item.kind === 'project' || item.kind === 'evaluation') return item.name;
    if (item.kind === 'experiment') return `${labels.get(item.job_id) ?? ''} / ${item.label}`;
    if ('label' in item) return item.label;
    const { parent } = item.kind === 'blocks' ? {} : placeOf(item.kind);
    const id = parent ? String((item as Fields)[parent.field]) : item.kind;
    return labels.get(id) ?? id;
  }
  return {
    labelOf,
    nameOf: (id: string): string => labels.get(id) ?? id,
    add(item: FileItem): void {
      if ('id' in item && (item.kind === 'project' || item.kind === 'evaluation' || 'label' in item))
        labels.set(item.id, labelOf(item));
    },
  };
}

/** The record with each of its dates as `toDate` gives it. `what`: for people. */
function mapDates<Item extends FileItem>(item: Item, toDate: (text: string, what: string) => string): Item {
  // Not stored.
  if (item.kind === 'manifest') return item;
  const dates = DATES.flatMap((field) => {
    const text = (item as Fields)[field];
    return typeof text === 'string' ? [[field, toDate(text, field)]] : [];
  });
  if (item.kind !== 'points') return dates.length === 0 ? item : { ...item, ...Object.fromEntries(dates) };
  const points = item.points.map((point) => Object.assign({}, point, { at: toDate(point.at, `step ${point.step}`) }));
  return { ...item, points };
}

export function openAdmission(options: AdmissionOptions): Admission {
  const { now, toFreeName, isOwner } = options;
  const counts = { datasets: 0, rows: 0, snapshots: 0, jobs: 0, experiments: 0, notes: 0 };
  const { note, list: listChanges } = openChanges();
  const { labelOf, nameOf, add: addLabel } = openLabels();
  const toName = openNames(options, note);
  /** The names here of models of the file, by those in it. */
  const models = new Map<string, string>();
  const ended = new Set<string>();

  function count(item: FileItem): void {
    if (item.kind === 'blocks') counts.rows += item.blocks.reduce((sum, { row_count }) => sum + row_count, 0);
    else if (item.kind in COUNTED) counts[COUNTED[item.kind as keyof typeof COUNTED]] += 1;
  }

  const withDates = (item: FileItem): FileItem =>
    mapDates(item, (text, what) => {
      if (Date.parse(text) <= now.getTime() + CLOCK_MS) return text;
      const to = now.toISOString();
      note('date_moved', 'date', { of: `${labelOf(item)}: ${what}`, from: text, to });
      return to;
    });

  /** Tells that what goes on has ended here; false: it does not go on. */
  function hasEnded(
    item: RecordOf<'experiment' | 'job' | 'recommendation'>,
    kind: ImportChangeKind,
    to: string,
  ): boolean {
    const isEnded = isActiveStatus(item.status);
    if (isEnded) note(kind, 'ended', { of: labelOf(item), from: item.status, to });
    return isEnded;
  }

  async function admitRun(given: RecordOf<'experiment'>): Promise<RecordOf<'experiment'>> {
    const { id, status, failure, model_id } = given;
    const run = { ...given, model_id: model_id === null ? null : await toName(model_id, id, true) };
    if (!hasEnded(given, 'run_ended', 'stopped')) return run;
    ended.add(id);
    return { ...run, status: 'stopped', failure: failure ?? toEndedReason(status) };
  }

  async function admitModel(model: RecordOf<'model'>): Promise<AdmittedModel> {
    const id = await toName(model.id, model.experiment_id, true);
    models.set(model.id, id);
    for (const alias of model.aliases) note('alias_dropped', 'alias', { of: id, from: alias, to: null });
    const given = { id: model.id, experiment_id: model.experiment_id };
    return { ...model, id, given, aliases: [], base: models.get(model.base) ?? model.base };
  }

  const toModel = (id: string): string => models.get(id) ?? id;

  function admitChecks({
    checks,
    evaluation_id,
  }: RecordOf<'evaluation-version'>): RecordOf<'evaluation-version'>['checks'] {
    const given = checks.map((check) =>
      check.kind === 'judge' ? Object.assign({}, check, { model: toModel(check.model) }) : check,
    );
    return given.filter((check) => {
      if (check.kind !== 'function' || isOwner) return true;
      note('function_dropped', 'function', { of: nameOf(evaluation_id), from: check.name ?? check.id, to: null });
      return false;
    });
  }

  async function admitOne(item: FileItem): Promise<AdmittedItem> {
    switch (item.kind) {
      case 'project': {
        const name = await toFreeName(item.name);
        if (name !== item.name) note('project_renamed', 'project', { of: null, from: item.name, to: name });
        return { ...item, name };
      }
      case 'recommendation':
        return hasEnded(item, 'recommendation_ended', 'failed')
          ? { ...item, status: 'failed', error: RECOMMENDATION_ENDED, finished_at: now.toISOString() }
          : item;
      case 'job':
        return hasEnded(item, 'job_ended', 'stopped') ? { ...item, status: 'stopped' } : item;
      case 'experiment':
        return admitRun(item);
      case 'training':
        // The reason that its run has now is with the run.
        return ended.has(item.experiment_id) ? { ...item, reason: null } : item;
      case 'checkpoint': {
        const { model_id: model, experiment_id: run } = item;
        // Those of most checkpoints are gone.
        return { ...item, model_id: model === null ? null : await toName(model, run, false) };
      }
      case 'model':
        return admitModel(item);
      case 'evaluation': {
        const { models: names, baseline } = item;
        return {
          ...item,
          models: [...new Set(names.map(toModel))],
          baseline: baseline === null ? null : toModel(baseline),
        };
      }
      case 'evaluation-version':
        return { ...item, checks: admitChecks(item) };
      default:
        return item;
    }
  }

  return {
    async admit(given) {
      const item = withDates(given);
      count(item);
      const admitted = await admitOne(item);
      addLabel(admitted);
      return admitted;
    },
    rename: (from, to) => note('model_renamed', 'taken', { of: null, from, to }),
    counts,
    listChanges,
  };
}
