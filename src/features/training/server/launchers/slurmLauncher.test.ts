// Slurm's commands, as far as a launcher asks them. What the real ones do is tried in e2e/real.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openSlurmLauncher } from './slurmLauncher.ts';

/** A job is a file: its number, with its name in it. */
const COMMANDS = {
  sbatch: `for word; do case $word in --job-name=*) name=\${word#*=};; esac; done
cat >/dev/null; number=$(($(ls | wc -l) + 1)); echo "$name" >$number; echo $number`,
  squeue: `for word; do case $word in --name=*) name=\${word#*=};; esac; done
for job in *; do [ -z "$name" ] || [ "$(cat $job 2>/dev/null)" != "$name" ] || echo $job; done`,
  scontrol: `for number; do :; done
[ -f $number ] || { echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1; }
echo "JobId=$number JobName=$(cat $number) JobState=PENDING Reason=Resources Partition=debug"`,
  scancel: `name=\${1#*=}; for job in *; do [ "$(cat $job 2>/dev/null)" != "$name" ] || rm $job; done`,
};

let folder: string;
let jobs: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slurm-'));
  jobs = join(folder, 'jobs');
  const bin = join(folder, 'bin');
  for (const path of [jobs, bin]) mkdirSync(path);
  for (const [name, script] of Object.entries(COMMANDS))
    writeFileSync(join(bin, name), `#!/bin/sh\ncd '${jobs}' || exit 1\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${bin}${delimiter}${process.env['PATH']}`);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const open = () =>
  openSlurmLauncher({
    name: 'slurm',
    mostAtOnce: 4,
    folder: join(folder, 'shared'),
    ssh: null,
    partition: null,
    account: null,
    qos: null,
    gpus: 0,
    gpuType: null,
    cpus: null,
    memoryGb: null,
    minutes: null,
    options: [],
    worker: ['model-studio'],
    trainer: null,
  });
const toOrder = (id: string) => ({
  id,
  job: null,
  experimentId: 'e',
  label: 'A run',
  studio: 'http://s',
  token: `token of ${id}`,
  claim: 'once',
});
const WAITING = { kind: 'waiting', reason: expect.stringContaining('Resources') as string };

it('two studios on one account, also copies of one database, have jobs and folders of their own', async () => {
  const [ours, theirs] = [open(), open()];
  const [one, other] = [toOrder('ms-e-1'), toOrder('ms-e-2')];
  const [mine, alien] = [await ours.submit(one), await theirs.submit(other)];
  expect(mine).not.toBe(alien);
  // The same once more is the same job.
  expect(await ours.submit(one)).toBe(mine);
  expect(readdirSync(jobs)).toHaveLength(2);
  await ours.stop({ ...one, job: mine });
  await ours.tidy({ ...one, job: mine });
  expect(await ours.status({ ...one, job: mine })).toEqual({ kind: 'lost' });
  expect(await theirs.status({ ...other, job: alien })).toMatchObject({ ...WAITING, job: alien });
  expect(existsSync(join(folder, 'shared', 'ms-e-2', 'token'))).toBe(true);
});

it('a number that a new controller has given to a job of another studio is not taken for its own', async () => {
  rmSync(jobs, { recursive: true });
  mkdirSync(jobs);
  const number = await open().submit(toOrder('ms-theirs'));
  expect(await open().status({ id: 'ms-mine', job: number })).toEqual({ kind: 'lost' });
  expect(await open().status({ id: 'ms-theirs', job: number })).toMatchObject(WAITING);
});
