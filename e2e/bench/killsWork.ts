// What the kills benchmark does with a studio until it is gone: single rows, uploads, snapshots with their
// recommendations, trainings. What was acknowledged is written down in `Known`.
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RowPage } from '#features/datasets/shared/contract/rows.ts';
import type { Job } from '#core/contract/job.ts';
import { isActiveStatus } from '#core/contract/statuses.ts';
import { IDEMPOTENCY_HEADER } from '#features/training/shared/idempotency.ts';
import { ask, send, type Place } from '../askStudio.ts';
import type { StartedStudio } from '../startStudio.ts';

export const UPLOADED = 5_000;
const BOUNDARY = 'kills-boundary';
const LOOK_MS = 100;
/** The model of `--model`, a file of the sample. */
export const BASE = 'small-base';

export interface Known {
  project: string;
  /** Of the rows that are added one by one. */
  dataset: string;
  /** Numbers of rows whose answer came; the next one may be there or not. */
  added: number;
  readonly snapshots: { readonly id: string; readonly rows: number }[];
  /** Snapshots whose recommendation was begun. */
  readonly recommended: string[];
  readonly uploaded: string[];
  /** The upload that was under way. */
  sending: string | null;
  readonly trained: string[];
  /** The key of the job whose answer has not come, and its snapshot. */
  creating: { readonly key: string; readonly snapshot: string } | null;
}

const toRow = (number: number) => ({
  messages: [
    { role: 'user', content: `Question ${number}` },
    { role: 'assistant', content: `Answer ${number}` },
  ],
});

export function ensure(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(what);
}

export async function upload(studio: Place, project: string, id: string, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, at) => JSON.stringify(toRow(at))).join('\n');
  const fields = Object.entries({ name: 'Uploaded', project_id: project, dataset_id: id }).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = 'Content-Disposition: form-data; name="file"; filename="rows.jsonl"\r\n\r\n';
  const response = await send(studio, '/api/v1/public/datasets/create-from-jsonl', {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: `${fields.join('')}--${BOUNDARY}\r\n${head}${lines}\r\n--${BOUNDARY}--\r\n`,
  });
  if (!response.ok) throw new Error(`upload: ${response.status} ${await response.text()}`);
}

const TRAINED = { base_model_id: BASE, batch_size: 8, n_epochs: 1, learning_rate_multiplier: 0.006, lora: true };

/** Makes the job of `known.creating`, which may be there already: the key makes it one. */
export async function createJob(studio: StartedStudio, known: Known): Promise<void> {
  if (known.creating === null) return;
  const { key, snapshot } = known.creating;
  const response = await send(studio, '/api/v1/public/finetuning/create', {
    method: 'POST',
    headers: { 'content-type': 'application/json', [IDEMPOTENCY_HEADER]: key },
    body: JSON.stringify({ snapshot_id: snapshot, name: 'Killed', experiments: [TRAINED] }),
  });
  if (!response.ok) throw new Error(`a job: ${response.status} ${await response.text()}`);
  const { job_id: id } = (await response.json()) as { job_id: string };
  known.creating = null;
  known.trained.push(id);
}

/** Waits until the last training has ended, and begins another. */
async function train(studio: StartedStudio, known: Known): Promise<void> {
  const last = known.trained.at(-1);
  const snapshot = known.snapshots.at(-1)?.id;
  const { experiments } =
    last === undefined ? { experiments: [] } : await ask<Job>(studio, `/api/v1/public/finetuning/${last}`);
  if (snapshot === undefined || experiments.some(({ status }) => isActiveStatus(status))) return sleep(LOOK_MS);
  known.creating ??= { key: randomUUID(), snapshot };
  return createJob(studio, known);
}

/** Whether the studio acknowledged one more row. */
export async function addRow(studio: Place, dataset: string, number: number): Promise<boolean> {
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(toRow(number)) };
  const response = await send(studio, `/api/v1/datasets/${dataset}/addDatapoint`, json).catch(() => null);
  await response?.text().catch(() => undefined);
  return response?.ok === true;
}

/** Works until the service is gone. Each piece that was answered is written down in `known`. */
export async function work(studio: StartedStudio, known: Known): Promise<void> {
  const isGone = (): boolean => studio.process.exitCode !== null || studio.process.signalCode !== null;
  async function repeat(step: () => Promise<void>): Promise<void> {
    try {
      while (!isGone()) await step();
    } catch (error) {
      // A connection that breaks is what is wanted; a refusal is not.
      if (!(error instanceof TypeError)) throw error;
      if (!isGone()) await once(studio.process, 'exit');
    }
  }
  await Promise.all([
    repeat(async () => {
      await ask(studio, `/api/v1/datasets/${known.dataset}/addDatapoint`, toRow(known.added));
      known.added += 1;
    }),
    repeat(async () => {
      const id = randomUUID();
      known.sending = id;
      await upload(studio, known.project, id, UPLOADED);
      known.uploaded.push(id);
      known.sending = null;
    }),
    repeat(async () => {
      const { snapshot_id: id } = await ask<{ snapshot_id: string }>(studio, '/api/v1/public/snapshots/create', {
        dataset_id: known.dataset,
      });
      const { total } = await ask<RowPage>(studio, `/api/v1/studio/snapshots/${id}/table?limit=1`);
      known.snapshots.push({ id, rows: total });
      await ask(studio, `/api/v1/public/recommendations/${id}`);
      known.recommended.push(id);
    }),
    repeat(() => train(studio, known)),
  ]);
}
