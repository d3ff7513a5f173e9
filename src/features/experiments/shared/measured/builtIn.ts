// The runs that come with the studio: what `npm run calibrate` measured on small tasks.
import calibration from './calibration.json' with { type: 'json' };
import { parseCalibration, toMeasuredRuns } from './calibration.ts';
import type { MeasuredRun } from './measuredRun.ts';

let known: readonly MeasuredRun[] | null = null;

/** Throws when the file is malformed: then the product itself is incomplete. */
export const readBuiltInRuns = (): readonly MeasuredRun[] => (known ??= toMeasuredRuns(parseCalibration(calibration)));
