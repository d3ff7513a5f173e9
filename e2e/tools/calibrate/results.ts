// The file of runs behind recommendations, and the base model on which they were made.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseCalibration, type Calibration } from '#features/experiments/shared/measured/calibration.ts';
import { readModel } from '#trainer/files/readModel.ts';
import { countParameters } from '#trainer/shared/canTrain.ts';

const RESULTS = fileURLToPath(
  new URL('../../../src/features/experiments/shared/measured/calibration.json', import.meta.url),
);
export const BASE = fileURLToPath(
  new URL('../../../src/features/projects/server/sample/support-base.Q8_0.gguf', import.meta.url),
);
const BASE_ID = 'support-base';

export function readResults(): Calibration {
  if (existsSync(RESULTS)) return parseCalibration(JSON.parse(readFileSync(RESULTS, 'utf8')));
  return { base: BASE_ID, parameters: countParameters(readModel(BASE).shape), tasks: [], runs: [] };
}

/** A run a line, so that a change can be read. */
export function writeResults({ base, parameters, tasks, runs }: Calibration): void {
  const toLines = (list: readonly object[]): string => list.map((entry) => `    ${JSON.stringify(entry)}`).join(',\n');
  const text =
    `{\n  "base": ${JSON.stringify(base)},\n  "parameters": ${parameters},\n` +
    `  "tasks": [\n${toLines(tasks)}\n  ],\n  "runs": [\n${toLines(runs)}\n  ]\n}\n`;
  writeFileSync(`${RESULTS}.part`, text);
  renameSync(`${RESULTS}.part`, RESULTS);
}
