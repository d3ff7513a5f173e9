// `npm run sample [-- --work FOLDER] [--minutes 120] [--install]`: makes the sample project, in about 95 minutes of one
// core. It stops after so many minutes of the processor, and the next call goes on. `--install` copies a sample that is
// done to where the studio reads it; then raise SAMPLE_EDITION in sampleFiles.ts.
import { copyFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeSample, toSampleNames } from './makeSample.ts';
import { FULL_PLAN, TINY_PLAN } from './plan.ts';

const INSTALLED = fileURLToPath(new URL('../../../src/features/projects/server/sample/', import.meta.url));
const WORK = fileURLToPath(new URL('../../../node_modules/.cache/model-studio/sample', import.meta.url));

const { values } = parseArgs({
  options: {
    work: { type: 'string', default: WORK },
    minutes: { type: 'string', default: '120' },
    tiny: { type: 'boolean', default: false },
    install: { type: 'boolean', default: false },
  },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) throw new Error('Usage: --minutes 120');
if (values.install && values.tiny) throw new Error('A tiny sample knows nothing, and is not installed.');

let isInterrupted = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    isInterrupted = true;
  });

const usedMinutes = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 60e6;
};
const say = (line: string): void => {
  process.stdout.write(`${usedMinutes().toFixed(1)} min  ${line}\n`);
};

setPriority(constants.priority.PRIORITY_LOW);
const link = { say, isStopped: () => isInterrupted || usedMinutes() > minutes };
const end = await makeSample(values.work, values.tiny ? TINY_PLAN : FULL_PLAN, link);
if (end === 'stopped') {
  say('stopped: the same call goes on from here');
  process.exitCode = 75;
} else if (values.install) {
  const names = toSampleNames(values.work);
  for (const name of names) copyFileSync(join(values.work, name), join(INSTALLED, name));
  say(`${names.length} files are in ${INSTALLED}. Raise SAMPLE_EDITION in sampleFiles.ts, and run the tests.`);
} else say(`the sample is in ${values.work}`);
