// Gives what the launcher sends to a program that judges it. Argument: the program.
import { spawnSync } from 'node:child_process';
import { toJob, toSecret, type JobRequest } from '#features/training/server/launchers/kubernetesText.ts';

const [program = ''] = process.argv.slice(2);
const BARE: JobRequest = {
  image: 'studio:1',
  queue: null,
  gpus: 0,
  cpus: null,
  memoryGb: null,
  minutes: null,
  nodeSelector: {},
  tolerations: [],
  pullSecret: null,
  user: null,
};
const FULL: JobRequest = {
  ...BARE,
  queue: 'gpu',
  gpus: 2,
  cpus: 1.5,
  memoryGb: 8,
  minutes: 60,
  nodeSelector: { 'topology.kubernetes.io/zone': 'a' },
  tolerations: ['nvidia.com/gpu'],
  pullSecret: 'registry',
  user: 1000,
};
const ORDER = { id: 'ms-12345678-12345678-1234', label: 'model-studio “A run” / 1', token: 'secret' };
const toFull = () => toJob(FULL, ORDER, ['model-studio', 'worker']);

const sent: readonly (readonly [name: string, value: object, isValid: boolean])[] = [
  ['a Job with all fields', toFull(), true],
  ['a Job with none', toJob(BARE, ORDER, ['model-studio']), true],
  ['a Secret', toSecret(ORDER, null), true],
  ['a Secret with an owner', toSecret(ORDER, 'b2b6a8a4-0000-4000-8000-000000000000'), true],
  ['a Job with a field that there is not', { ...toFull(), status: { wrong: true } }, false],
  ['a Job with a name that none may have', toJob(FULL, { ...ORDER, id: 'Ms_1' }, []), false],
];
for (const [name, value, isValid] of sent) {
  const { status, stdout, stderr } = spawnSync(program, { input: JSON.stringify(value), encoding: 'utf8' });
  process.stdout.write(`${name}: ${status === 0 ? 'valid' : stdout + stderr}\n`);
  if ((status === 0) !== isValid) process.exitCode = 1;
}
