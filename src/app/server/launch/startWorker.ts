// `worker`: trains for a studio on another machine, until a signal.
import { availableParallelism, hostname } from 'node:os';
import { trainerCommand } from '#trainer/trainerCommand.ts';
import { runWorker } from '#features/training/server/worker/runWorker.ts';
import type { WorkerSettings } from './commands.ts';
import { readTokenFile } from '#app/server/client/studioRequests.ts';

/** The name of this machine as a worker's name may be. */
const toName = (host: string): string =>
  host
    .replaceAll(/[^\w.@+-]/g, '')
    .replace(/^[^a-z0-9]+/i, '')
    .slice(0, 60) || 'worker';

/** Ends after SIGTERM or SIGINT, once the trainer has saved a checkpoint. Throws an Error for people. */
export async function startWorker(settings: WorkerSettings, report: (line: string) => void): Promise<never> {
  const { studio, tokenFile, trainer, dataDir } = settings;
  const token = await readTokenFile(tokenFile);
  const stopping = new AbortController();
  const stop = (): void => {
    if (!stopping.signal.aborted) report('Ends once the trainer has saved a checkpoint.');
    stopping.abort();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  // The launcher sends messages instead of signals where there are none.
  process.on('message', stop).on('disconnect', stop);
  const name = settings.name ?? toName(hostname());
  const { command, args } = trainerCommand(settings.threads ?? availableParallelism());
  for (const warning of settings.warnings) report(`Warning: ${warning}`);
  report(`The worker ${name} asks ${studio.origin} for runs.`);
  await runWorker({
    studio,
    token,
    name,
    command: trainer ?? [command, ...args],
    isBuiltIn: trainer === null,
    dataDir,
    report,
    stopping: stopping.signal,
  });
  process.exit(0);
}
