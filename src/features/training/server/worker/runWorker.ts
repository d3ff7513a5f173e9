// A machine that trains for a studio: leases a run, trains it with a command of this machine, and sends what comes of it.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { TrainerJob } from '#trainer/protocol/trainerProtocol.ts';
import type { Lease } from '#features/training/shared/worker.ts';
import { toPathIn } from '#features/training/server/outputFiles.ts';
import { trainLease, type LeaseDeps } from './trainLease.ts';
import { bringWeights, removeLeft } from './weights.ts';
import { LeaseLost, openStudioClient, Refused, type StudioClient } from './studioClient.ts';

export interface WorkerOptions {
  readonly studio: URL;
  readonly token: string;
  /** As people read it on the run's page. */
  readonly name: string;
  /** Program and arguments; the path of the job file comes after them. */
  readonly command: readonly string[];
  readonly isBuiltIn: boolean;
  /** Absolute. Runs and base models lie here. */
  readonly dataDir: string;
  readonly report: (line: string) => void;
  readonly stopping: AbortSignal;
  /** Between two questions for a run, and between two reports of one. */
  readonly pollMs?: number;
  readonly tickMs?: number;
}

const POLL_MS = 3_000;
const TICK_MS = 1_000;

/** Ends early, and well, when `signal` does. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  wait(ms, undefined, { signal }).catch(() => undefined);

/** Brings the rows, the weights and the last checkpoint here. Resolves to the job file and its folder. */
async function prepareLease(
  client: StudioClient,
  lease: Lease,
  dataDir: string,
): Promise<{ folder: string; jobFile: string; job: TrainerJob }> {
  const { lease_id: id, saved } = lease;
  const folder = join(dataDir, 'worker', lease.experiment_id);
  const output = join(folder, 'output');
  // What the studio has is what counts: this machine may have been away while another one trained.
  await rm(folder, { recursive: true, force: true });
  await mkdir(output, { recursive: true, mode: 0o700 });
  const data = { training: join(folder, 'training.jsonl'), validation: join(folder, 'validation.jsonl') };
  await client.downloadInput(id, 'training.jsonl', data.training);
  await client.downloadInput(id, 'validation.jsonl', data.validation);
  const weights = await bringWeights(client, lease, dataDir);
  for (const name of saved) await client.downloadOutput(id, name, toPathIn(output, name));
  const base = {
    ...lease.job.base,
    file: weights.get('base.gguf') ?? null,
    adapter: weights.get('adapter.gguf') ?? null,
  };
  const job: TrainerJob = { ...lease.job, base, data, output };
  const jobFile = join(folder, 'job.json');
  await writeFile(jobFile, `${JSON.stringify(job, null, 2)}\n`, { mode: 0o600 });
  return { folder, jobFile, job };
}

/** Works until `stopping`; a run that goes on then saves a checkpoint first. Throws Refused if the studio refuses the worker. */
export async function runWorker(options: WorkerOptions): Promise<void> {
  const { studio, token, name, isBuiltIn, report, stopping, pollMs = POLL_MS, tickMs = TICK_MS } = options;
  const client = openStudioClient(studio, token);
  const deps: LeaseDeps = {
    ...options,
    client,
    tickMs,
    prepare: (lease) => prepareLease(client, lease, options.dataDir),
  };
  let problem: string | null = null;
  let isTidy = false;
  while (!stopping.aborted) {
    if (!isTidy) await removeLeft(options.dataDir, Date.now()).catch(() => undefined);
    isTidy = true;
    try {
      const lease = await client.lease({ name, is_built_in: isBuiltIn });
      problem = null;
      if (lease === null) await sleep(pollMs, stopping);
      else {
        isTidy = false;
        report(`Trains ${lease.experiment_id}, from ${lease.job.base.id}.`);
        report(`${lease.experiment_id}: ${await trainLease(deps, lease)}`);
      }
    } catch (error) {
      if (error instanceof Refused) throw error;
      const text = error instanceof Error ? error.message : String(error);
      // Said once, not at each try.
      if (!(error instanceof LeaseLost) && text !== problem) report(`${text} Tries again.`);
      problem = text;
      await sleep(pollMs, stopping);
    }
  }
}
