// For tests: the database of Unsloth Studio 2026.8, with the tables and statements of its studio_db.py.
import { makeDatabase, type ToolDatabase } from './tables.fixture.ts';

const RUNS = `
  id TEXT NOT NULL PRIMARY KEY, status TEXT NOT NULL DEFAULT 'running', model_name TEXT NOT NULL,
  dataset_name TEXT NOT NULL, config_json TEXT NOT NULL, started_at TEXT NOT NULL, ended_at TEXT, total_steps INTEGER,
  final_step INTEGER, final_loss REAL, output_dir TEXT, error_message TEXT, duration_seconds REAL, loss_sparkline TEXT`;
const LATER = ', display_name TEXT, resume_blocked INTEGER NOT NULL DEFAULT 0, resumed_from_run_id TEXT';
const METRICS = `
  CREATE TABLE training_metrics (
    id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL REFERENCES training_runs(id) ON DELETE CASCADE,
    step INTEGER NOT NULL, loss REAL, learning_rate REAL, grad_norm REAL, eval_loss REAL, epoch REAL,
    num_tokens INTEGER, elapsed_seconds REAL, UNIQUE(run_id, step)
  );`;

export const STARTED_AT = '2026-08-22T10:00:00.000000+00:00';

/** `isOld`: before runs had names. */
export const makeStudio = (isOld = false): Promise<ToolDatabase> =>
  makeDatabase(`CREATE TABLE training_runs (${RUNS}${isOld ? '' : LATER}); ${METRICS}`);

export const CONFIG = {
  model_name: 'unsloth/Qwen3-0.6B',
  project_name: 'pets',
  training_type: 'LoRA/QLoRA',
  hf_dataset: 'me/cats',
  local_datasets: null,
  num_epochs: 3,
  learning_rate: '2e-4',
  lora_r: 16,
  s3_access_key: 'AKIA',
};

export function addRun(
  database: ToolDatabase,
  id: string,
  config: object | string = CONFIG,
  dataset = 'me/cats',
): void {
  database.run(
    `INSERT INTO training_runs (id, model_name, dataset_name, config_json, started_at, total_steps, output_dir)
     VALUES (?, 'unsloth/Qwen3-0.6B', ?, ?, ?, 30, '/root/.unsloth/studio/outputs/cats_1787393224')`,
    [id, dataset, typeof config === 'string' ? config : JSON.stringify(config), STARTED_AT],
  );
}

/** Rows are added, or filled in where the step is there. */
export function addMetrics(
  database: ToolDatabase,
  run: string,
  step: number,
  { loss = null, evaluation = null }: { readonly loss?: number | null; readonly evaluation?: number | null },
): void {
  database.run(
    `INSERT INTO training_metrics (run_id, step, loss, learning_rate, eval_loss, epoch, elapsed_seconds)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT(run_id, step) DO UPDATE SET
       loss = COALESCE(excluded.loss, loss), eval_loss = COALESCE(excluded.eval_loss, eval_loss)`,
    [run, step, loss, loss === null ? null : 1e-4, evaluation, step / 10, step * 2],
  );
}
