// `worker`: trains for a studio on another machine, until a signal, or one run.
import { randomBytes } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import { toAnnounced } from '#features/training/server/trainers/namedTrainers.ts';
import { trainerCommand } from '#trainer/trainerCommand.ts';
import { EXIT_RESUMABLE } from '#trainer/protocol/trainerProtocol.ts';
import { EXIT_UNREACHABLE } from '#features/training/shared/worker.ts';
import { makeToken } from '#features/access/server/tokens.ts';
import { runWorker, Unreachable, untilReached } from '#features/training/server/worker/runWorker.ts';
import { claimToken } from '#features/training/server/worker/studioClient.ts';
import type { WorkerSettings } from './commands.ts';
import { readTokenFile } from '#app/server/client/studioRequests.ts';

/** The name of this machine as a worker's name may be. */
const toName = (host: string): string =>
  host
    .replaceAll(/[^\w.@+-]/g, '')
    .replace(/^[^a-z0-9]+/i, '')
    .slice(0, 60) || 'worker';

async function readToken(
  { studio, token }: Pick<WorkerSettings, 'studio' | 'token'>,
  stopping: AbortSignal,
): Promise<string> {
  if ('claim' in token) {
    const { claim } = token;
    const own = makeToken((bytes) => randomBytes(bytes).toString('base64url'));
    return untilReached(studio, () => claimToken(studio, claim, own, stopping), stopping);
  }
  return readTokenFile(token.file);
}

/** Ends after SIGTERM or SIGINT, once the trainer has saved a checkpoint. Throws an Error for people. */
export async function startWorker(settings: WorkerSettings, report: (line: string) => void): Promise<never> {
  const { studio, trainer, dataDir, once } = settings;
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
  const work = async (token: string): Promise<number> =>
    runWorker({
      studio,
      token,
      name,
      command: trainer ?? [command, ...args],
      isBuiltIn: trainer === null,
      objectives: trainer === null ? undefined : toAnnounced(trainer).objectives,
      dataDir,
      once,
      report,
      stopping: stopping.signal,
    });
  const code = await readToken(settings, stopping.signal)
    .then(work)
    .catch((error: unknown) => {
      // It was told to end before it had its token.
      if (error === stopping.signal.reason) return EXIT_RESUMABLE;
      if (!(error instanceof Unreachable)) throw error;
      report(error.message);
      return EXIT_UNREACHABLE;
    });
  process.exit(code);
}
