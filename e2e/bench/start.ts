// Start: from the command to the ready line, first with a build and an empty data folder, then with nothing changed.
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { makeFolder, startStudio } from '../startStudio.ts';
import { median } from './quantile.ts';
import { amount, isShort } from './short.ts';

const RESTARTS = amount(5, 1);

async function timeStart(dataDir: string): Promise<number> {
  const started = performance.now();
  const studio = await startStudio({ dataDir, seconds: 120 });
  const seconds = (performance.now() - started) / 1000;
  await studio.stop();
  return seconds;
}

/** Prints seconds to ready for a first start (dashboard not built, no data) and for restarts. */
export async function measureStart(): Promise<void> {
  const dataDir = makeFolder('start');
  // Tests that run beside a short form need the build.
  if (!isShort) rmSync(resolve(import.meta.dirname, '../../dist'), { recursive: true, force: true });
  const first = await timeStart(dataDir);
  const again: number[] = [];
  for (let run = 0; run < RESTARTS; run += 1) again.push(await timeStart(dataDir));
  rmSync(dataDir, { recursive: true, force: true });
  process.stdout.write(
    `start: first ${first.toFixed(1)} s with build; restart ${median(again).toFixed(2)} s (median of ${RESTARTS}, worst ` +
      `${Math.max(...again).toFixed(2)} s)\n`,
  );
}
