// For tests: the database of a trackio project, with the tables of trackio 0.36 (trackio/sqlite_storage.py).
import { makeDatabase, toBlob, type ToolDatabase } from './tables.fixture.ts';

const SCHEMA = `
  CREATE TABLE metrics (
    id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, timestamp TEXT NOT NULL, run_name TEXT NOT NULL,
    step INTEGER NOT NULL, metrics TEXT NOT NULL, log_id TEXT, space_id TEXT
  );
  CREATE TABLE configs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, run_name TEXT NOT NULL, config TEXT NOT NULL,
    created_at TEXT NOT NULL, UNIQUE(run_id)
  );
  CREATE TABLE system_metrics (
    id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, timestamp TEXT NOT NULL, run_name TEXT NOT NULL,
    metrics TEXT NOT NULL, log_id TEXT, space_id TEXT
  );
  CREATE TABLE alerts (
    id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, timestamp TEXT NOT NULL, run_name TEXT NOT NULL,
    title TEXT NOT NULL, text TEXT, level TEXT NOT NULL DEFAULT 'warn', step INTEGER, alert_id TEXT
  );`;
/** Before runs had ids. */
const OLD_SCHEMA = `
  CREATE TABLE metrics (
    id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp TEXT NOT NULL, run_name TEXT NOT NULL, step INTEGER NOT NULL,
    metrics TEXT NOT NULL
  );
  CREATE TABLE configs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, run_name TEXT NOT NULL, config TEXT NOT NULL, created_at TEXT NOT NULL,
    UNIQUE(run_name)
  );`;

export const START = Date.UTC(2026, 7, 22, 10, 0, 0);
const toTime = (seconds: number): string => new Date(START + seconds * 1000).toISOString().replace('Z', '000+00:00');

export class TrackioProject {
  readonly database: ToolDatabase;
  #step = 0;

  constructor(database: ToolDatabase) {
    this.database = database;
  }

  static async create(): Promise<TrackioProject> {
    return new TrackioProject(await makeDatabase(SCHEMA));
  }

  static async createOld(): Promise<TrackioProject> {
    return new TrackioProject(await makeDatabase(OLD_SCHEMA));
  }

  /** A row as `trackio.log` writes it; `step` is trackio's own counter. */
  log(run: string, metrics: Readonly<Record<string, unknown>>, logId: string | null = null): void {
    this.database.run(
      'INSERT INTO metrics (timestamp, run_id, run_name, step, metrics, log_id) VALUES (?, ?, ?, ?, ?, ?)',
      [toTime(this.#step), run, `name of ${run}`, this.#step, toBlob(metrics), logId],
    );
    this.#step += 1;
  }

  logOld(run: string, metrics: Readonly<Record<string, unknown>>): void {
    const values = [toTime(this.#step), run, this.#step, toBlob(metrics)];
    this.database.run('INSERT INTO metrics (timestamp, run_name, step, metrics) VALUES (?, ?, ?, ?)', values);
    this.#step += 1;
  }

  alert(run: string, level: string, title: string, text: string | null, step: number | null): void {
    this.database.run(
      'INSERT INTO alerts (timestamp, run_id, run_name, title, text, level, step) VALUES (?, ?, ?, ?, ?, ?, ?)',
      [toTime(this.#step), run, `name of ${run}`, title, text, level, step],
    );
  }

  configure(run: string, config: Readonly<Record<string, unknown>>): void {
    this.database.run('INSERT OR REPLACE INTO configs (run_id, run_name, config, created_at) VALUES (?, ?, ?, ?)', [
      run,
      `name of ${run}`,
      toBlob({ ...config, _Username: 'me', _Created: toTime(0), _Group: null }),
      toTime(1),
    ]);
  }
}

/** A row as HF's Trainer logs it. */
export const trainerRow = (step: number, loss: unknown): Readonly<Record<string, unknown>> => ({
  'train/loss': loss,
  'train/grad_norm': 1,
  'train/learning_rate': 1e-4,
  'train/epoch': step / 10,
  'train/global_step': step,
});

/** The row of the Trainer's last call: its figures of the whole run are not sent. */
export const closingRow = (step: number): Readonly<Record<string, unknown>> => ({
  'train/epoch': step / 10,
  'train/global_step': step,
});

/** One line of `inbox/<writer>/<number>.jsonl`. */
export const fragmentLine = (record: Readonly<Record<string, unknown>>): string =>
  `${JSON.stringify({ v: 1, kind: 'metric', project: 'huggingface', run: 'sft', run_id: 'r9', ...record })}\n`;
