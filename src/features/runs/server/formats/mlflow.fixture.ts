// For tests: MLflow's stores. The tables are those of MLflow 3 (tests/resources/db/latest_schema.sql), the files those of
// its file_store.py.
import { makeDatabase, type ToolDatabase } from './tables.fixture.ts';

const SCHEMA = `
  CREATE TABLE experiments (
    experiment_id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(256) NOT NULL, artifact_location VARCHAR(256),
    lifecycle_stage VARCHAR(32), creation_time BIGINT, last_update_time BIGINT
  );
  CREATE TABLE runs (
    run_uuid VARCHAR(32) NOT NULL PRIMARY KEY, name VARCHAR(250), source_type VARCHAR(20), user_id VARCHAR(256),
    status VARCHAR(9), start_time BIGINT, end_time BIGINT, lifecycle_stage VARCHAR(20), artifact_uri VARCHAR(200),
    experiment_id INTEGER, deleted_time BIGINT
  );
  CREATE TABLE metrics (
    key VARCHAR(250) NOT NULL, value FLOAT NOT NULL, timestamp BIGINT NOT NULL, run_uuid VARCHAR(32) NOT NULL,
    step BIGINT DEFAULT '0' NOT NULL, is_nan BOOLEAN DEFAULT '0' NOT NULL,
    CONSTRAINT metric_pk PRIMARY KEY (key, timestamp, step, run_uuid, value, is_nan)
  );
  CREATE TABLE params (
    key VARCHAR(250) NOT NULL, value VARCHAR(8000) NOT NULL, run_uuid VARCHAR(32) NOT NULL, PRIMARY KEY (key, run_uuid)
  );
  CREATE TABLE tags (
    key VARCHAR(250) NOT NULL, value VARCHAR(8000), run_uuid VARCHAR(32) NOT NULL, PRIMARY KEY (key, run_uuid)
  );`;
const DATASETS = `
  CREATE TABLE datasets (dataset_uuid VARCHAR(36), experiment_id INTEGER, name VARCHAR(500), digest VARCHAR(36));
  CREATE TABLE inputs (
    input_uuid VARCHAR(36), source_type VARCHAR(36), source_id VARCHAR(36), destination_type VARCHAR(36),
    destination_id VARCHAR(36)
  );
  INSERT INTO datasets VALUES ('d1', 1, 'cats', 'abc');
  INSERT INTO inputs VALUES ('i1', 'DATASET', 'd1', 'RUN', 'r1'), ('i2', 'MODEL', 'd1', 'RUN', 'r2');`;

export const START = 1_787_393_224_000;

/** Experiment 1 is `pets`, experiment 2 was deleted. `hasDatasets`: MLflow 2.4 and later. */
export async function makeMlflow(hasDatasets = true): Promise<ToolDatabase> {
  const database = await makeDatabase(SCHEMA + (hasDatasets ? DATASETS : ''));
  database.run("INSERT INTO experiments VALUES (1, 'pets', 'x', 'active', 0, 0), (2, 'old', 'x', 'deleted', 0, 0)");
  return database;
}

interface NewRun {
  readonly status?: string;
  readonly endedAt?: number;
  readonly stage?: string;
  readonly experiment?: number;
}

export function addRun(database: ToolDatabase, id: string, run: NewRun = {}): void {
  const { status = 'RUNNING', endedAt = null, stage = 'active', experiment = 1 } = run;
  database.run(
    'INSERT INTO runs (run_uuid, name, status, start_time, end_time, lifecycle_stage, experiment_id) VALUES (?, ?, ?, ?, ?, ?, ?)',
    [id, `name of ${id}`, status, START, endedAt, stage, experiment],
  );
}

/** NaN and infinities as MLflow's SQL store writes them. */
export function addMetric(database: ToolDatabase, id: string, key: string, value: number, step: number): void {
  const largest = Number.MAX_VALUE;
  const stored = Number.isNaN(value) ? 0 : Math.max(-largest, Math.min(largest, value));
  database.run('INSERT INTO metrics VALUES (?, ?, ?, ?, ?, ?)', [
    key,
    stored,
    START + step * 1000,
    id,
    step,
    Number.isNaN(value) ? 1 : 0,
  ]);
}

export const addParam = (database: ToolDatabase, id: string, key: string, value: string): void =>
  database.run('INSERT INTO params VALUES (?, ?, ?)', [key, value, id]);

export const setTag = (database: ToolDatabase, id: string, key: string, value: string): void =>
  database.run('INSERT OR REPLACE INTO tags VALUES (?, ?, ?)', [key, value, id]);

export const RUN_FOLDER = 'mlruns/1/0a1b2c';

/** `status` as a number; 1 is a run that is open. */
export const toRunMeta = (
  status: number,
  endedAt: number | null = null,
  stage = 'active',
): string => `artifact_uri: file:///home/me/${RUN_FOLDER}/artifacts
end_time: ${endedAt}
entry_point_name: ''
experiment_id: '1'
lifecycle_stage: ${stage}
run_id: 0a1b2c
run_name: calm-fox-12
run_uuid: 0a1b2c
source_name: ''
source_type: 4
source_version: ''
start_time: ${START}
status: ${status}
tags: []
user_id: me
`;

export const toExperimentMeta = (stage = 'active'): string => `artifact_location: file:///home/me/mlruns/1
creation_time: ${START}
experiment_id: '1'
last_update_time: ${START}
lifecycle_stage: ${stage}
name: pets
`;

/** A run of HF's Trainer in a file store. */
export const makeStore = (): Record<string, string> => ({
  'mlruns/1/meta.yaml': toExperimentMeta(),
  [`${RUN_FOLDER}/meta.yaml`]: toRunMeta(1),
  [`${RUN_FOLDER}/artifacts/`]: '',
  [`${RUN_FOLDER}/metrics/loss`]: `${START} 2.5 10\n${START + 1000} nan 20\n`,
  [`${RUN_FOLDER}/metrics/eval_loss`]: `${START} inf 20\n`,
  [`${RUN_FOLDER}/metrics/rewards/margins`]: `${START} 0.25 10 cats 9f8e\n`,
  [`${RUN_FOLDER}/metrics/system/cpu_utilization_percentage`]: `${START} 50.0 0\n`,
  [`${RUN_FOLDER}/params/learning_rate`]: '0.0002',
  [`${RUN_FOLDER}/params/output_dir`]: './out/cats',
  [`${RUN_FOLDER}/params/bf16`]: 'True',
  [`${RUN_FOLDER}/params/hub_token`]: 'hf_x',
  [`${RUN_FOLDER}/params/max_steps`]: '20',
  [`${RUN_FOLDER}/tags/mlflow.runName`]: 'calm-fox-12',
  [`${RUN_FOLDER}/tags/team`]: 'pets\n',
});
