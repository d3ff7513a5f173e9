// A machine that trains for a studio: leases a run, trains it with a command of this machine, and sends what comes of it.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Objective } from '#core/contract/trainingSettings.ts';
import { EXIT_RESUMABLE, type TrainerJob } from '#trainer/protocol/trainerProtocol.ts';
import type { Lease } from '#features/training/shared/worker.ts';
import { toPathIn } from '#features/training/server/outputFiles.ts';
import { trainLease, type LeaseDeps, type Prepared } from './trainLease.ts';
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
  /** What another trainer announces that it can learn from; missing: sft alone. */
  readonly objectives?: readonly Objective[] | undefined;
  /** Absolute. Runs and base models lie here. */
  readonly dataDir: string;
  /** Trains one run and ends; null: as many as there are. */
  readonly once: OneRun | null;
  readonly report: (line: string) => void;
  readonly stopping: AbortSignal;
  /** Between two questions for a run, and between two reports of one. */
  readonly pollMs?: number;
  readonly tickMs?: number;
}

interface OneRun {
  /** This experiment; null: the next one. */
  readonly id: string | null;
  /** How long a studio may not answer after the first failure; missing: a minute. */
  readonly reachMs?: number;
}

const POLL_MS = 3_000;
const TICK_MS = 1_000;
/** After failures a worker asks less and less often, down to this. */
const MOST_POLL_MS = 30_000;
const REACH_MS = 60_000;

/** The studio does not answer. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** Ends early, and well, when `signal` does. */
const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  wait(ms, undefined, { signal }).catch(() => undefined);

/** Brings the rows, the weights and the last checkpoint here. Resolves to the job file and its folder. */
async function prepareLease(client: StudioClient, lease: Lease, dataDir: string): Promise<Prepared> {
  // What the studio has is what counts: a worker that still trains for an earlier lease, here or for another studio, has its own.
  const folder = join(dataDir, 'worker', lease.lease_id);
  try {
    return await fillFolder(client, lease, { dataDir, folder });
  } catch (error) {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

async function fillFolder(
  client: StudioClient,
  lease: Lease,
  { dataDir, folder }: { readonly dataDir: string; readonly folder: string },
): Promise<Prepared> {
  const { lease_id: id, saved } = lease;
  const output = join(folder, 'output');
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

/** A fault of the network as a person can mend it. */
function toUnreachable(studio: URL, seconds: number, error: unknown): Unreachable {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
  return new Unreachable(
    `The node could not reach the studio at ${studio.origin} for ${seconds} s (${cause}). Start the studio with an address ` +
      'that nodes reach: --host and --public-url.',
  );
}

/** Does work until the studio answers. Throws Refused, Unreachable, or the reason of `stopping`. */
export async function untilReached<Value>(
  studio: URL,
  work: () => Promise<Value>,
  stopping: AbortSignal,
  reachMs = REACH_MS,
): Promise<Value> {
  let failedAt: number | null = null;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      stopping.throwIfAborted();
      if (error instanceof Refused) throw error;
      failedAt ??= performance.now();
      if (performance.now() - failedAt > reachMs) throw toUnreachable(studio, Math.round(reachMs / 1000), error);
      await sleep(POLL_MS, stopping);
      stopping.throwIfAborted();
    }
  }
}

/**
 * Works until `stopping`; a run that goes on then saves a checkpoint first. Resolves to the exit code: with `once` that of the
 * run, else 0. Throws Refused if the studio refuses the worker, and with `once` Unreachable.
 */
export async function runWorker(options: WorkerOptions): Promise<number> {
  const { studio, token, name, isBuiltIn, objectives, once, report, stopping } = options;
  const { pollMs = POLL_MS, tickMs = TICK_MS } = options;
  // The answer may be long in coming.
  const asking = openStudioClient(studio, token, stopping);
  const deps: LeaseDeps = {
    ...options,
    openClient: (ending) => openStudioClient(studio, token, ending),
    tickMs,
    prepare: (client, lease) => prepareLease(client, lease, options.dataDir),
  };
  const { reachMs = REACH_MS } = once ?? {};
  let problem: string | null = null;
  let isTidy = false;
  let failures = 0;
  /** Since when the studio has not answered, and the only run is not free. */
  let failedAt: number | null = null;
  let busySince: number | null = null;
  while (!stopping.aborted) {
    if (!isTidy) await removeLeft(options.dataDir, Date.now()).catch(() => undefined);
    isTidy = true;
    try {
      const lease = await asking.lease({
        name,
        is_built_in: isBuiltIn,
        ...(once?.id && { run: once.id }),
        ...(objectives && { objectives: [...objectives] }),
      });
      problem = null;
      failures = 0;
      failedAt = null;
      if (lease === null) {
        busySince ??= performance.now();
        // An answer may have been lost that gave the run to this worker: its lease ends soon.
        if (once !== null && (once.id === null || performance.now() - busySince > reachMs)) {
          report(`No run is free: ${once.id ?? 'none'} waits that this worker can train.`);
          return 0;
        }
        await sleep(pollMs, stopping);
      } else {
        isTidy = false;
        report(`Trains ${lease.experiment_id}, from ${lease.job.base.id}.`);
        const { words, code } = await trainLease(deps, lease);
        report(`${lease.experiment_id}: ${words}`);
        if (once !== null) return code;
      }
    } catch (error) {
      if (stopping.aborted) break;
      if (error instanceof Refused) throw error;
      const text = error instanceof Error ? error.message : String(error);
      // Said once, not at each try.
      if (!(error instanceof LeaseLost) && text !== problem) report(`${text} Tries again.`);
      problem = text;
      failedAt ??= performance.now();
      if (once !== null && performance.now() - failedAt > reachMs)
        throw toUnreachable(studio, Math.round(reachMs / 1000), error);
      failures += 1;
      await sleep(Math.min(pollMs * 2 ** (failures - 1), Math.max(pollMs, MOST_POLL_MS)), stopping);
    }
  }
  // It was told to end before it had a run.
  return once === null ? 0 : EXIT_RESUMABLE;
}
