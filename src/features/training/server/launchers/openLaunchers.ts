// All launchers of this studio.
import { openLeases } from '#service/database/leases/leases.ts';
import { isLoopback } from '#service/http/allowedHosts.ts';
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
  /** Why a launcher can place no run now; null: it can, or there is none of this name. */
  refuse(name: string): string | null;
  describe(): Promise<Launchers>;
  /** There may be runs for them. */
  wake(): void;
  /** Their jobs go on. */
  close(): Promise<void>;
}

/** What would become of each run: its machine asks itself for the run. */
export function findAddressProblem({ name, isElsewhere, studio: stated }: Launcher, studio: string): string | null {
  if (!isElsewhere || stated !== undefined || !isLoopback(new URL(studio).hostname)) return null;
  return (
    `The launcher ${name} places runs on other machines, which can not reach this studio at ${studio}. Start the studio ` +
    `with an address that they reach (--host and --public-url), or name the end of a tunnel as \`studio\` of ${name} in ` +
    'launchers.json.'
  );
}

type Deps = Pick<LaunchLoopOptions, 'database' | 'now' | 'report'> & { readonly leaseMs: number };

export async function openLaunchers(options: LaunchersOptions | undefined, deps: Deps): Promise<OpenLaunchers> {
  const { list = [], studio = () => '', times = LAUNCH_TIMES, pollMs = POLL_MS } = options ?? {};
  const { database, leaseMs } = deps;
  const leases = openLeases(database, 'launcher', leaseMs);
  await leases.endFormer();
  const loops = list.map((launcher) =>
    openLaunchLoop({
      ...deps,
      leases,
      launcher,
      studio: () => launcher.studio ?? studio(),
      refuse: () => findAddressProblem(launcher, studio()),
      times,
      pollMs,
    }),
  );
  return {
    names: list.map(({ name }) => name),
    refuse(name) {
      const launcher = list.find((each) => each.name === name);
      return launcher ? findAddressProblem(launcher, studio()) : null;
    },
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
