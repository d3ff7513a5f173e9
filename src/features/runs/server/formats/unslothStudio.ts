// Unsloth Studio: `studio.db` holds the runs with their state, settings and metrics.
import { arrayOr, type JsonObject } from '#core/contract/readJson.ts';
import {
  toEvidence,
  toFact,
  type Fact,
  type FactSource,
  type ParameterValue,
  type RunEvidence,
  type StatusSign,
  type StatusSignKind,
} from '#features/runs/server/evidence.ts';
import { baseName, pathIn } from '#features/runs/server/paths.ts';
import type {
  DatabaseRow,
  DatabaseView,
  FileChange,
  FolderView,
  FormatReader,
  RunReading,
} from '#features/runs/server/reader.ts';
import { parseLooseObject, toFinite, toText } from './looseJson.ts';
import { MetricLog } from './metricLog.ts';
import { toParameters } from './settings.ts';
import { cellNumber, cellText, cellTime, readRows, TableTail, valueOf } from './tableRows.ts';

const DATABASE = 'studio.db';
const MAX_RUNS = 20_000;
const RUN_COLUMNS = {
  needed: ['id', 'status'],
  more: (
    'model_name dataset_name config_json started_at ended_at total_steps final_step final_loss output_dir error_message ' +
    'duration_seconds display_name resumed_from_run_id'
  ).split(' '),
};
/** Columns of training_metrics that are curves, with the metric's name. */
const METRICS: Readonly<Record<string, string>> = {
  loss: 'loss',
  learning_rate: 'learning_rate',
  grad_norm: 'grad_norm',
  eval_loss: 'eval_loss',
  num_tokens: 'num_tokens',
  epoch: 'epoch',
};
/** The Studio fills an evaluation into the row of its step afterwards, so the newest rows are read again. */
const REREAD_ROWS = 64;
const SIGNS: Readonly<Record<string, StatusSignKind>> = {
  running: 'open',
  completed: 'finished',
  stopped: 'interrupted',
  error: 'failed',
};
const REASONS: Readonly<Record<string, string>> = {
  running: 'the Studio lists it as running',
  completed: 'the Studio marked it as completed',
  stopped: 'it was stopped in the Studio',
  error: 'the Studio marked it as failed',
};

export const unslothStudio: FormatReader = {
  format: 'unsloth-studio',
  label: 'Unsloth Studio',
  recognise(folder) {
    if (!folder.files.has(DATABASE)) return [];
    const path = pathIn(folder.path, DATABASE);
    return [{ key: path, files: [{ path, read: { mode: 'database' } }] }];
  },
  open: (_claim, folder) => new StudioReading(folder),
};

interface Settings {
  readonly text: string | null;
  readonly config: JsonObject;
  readonly parameters: ReadonlyMap<string, Fact<ParameterValue>>;
}

class StudioReading implements RunReading {
  readonly #folder: FolderView;
  readonly #logs = new Map<string, MetricLog>();
  readonly #metrics = new TableTail(
    'training_metrics',
    ['run_id', 'step', 'elapsed_seconds', ...Object.keys(METRICS)],
    { rereads: REREAD_ROWS },
  );
  readonly #settings = new Map<string, Settings>();
  #rows: readonly DatabaseRow[] = [];
  #path = '';

  constructor(folder: FolderView) {
    this.#folder = folder;
  }

  take(change: FileChange): boolean {
    if (change.kind === 'gone') {
      this.#rows = [];
      this.#forget();
    }
    if (change.kind !== 'database') return false;
    this.#path = change.path;
    const rows = readRows(change.database, 'training_runs', RUN_COLUMNS, MAX_RUNS);
    if (!rows) return false;
    this.#rows = rows;
    return this.#takeMetrics(change.database);
  }

  evidence(): readonly RunEvidence[] {
    return this.#rows.map((row) => this.#toEvidence(row)).filter((each) => each !== null);
  }

  /** true: there are more. */
  #takeMetrics(database: DatabaseView): boolean {
    const present = database.columns('training_metrics');
    if (!present.includes('run_id') || !present.includes('step')) return false;
    if (this.#metrics.hasLost(database)) this.#forget();
    const starts = new Map(this.#rows.map((row) => [cellText(row['id']), cellTime(row['started_at'])]));
    const reread = new Set<string>();
    const source = { file: this.#path, place: 'table training_metrics' };
    return this.#metrics.read(database, (row) => {
      const run = cellText(row['run_id']);
      const step = cellNumber(row['step']);
      if (run === null || step === null) return;
      const log = valueOf(this.#logs, run, () => new MetricLog());
      if (!reread.has(run)) log.dropFrom(step);
      reread.add(run);
      const start = starts.get(run) ?? null;
      const elapsed = cellNumber(row['elapsed_seconds']);
      const time = start === null || elapsed === null ? null : start + elapsed * 1000;
      for (const [column, name] of Object.entries(METRICS)) {
        const value = cellNumber(row[column]);
        if (value !== null) log.add(name, value, step, time, source);
      }
    });
  }

  /** The settings of a run, parsed once. */
  #toSettings(run: string, text: string | null): Settings {
    const before = this.#settings.get(run);
    if (before?.text === text) return before;
    const config = parseConfig(text);
    const parameters = toParameters(config, { file: this.#path, place: 'config_json' });
    const found = { text, config, parameters };
    this.#settings.set(run, found);
    return found;
  }

  #forget(): void {
    this.#logs.clear();
    this.#settings.clear();
    this.#metrics.reset();
  }

  #toEvidence(row: DatabaseRow): RunEvidence | null {
    const id = cellText(row['id']);
    if (id === null) return null;
    const source: FactSource = { file: this.#path, place: 'table training_runs' };
    const { config, parameters } = this.#toSettings(id, cellText(row['config_json']));
    const log = this.#logs.get(id) ?? new MetricLog();
    const outputDir = toText(cellText(row['output_dir']));
    const endedAt = cellTime(row['ended_at']);
    const datasets = readDatasets(config, cellText(row['dataset_name']));
    const duration = cellNumber(row['duration_seconds']);
    return toEvidence({
      format: unslothStudio.format,
      key: id,
      trackerId: id,
      curveSource: { file: this.#path, place: 'table training_metrics' },
      folder: this.#findFolder(outputDir),
      outputDir: toFact(outputDir, source),
      name: toFact(toText(cellText(row['display_name'])), source),
      group: toFact(toText(config['project_name']), source),
      baseModel: toFact(toText(cellText(row['model_name'])), source),
      datasets: datasets.length > 0 ? { value: datasets, source } : null,
      isAdapter: readIsAdapter(config, source),
      parameters,
      curves: log.curves,
      summary: duration === null ? new Map() : new Map([['train_runtime', { value: duration, source }]]),
      progress: {
        step: cellNumber(row['final_step']) ?? log.step,
        totalSteps: cellNumber(row['total_steps']),
        epoch: log.epoch,
        totalEpochs: toFinite(config['num_epochs']),
      },
      signs: toSigns(row, endedAt, source),
      startedAt: cellTime(row['started_at']),
      endedAt,
      lastSignAt: endedAt ?? log.lastTime ?? cellTime(row['started_at']),
      resumedFrom: cellText(row['resumed_from_run_id']),
    });
  }

  /** The Studio's own outputs lie beside its database. */
  #findFolder(outputDir: string | null): string {
    const name = outputDir === null ? '' : baseName(outputDir.replaceAll('\\', '/').replace(/\/+$/, ''));
    const found = name === '' ? undefined : this.#folder.folders.get('outputs')?.folders.get(name);
    return found?.path ?? this.#folder.path;
  }
}

function toSigns(row: DatabaseRow, at: number | null, source: FactSource): readonly StatusSign[] {
  const status = cellText(row['status']) ?? '';
  const kind = SIGNS[status];
  if (!kind) return [];
  const error = status === 'error' ? toText(cellText(row['error_message'])?.trim()) : null;
  return [{ kind, reason: error?.slice(0, 500) ?? REASONS[status] ?? status, at, source }];
}

/** A run on several local files names all of them; the table only the first. */
function readDatasets(config: JsonObject, name: string | null): readonly string[] {
  const hub = toText(config['hf_dataset']);
  const local = arrayOr(config['local_datasets'])
    .map(toText)
    .filter((each) => each !== null);
  if (hub !== null || local.length > 0) return hub === null ? local : [hub];
  return name === null || name === '' || name === 'unknown' ? [] : [name];
}

function readIsAdapter(config: JsonObject, source: FactSource): Fact<boolean> | null {
  const type = config['training_type'];
  if (type === 'LoRA/QLoRA' || type === 'Continued Pretraining') return { value: true, source };
  return type === 'Full Finetuning' ? { value: false, source } : null;
}

const parseConfig = (text: string | null): JsonObject => (text === null ? null : parseLooseObject(text)) ?? {};
