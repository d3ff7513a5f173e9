// What is lost by reloads at random moments of three answers: alone, and beside a busy processor.
import { spawn, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { chromium } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from '../chromium.ts';
import { countReloads } from '../reloads.ts';
import { openRemoteStudio } from '../remoteStudio.ts';
import { startStudio } from '../startStudio.ts';
import { amount } from './short.ts';

const ROUNDS = amount(100, 2);
const SECRET = 'bench-secret';

const keepBusy = (): ChildProcess[] =>
  Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );

/** Counts letters that were painted in the frame of the reload, or earlier, and are not there after it. */
export async function measureReloads(): Promise<void> {
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS });
  const remote = await openRemoteStudio({ token: SECRET, pollsUntilDone: 0 });
  const studio = await startStudio({ args: ['--base-url', remote.url], env: { STUDIO_API_KEY: SECRET } });
  try {
    for (const [name, seed] of [
      ['alone', 1],
      ['beside a busy processor', 2],
    ] as const) {
      const others = seed === 2 ? keepBusy() : [];
      try {
        const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
        const page = await context.newPage();
        await page.goto(studio.link);
        const { reloads, withLoss, painted, lost } = await countReloads(page, studio.origin, ROUNDS, seed);
        process.stdout.write(
          `  ${name}: ${reloads} reloads, ${lost} of ${painted} painted letters lost, in ${withLoss} reloads\n`,
        );
        await context.close();
      } finally {
        for (const other of others) other.kill();
      }
    }
  } finally {
    await studio.stop();
    await remote.close();
    await browser.close();
  }
}
