// How soon a newcomer has a useful model: the rows of the sample's triage task, uploaded, and the run that is
// recommended for them, beside a checkout (`BASELINE=/path/to/checkout`) that does the same.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startStudio, type StartedStudio, type StartOptions } from '../startStudio.ts';
import { amount } from './short.ts';
import { trainRecommended } from './trainRecommended.ts';

const ROWS = amount(20_000, 24);
/** More than are recommended, for a model that is nearly always right. */
const EPOCHS = process.env['EPOCHS'] === undefined ? null : Number(process.env['EPOCHS']);
const DATA = new URL('../../src/features/projects/server/sample/triage.train.jsonl', import.meta.url);

type Start = (options: StartOptions) => Promise<StartedStudio>;

async function measure(start: Start): Promise<number> {
  const rows = readFileSync(DATA, 'utf8').split('\n').slice(0, ROWS);
  const studio = await start({ form: 'optimised', seconds: 600 });
  try {
    return await trainRecommended(studio, 'Triage', rows, 80, EPOCHS);
  } finally {
    await studio.stop();
  }
}

export async function measureFirstModel(): Promise<void> {
  const starts: Record<string, Start> = { ours: startStudio };
  const { BASELINE: baseline } = process.env;
  if (baseline !== undefined) {
    const there = (await import(join(baseline, 'e2e/startStudio.ts'))) as { startStudio: Start };
    starts['baseline'] = there.startStudio;
  }
  const seconds: number[] = [];
  for (const [name, start] of Object.entries(starts)) {
    process.stdout.write(` ${name}\n`);
    seconds.push(await measure(start));
  }
  const [ours = 0, other] = seconds;
  process.stdout.write(
    `  seconds from the upload to the model: ${ours.toFixed(0)}${other === undefined ? '' : `, baseline ${other.toFixed(0)}: ${(ours / other).toFixed(2)} times`}\n`,
  );
}
