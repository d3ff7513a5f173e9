// The runs that come with the studio: what `npm run calibrate` measured on small tasks.
import calibration from '#shared/training/measured/calibration.json' with { type: 'json' };
import { parseCalibration, toMeasuredRuns } from '#shared/training/measured/calibration.ts';
import type { MeasuredRun } from '#shared/training/measured/measuredRun.ts';

let known: readonly MeasuredRun[] | null = null;

/** Throws when the file is malformed: then the product itself is incomplete. */
export const readCalibration = (): readonly MeasuredRun[] => (known ??= toMeasuredRuns(parseCalibration(calibration)));
