// The runs that come with the studio: what `npm run calibrate` measured on small tasks.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseCalibration, toMeasuredRuns } from '#shared/training/measured/calibration.ts';
import type { MeasuredRun } from '#shared/training/measured/measuredRun.ts';

const FILE = fileURLToPath(new URL('../../../shared/training/measured/calibration.json', import.meta.url));

let known: readonly MeasuredRun[] | null = null;

/** Throws when the file is missing or malformed: then the product itself is incomplete. */
export const readCalibration = (): readonly MeasuredRun[] =>
  (known ??= toMeasuredRuns(parseCalibration(readFileSync(FILE, 'utf8'))));
