// The studio with a Slurm of one node: what becomes of runs that it places. Arguments: folder, port; Slurm's commands are in PATH.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLaunchedStudio, toTrainer, WORKER } from './launchedStudio.ts';

const [folder = '', port = '', ctld = ''] = process.argv.slice(2);
const shared = join(folder, 'shared');
mkdirSync(shared, { recursive: true });
const slurm = { kind: 'slurm', folder: shared, cpus: 2, most_at_once: 3, worker: WORKER };
const studio = openLaunchedStudio(folder, port, [
  { ...slurm, name: 'train', trainer: toTrainer('train') },
  { ...slurm, name: 'crash', trainer: toTrainer('crash') },
  { ...slurm, name: 'slow', trainer: toTrainer('train', 1000), minutes: 2 },
  { ...slurm, name: 'pause', trainer: toTrainer('pause'), minutes: 1 },
  { ...slurm, name: 'wrong', partition: 'nowhere' },
]);
const { create, until, untilReason, untilStatus, act } = studio;

const tool = (name: string, words: readonly string[]): Buffer => execFileSync(name, [...words]);
const queued = () => tool('squeue', ['--noheader', '--format=%i %t %r']).toString().trim();

await studio.check(
  [
    ['a run trains, and its model comes back', async () => untilStatus(await create('train'), 'succeeded')],
    ['a trainer that fails', async () => untilStatus(await create('crash'), 'failed')],
    [
      'a partition that is not there',
      async () => untilReason(await create('wrong'), /did not take the run: .*partition/),
    ],
    [
      'two at once: one waits with its reason, and is cancelled; the other is cancelled while it trains',
      async () => {
        const first = await create('slow');
        await until(first, (_, __, step) => step > 1);
        const second = await create('train');
        await untilReason(second, /^Waiting at train: (Resources|Priority), 1st in the partition, job \d+\.$/);
        await act(second, 'cancel');
        await untilReason(second, /^Cancelled before it began\. Job \d+ at train is gone\.$/);
        await act(first, 'cancel');
        await untilReason(first, /Job \d+ at slow is gone\.$/);
        if (queued() !== '') throw new Error(`Slurm still has ${queued()}`);
      },
    ],
    [
      'a job that is held says so',
      async () => {
        const blocker = await create('slow');
        await until(blocker, (_, __, step) => step > 0);
        const held = await create('train');
        const reason = await untilReason(held, /, job \d+\.$/);
        tool('scontrol', ['hold', /job (\d+)/.exec(reason)?.[1] ?? '']);
        await untilReason(held, /^Waiting at train: JobHeld(User|Admin), /);
        await act(blocker, 'cancel');
        tool('scontrol', ['release', /job (\d+)/.exec(reason)?.[1] ?? '']);
        await untilStatus(held, 'succeeded');
      },
    ],
    [
      'the time limit: the worker saves, and the run is placed again from its checkpoint',
      async () => untilStatus(await create('pause'), 'succeeded'),
    ],
    ['the studio is killed and comes back, and the run goes on', () => studio.goOnAfterKill('slow')],
    [
      'the controller is killed: the run trains on, and another that waits says who does not answer',
      async () => {
        const id = await create('slow');
        await until(id, (_, __, step) => step > 1);
        process.kill(Number(readFileSync(ctld, 'utf8')));
        const other = await create('train');
        await untilReason(other, /does not answer now/);
        await untilStatus(id, 'succeeded');
        await act(other, 'cancel');
      },
    ],
  ],
  () => `Slurm ${tool('sinfo', ['--version']).toString().trim()}`,
);
