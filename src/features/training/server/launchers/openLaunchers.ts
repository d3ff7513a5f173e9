// All launchers of this studio.
import { openLeases } from '#service/database/leases/leases.ts';
import { sleep } from '#features/training/server/watchTrainer.ts';
import type { Launchers } from '#features/training/shared/launchers.ts';
import { listOpen } from './launches.ts';
import { openLaunchLoop, type LaunchLoopOptions } from './launchLoop.ts';
import { LAUNCH_TIMES, type LaunchTimes } from './launchPlan.ts';
import type { Launcher } from './launcher.ts';

/** What a studio gives its launchers. */
export interface LaunchersOptions {
  readonly list: readonly Launcher[];
  /** Where nodes reach the studio. */
  readonly studio: () => string;
  readonly times?: LaunchTimes;
  readonly pollMs?: number;
}

const POLL_MS = 5_000;
const CLOSE_MS = 1_000;

export interface OpenLaunchers {
  readonly names: readonly string[];
  describe(): Promise<Launchers>;
  /** There may be runs for them. */
  wake(): void;
  /** Their jobs go on. */
  close(): Promise<void>;
}

type Deps = Pick<LaunchLoopOptions, 'database' | 'now' | 'report'> & { readonly leaseMs: number };

export async function openLaunchers(options: LaunchersOptions | undefined, deps: Deps): Promise<OpenLaunchers> {
  const { list = [], studio = () => '', times = LAUNCH_TIMES, pollMs = POLL_MS } = options ?? {};
  const { database, leaseMs } = deps;
  const leases = openLeases(database, 'launcher', leaseMs);
  await leases.endFormer();
  const loops = list.map((launcher) => openLaunchLoop({ ...deps, leases, launcher, studio, times, pollMs }));
  return {
    names: list.map(({ name }) => name),
    describe: () =>
      database.guard(async () => ({
        launchers: await Promise.all(
          list.map(async ({ name, kind, about, mostAtOnce }) => ({
            name,
            kind,
            about,
            most_at_once: mostAtOnce,
            open: (await listOpen(database.orm, name)).length,
          })),
        ),
      })),
    wake() {
      for (const loop of loops) loop.wake();
    },
    async close() {
      // One that does not answer must not hold up the end of the studio: what it says then is asked for at the next start.
      await Promise.race([Promise.all(loops.map((loop) => loop.close())), sleep(CLOSE_MS)]);
    },
  };
}
