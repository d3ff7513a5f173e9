// A folder as a sweep of learning rates by TRL leaves it, for screenshots: event files with arguments and metrics. The
// figures are made by a formula, and the pictures show the page, not a training.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HF_ARGUMENTS, hfEventFile, SUMMARY_VALUES } from '../src/features/runs/server/formats/tfevents.fixture.ts';

const RATES = [5e-5, 1e-4, 2e-4, 5e-4, 1e-3] as const;
const STEPS = 600;
/** 2026-11-20. */
const START = 1_795_132_800;

/** A number from -0.5 to 0.5 that is the same at each start. */
const wobble = (seed: number): number => ((Math.sin(seed * 12.9898) * 43_758.5453) % 1) / 2;

function toRows(rate: number, place: number) {
  return Array.from({ length: STEPS / 10 }, (_, at) => {
    const step = 10 * (at + 1);
    const fall = 0.38 + 0.09 * Math.abs(Math.log10(rate / 3e-4)) + 1.9 * Math.exp(-step * rate * 45);
    return {
      step,
      values: {
        'train/loss': fall + 0.07 * wobble(step + place * 7),
        'train/learning_rate': rate * (1 - step / STEPS),
        'train/grad_norm': 1 + Math.abs(wobble(step * 3 + place)),
        'train/epoch': step / 200,
        ...(step % 60 === 0 ? { 'eval/loss': fall + 0.05 + (rate * step) / 9 } : {}),
      },
    };
  });
}

export function makeSweep(folder: string): void {
  for (const [place, rate] of RATES.entries()) {
    const start = START + place * 5_400;
    const args = {
      ...HF_ARGUMENTS,
      learning_rate: rate,
      output_dir: `/data/outputs/lr-${rate}`,
      run_name: `lr-${rate}`,
    };
    const rows = [...toRows(rate, place), { step: STEPS, values: SUMMARY_VALUES }];
    const file = join(
      folder,
      `lr-${rate}`,
      'runs',
      'Nov20_00-00-00_gpu01',
      `events.out.tfevents.${start}.gpu01.4711.0`,
    );
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, hfEventFile(start, rows, { args }));
  }
}
