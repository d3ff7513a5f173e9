// trackio: one SQLite database for each project, and JSON lines in `inbox/` until a dashboard imports them.
import { isObject, type JsonObject } from '#core/contract/readJson.ts';
import {
  toEvidence,
  toFact,
  type FactSource,
  type RunEvidence,
  type StatusSign,
} from '#features/runs/server/evidence.ts';
import { baseName, filesBelow, pathIn } from '#features/runs/server/paths.ts';
import type {
  Claim,
  DatabaseRow,
  DatabaseView,
  FileChange,
  FolderView,
  FormatReader,
  RunReading,
} from '#features/runs/server/reader.ts';
import { parseLooseObject, toNumber, toText } from './looseJson.ts';
import { MetricLog, toMetricValue } from './metricLog.ts';
import { cellNumber, cellText, cellTime, TableTail, valueOf, type Cell } from './tableRows.ts';
import { toTrainerFacts, type TrainerFacts } from './trainerSettings.ts';

const MAX_FRAGMENTS = 5000;
/** The keys of the row that the Trainer's last call logs: its figures of the whole run are not sent to trackio. */
const CLOSING = new Set(['train/epoch', 'train/global_step']);
/** Databases of other tools that may lie in the same folder. */
const OTHERS = /^(?:mlflow|studio|optuna)\b.*\.db$/i;

export const trackio: FormatReader = {
  format: 'trackio',
  label: 'trackio',
  recognise(folder) {
    const databases = [...folder.files.keys()].filter((name) => isDatabase(folder, name));
    const inbox = folder.folders.get('inbox');
    const fragments = inbox ? filesBelow(inbox).filter(({ path }) => path.endsWith('.jsonl')) : [];
    if (databases.length === 0 && (fragments.length === 0 || !isHome(folder))) return [];
    const files: Claim['files'] = [
      ...databases.map((name) => ({ path: pathIn(folder.path, name), read: { mode: 'database' } as const })),
      ...fragments.slice(0, MAX_FRAGMENTS).map(({ path }) => ({ path, read: { mode: 'whole' } as const })),
    ];
    return [{ key: folder.path, files }];
  },
  open: (_claim, folder) => new TrackioReading(folder.path),
};

const isHome = (folder: FolderView): boolean => baseName(folder.path) === 'trackio' || folder.path === '';

/** trackio keeps a lock file beside each database. Its home folder is called `trackio`. */
const isDatabase = (folder: FolderView, name: string): boolean =>
  name.endsWith('.db') &&
  !OTHERS.test(name) &&
  (isHome(folder) || folder.files.has(`${name.slice(0, -'.db'.length)}.lock`));

interface Row {
  /** null: the database is from before runs had ids. */
  readonly id: string | null;
  readonly runName: string | null;
  readonly step: number | null;
  readonly time: number | null;
  readonly metrics: JsonObject;
}

const MAX_DEPTH = 5;
const MAX_ALERTS = 20;
/** Characters of an alert. */
const MAX_ALERT = 500;

/** `{a: {b: 1}}` is the metric `a.b`. A table or an image says with `_type` that it is one. */
const toFlatMetrics = (
  metrics: JsonObject,
  prefix = '',
  depth = 0,
): readonly (readonly [name: string, value: unknown])[] =>
  Object.entries(metrics).flatMap(([key, value]) => {
    if (!isObject(value)) return [[`${prefix}${key}`, value] as const];
    return depth < MAX_DEPTH && !('_type' in value) ? toFlatMetrics(value, `${prefix}${key}.`, depth + 1) : [];
  });

/** One run of a project. */
class TrackedRun {
  readonly log = new MetricLog({ replacesRepeats: true });
  /** Rows that were read from the database. */
  rows = 0;
  name: string | null = null;
  id: string | null = null;
  facts: TrainerFacts | null = null;
  group: string | null = null;
  /** What its program told people with `trackio.alert`, newest last. */
  readonly alerts: string[] = [];
  #hasTrained = false;
  #closedAt: { readonly time: number | null; readonly source: FactSource } | null = null;

  takeRow(row: Row, source: FactSource): void {
    this.name = row.runName ?? this.name;
    this.id = row.id ?? this.id;
    const counted = toNumber(row.metrics['train/global_step']) ?? row.step;
    const keys = Object.keys(row.metrics);
    const step = counted === null ? null : this.log.toRowStep(counted, keys);
    this.log.see(step, row.time);
    for (const [key, raw] of toFlatMetrics(row.metrics)) {
      const value = toMetricValue(raw);
      if (value !== null && step !== null) this.log.add(key, value, step, row.time, source);
    }
    if (this.#hasTrained && keys.length === CLOSING.size && keys.every((key) => CLOSING.has(key))) {
      this.#closedAt = { time: row.time, source };
    } else if (keys.some((key) => key === 'train/loss' || key === 'train/learning_rate')) {
      this.#hasTrained = true;
      this.#closedAt = null;
    }
  }

  takeConfig(config: JsonObject, source: FactSource): void {
    this.facts = toTrainerFacts(config, source);
    this.group = toText(config['_Group']);
  }

  takeAlert(row: DatabaseRow): void {
    const [title, text] = [cellText(row['title']), cellText(row['text'])];
    const step = cellNumber(row['step']);
    const level = cellText(row['level']) ?? 'warn';
    if (title === null || level === 'info') return;
    const words = text === null || text === '' ? title : `${title}: ${text}`;
    this.alerts.push(`Alert (${level}${step === null ? '' : `, step ${step}`}): ${words.slice(0, MAX_ALERT)}`);
    if (this.alerts.length > MAX_ALERTS) this.alerts.shift();
  }

  get signs(): readonly StatusSign[] {
    if (!this.#closedAt) return [];
    const { time, source } = this.#closedAt;
    return [{ kind: 'finished', reason: 'the Trainer logged its last row', at: time, source }];
  }

  get closedAt(): number | null {
    return this.#closedAt?.time ?? null;
  }
}

/** The runs of one project, which is one database. */
class Project {
  readonly name: string;
  runs = new Map<string, TrackedRun>();
  path: string | null = null;
  readonly #metrics = new TableTail('metrics', ['run_id', 'run_name', 'timestamp', 'step', 'metrics', 'log_id']);
  /** A config that changes is written as a new row. */
  readonly #configs = new TableTail('configs', ['run_id', 'run_name', 'config']);
  readonly #alerts = new TableTail('alerts', ['run_id', 'run_name', 'title', 'text', 'level', 'step']);
  /** Rows that came from a fragment, and later come again from the database. */
  #fromFragments = new Set<string>();
  /** The records of fragments that are still there. */
  readonly #fragments = new Map<string, JsonObject[]>();

  constructor(name: string) {
    this.name = name;
  }

  /** true: there are more rows. */
  takeDatabase(database: DatabaseView, path: string): boolean {
    this.path = path;
    const columns = database.columns('metrics');
    if (!columns.includes('run_name') || !columns.includes('metrics')) return false;
    if (this.#metrics.hasLost(database)) this.#forget();
    const source = { file: path, place: 'table metrics' };
    const isMore = this.#metrics.read(database, (row) => {
      const logId = cellText(row['log_id']);
      if (logId !== null && this.#fromFragments.has(logId)) return;
      const runName = cellText(row['run_name']);
      const id = cellText(row['run_id']);
      const run = id ?? runName;
      const metrics = parseCell(row['metrics']);
      if (run === null || metrics === null) return;
      const time = cellTime(row['timestamp']);
      this.#run(run).takeRow({ id, runName, step: cellNumber(row['step']), time, metrics }, source);
    });
    this.#takeConfigs(database, path);
    this.#alerts.read(database, (row) => {
      const run = cellText(row['run_id']) ?? cellText(row['run_name']);
      if (run !== null) this.#run(run).takeAlert(row);
    });
    return isMore;
  }

  takeFragment(record: JsonObject, path: string): void {
    const records = this.#fragments.get(path) ?? [];
    this.#fragments.set(path, records);
    records.push(record);
    this.#takeRecord(record, path);
  }

  dropFragment(path: string): void {
    this.#fragments.delete(path);
  }

  #takeRecord(record: JsonObject, path: string): void {
    const runName = toText(record['run']);
    const id = toText(record['run_id']);
    const run = id ?? runName;
    if (record['kind'] !== 'metric' || run === null || !isObject(record['metrics'])) return;
    const logId = toText(record['log_id']);
    if (logId !== null) {
      if (this.#fromFragments.has(logId)) return;
      this.#fromFragments.add(logId);
    }
    const time = cellTime(toText(record['timestamp']));
    const row = { id, runName, step: toNumber(record['step']), time, metrics: record['metrics'] };
    this.#run(run).takeRow(row, { file: path, place: null });
    if (isObject(record['config'])) this.#run(run).takeConfig(record['config'], { file: path, place: 'config' });
  }

  #takeConfigs(database: DatabaseView, path: string): void {
    this.#configs.read(database, (row) => {
      const run = cellText(row['run_id']) ?? cellText(row['run_name']);
      const config = parseCell(row['config']);
      if (run !== null && config !== null) this.#run(run).takeConfig(config, { file: path, place: 'table configs' });
    });
  }

  #run(id: string): TrackedRun {
    return valueOf(this.runs, id, () => new TrackedRun());
  }

  /** Rows were deleted: begin again. */
  #forget(): void {
    this.runs = new Map();
    this.#metrics.reset();
    this.#configs.reset();
    this.#alerts.reset();
    this.#fromFragments = new Set();
    for (const [path, records] of this.#fragments) for (const record of records) this.#takeRecord(record, path);
  }
}

class TrackioReading implements RunReading {
  readonly #home: string;
  readonly #projects = new Map<string, Project>();

  constructor(home: string) {
    this.#home = home;
  }

  take(change: FileChange): boolean {
    if (change.kind === 'gone') {
      for (const project of this.#projects.values()) project.dropFragment(change.path);
      if (change.path.endsWith('.db')) this.#projects.delete(projectOf(change.path));
    } else if (change.kind === 'database') {
      return this.#project(projectOf(change.path)).takeDatabase(change.database, change.path);
    } else if (change.kind === 'whole') this.#takeFragmentFile(change.path, change.content);
    return false;
  }

  evidence(): readonly RunEvidence[] {
    return [...this.#projects.values()].flatMap((project) =>
      [...project.runs].map(([id, run]) => this.#toEvidence(project, id, run)),
    );
  }

  /** A fragment is written once and never changed. */
  #takeFragmentFile(path: string, content: Uint8Array): void {
    for (const project of this.#projects.values()) project.dropFragment(path);
    for (const line of new TextDecoder().decode(content).split('\n')) {
      const record = parseCell(line.trim());
      const project = toText(record?.['project']);
      if (record && project !== null) this.#project(toFileName(project)).takeFragment(record, path);
    }
  }

  #project(name: string): Project {
    return valueOf(this.#projects, name, () => new Project(name));
  }

  #toEvidence(project: Project, id: string, run: TrackedRun): RunEvidence {
    const source = { file: project.path ?? pathIn(this.#home, 'inbox'), place: 'run_name' };
    const { facts } = run;
    return toEvidence({
      format: trackio.format,
      key: `${project.name}/${id}`,
      folder: this.#home,
      trackerId: run.id,
      curveSource: { file: source.file, place: 'metrics' },
      name: toFact(run.name, source),
      group: toFact(run.group === null ? project.name : `${project.name} / ${run.group}`, source),
      ...facts?.evidence,
      curves: run.log.curves,
      summary: run.log.summary,
      progress: run.log.toProgress(facts?.totalSteps ?? null, facts?.totalEpochs ?? null),
      signs: run.signs,
      startedAt: cellTime(readParameter(facts, '_Created')) ?? run.log.firstTime,
      endedAt: run.closedAt,
      lastSignAt: run.log.lastTime,
      problems: [...run.alerts, ...run.log.problems],
    });
  }
}

const readParameter = (facts: TrainerFacts | null, name: string): string | null =>
  toText(facts?.evidence.parameters.get(name)?.value);

const projectOf = (path: string): string => baseName(path).replace(/\.db$/, '');

/** The name of a project's database: letters, digits, `-` and `_` are kept. */
const toFileName = (project: string): string => project.replace(/[^\p{L}\p{N}_-]/gu, '') || 'default';

/** The JSON object of a cell, in bytes or text. null: something else. */
function parseCell(cell: Cell): JsonObject | null {
  const text = cellText(cell);
  return text === null ? null : parseLooseObject(text);
}
