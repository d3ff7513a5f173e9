// MLflow's SQLite store (`mlflow.db`): the default since MLflow 3.7.
import type { RunEvidence } from '#features/runs/server/evidence.ts';
import { filesBelow, folderOf, pathIn } from '#features/runs/server/paths.ts';
import type {
  DatabaseRow,
  DatabaseView,
  FileChange,
  FolderView,
  FormatReader,
  RunReading,
} from '#features/runs/server/reader.ts';
import { MetricLog } from './metricLog.ts';
import { isSystemMetric, PARENT_TAG, toMlflowEvidence } from './mlflow.ts';
import { cellNumber, cellText, readRows, TableTail, valueOf } from './tableRows.ts';

const DATABASE = /^mlflow[\w-]*\.(?:db|sqlite3?)$|^mlruns\.db$/i;
/** Rows go only with their run: millions need not be counted at each look. */
const ONLY_GROWS = { isCounted: false };
const ARTIFACTS = ['mlruns', 'mlartifacts'];
const MAX_RUNS = 20_000;
const MAX_TAG_ROWS = 400_000;
/** What MLflow writes for infinity, which SQL does not know. */
const LARGEST = 1.7976931348623157e308;
const RUN_COLUMNS = {
  needed: ['run_uuid', 'status'],
  more: ['name', 'start_time', 'end_time', 'lifecycle_stage', 'experiment_id'],
};

export const mlflowDatabase: FormatReader = {
  format: 'mlflow-database',
  label: 'MLflow database',
  recognise: (folder) =>
    [...folder.files.keys()]
      .filter((name) => DATABASE.test(name))
      .map((name) => ({
        key: pathIn(folder.path, name),
        files: [
          { path: pathIn(folder.path, name), read: { mode: 'database' } },
          ...findArtifacts(folder).map((path) => ({ path, read: { mode: 'stat' } }) as const),
        ],
      })),
  open: () => new DatabaseReading(),
};

/** A file of each folder beside the database in which it keeps artifacts: they are its own, and no unknown runs. */
const findArtifacts = (folder: FolderView): readonly string[] =>
  ARTIFACTS.flatMap((name) => {
    const inner = folder.folders.get(name);
    const [first] = inner ? filesBelow(inner) : [];
    return first ? [first.path] : [];
  });

class DatabaseReading implements RunReading {
  readonly #metrics = new TableTail('metrics', ['key', 'value', 'timestamp', 'run_uuid', 'step', 'is_nan'], ONLY_GROWS);
  readonly #params = new TableTail('params', ['key', 'value', 'run_uuid'], ONLY_GROWS);
  readonly #logs = new Map<string, MetricLog>();
  readonly #paramsOf = new Map<string, Map<string, string>>();
  #tagsOf = new Map<string, Map<string, string>>();
  #datasetsOf = new Map<string, string[]>();
  #experiments = new Map<number | null, { readonly name: string | null; readonly isDeleted: boolean }>();
  #rows: readonly DatabaseRow[] = [];
  #path = '';

  take(change: FileChange): boolean {
    if (change.kind === 'gone' && change.path === this.#path) {
      this.#rows = [];
      this.#forget();
    } else if (change.kind === 'database') return this.#takeDatabase(change.database, change.path);
    return false;
  }

  evidence(): readonly RunEvidence[] {
    const names = new Map(this.#rows.map((row) => [cellText(row['run_uuid']), cellText(row['name'])]));
    return this.#rows.flatMap((row) => {
      const evidence = this.#toEvidence(row, names);
      return evidence ? [evidence] : [];
    });
  }

  /** true: there are more rows. */
  #takeDatabase(database: DatabaseView, path: string): boolean {
    this.#path = path;
    const rows = readRows(database, 'runs', RUN_COLUMNS, MAX_RUNS);
    if (!rows) return false;
    this.#rows = rows;
    this.#takeExperiments(database);
    this.#takeTags(database);
    this.#takeDatasets(database);
    if (this.#metrics.hasLost(database) || this.#params.hasLost(database)) this.#forget();
    this.#dropRuns();
    const isMore = this.#params.read(database, (row) => {
      const [run, key, value] = ['run_uuid', 'key', 'value'].map((column) => cellText(row[column]));
      if (run && key && value != null) valueOf(this.#paramsOf, run, toTexts).set(key, value);
    });
    return this.#metrics.read(database, (row) => this.#takeMetric(row)) || isMore;
  }

  #takeMetric(row: DatabaseRow): void {
    const run = cellText(row['run_uuid']);
    const key = cellText(row['key']);
    const value = cellNumber(row['is_nan']) === 1 ? Number.NaN : cellNumber(row['value']);
    if (run === null || key === null || value === null || isSystemMetric(key)) return;
    const log = valueOf(this.#logs, run, () => new MetricLog({ replacesRepeats: true }));
    const shown = Math.abs(value) === LARGEST ? Math.sign(value) * Infinity : value;
    const source = { file: this.#path, place: 'table metrics' };
    log.add(key, shown, cellNumber(row['step']) ?? 0, cellNumber(row['timestamp']), source);
  }

  #takeExperiments(database: DatabaseView): void {
    const columns = { needed: ['experiment_id'], more: ['name', 'lifecycle_stage'] };
    const rows = readRows(database, 'experiments', columns, MAX_RUNS);
    if (!rows) return;
    this.#experiments = new Map(
      rows.map((row) => [
        cellNumber(row['experiment_id']),
        { name: cellText(row['name']), isDeleted: cellText(row['lifecycle_stage']) === 'deleted' },
      ]),
    );
  }

  /** Tags can be changed in place, so all are read again. */
  #takeTags(database: DatabaseView): void {
    const columns = database.columns('tags');
    if (!['key', 'value', 'run_uuid'].every((column) => columns.includes(column))) return;
    this.#tagsOf = new Map();
    const sql = `SELECT run_uuid, key, substr(value, 1, 300) AS value FROM tags WHERE key NOT LIKE 'mlflow.log-model%'`;
    for (const row of database.rows(sql, [], MAX_TAG_ROWS)) {
      const [run, key] = [cellText(row['run_uuid']), cellText(row['key'])];
      if (run && key) valueOf(this.#tagsOf, run, toTexts).set(key, cellText(row['value']) ?? '');
    }
  }

  #takeDatasets(database: DatabaseView): void {
    this.#datasetsOf = new Map();
    if (!database.columns('inputs').includes('destination_id') || !database.columns('datasets').includes('name'))
      return;
    const sql = `SELECT i.destination_id AS run, d.name AS name FROM inputs i JOIN datasets d ON d.dataset_uuid = i.source_id
      WHERE i.source_type = 'DATASET' AND i.destination_type = 'RUN'`;
    for (const row of database.rows(sql, [], MAX_RUNS)) {
      const [run, name] = [cellText(row['run']), cellText(row['name'])];
      if (!run || !name) continue;
      const names = this.#datasetsOf.get(run) ?? [];
      if (!names.includes(name)) this.#datasetsOf.set(run, [...names, name]);
    }
  }

  #toEvidence(row: DatabaseRow, names: ReadonlyMap<string | null, string | null>): RunEvidence | null {
    const id = cellText(row['run_uuid']);
    const experiment = this.#experiments.get(cellNumber(row['experiment_id']));
    if (id === null || cellText(row['lifecycle_stage']) === 'deleted' || experiment?.isDeleted) return null;
    const log = this.#logs.get(id) ?? new MetricLog();
    const tags = this.#tagsOf.get(id) ?? new Map<string, string>();
    const parent = tags.get(PARENT_TAG);
    const [startedAt, endedAt] = [cellNumber(row['start_time']), cellNumber(row['end_time'])];
    return toMlflowEvidence({
      format: mlflowDatabase.format,
      key: id,
      id,
      folder: folderOf(this.#path),
      name: cellText(row['name']),
      experiment: experiment?.name ?? null,
      parent: parent === undefined ? null : (names.get(parent) ?? null),
      status: cellText(row['status']) ?? '',
      startedAt,
      endedAt,
      params: this.#paramsOf.get(id) ?? new Map<string, string>(),
      tags,
      datasets: this.#datasetsOf.get(id) ?? [],
      log,
      source: { file: this.#path, place: 'table runs' },
      paramSource: { file: this.#path, place: 'table params' },
      metricSource: { file: this.#path, place: 'table metrics' },
      lastSignAt: endedAt ?? log.lastTime ?? startedAt,
    });
  }

  /** What was read of runs that were deleted for good. */
  #dropRuns(): void {
    if (this.#rows.length === MAX_RUNS) return;
    const runs = new Set(this.#rows.map((row) => cellText(row['run_uuid'])));
    for (const id of this.#logs.keys()) if (!runs.has(id)) this.#logs.delete(id);
    for (const id of this.#paramsOf.keys()) if (!runs.has(id)) this.#paramsOf.delete(id);
  }

  #forget(): void {
    this.#metrics.reset();
    this.#params.reset();
    this.#logs.clear();
    this.#paramsOf.clear();
  }
}

const toTexts = (): Map<string, string> => new Map();
