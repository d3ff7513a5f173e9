// The studio with a Ray of one node: what becomes of runs that it places. Arguments: folder, port of the studio, folder of
// Ray's programs.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openLaunchedStudio, toTrainer, WORKER } from './launchedStudio.ts';

const [folder = '', port = '', bin = ''] = process.argv.slice(2);
/** Ray takes no dashboard at 10002 to 19999. */
const PORTS = { head: 26_379, dashboard: 28_265 };
const address = `http://127.0.0.1:${PORTS.dashboard}`;
/** Seconds after which Ray gives up what has found no room; 900 by default. */
const START_SECONDS = 25;

const ray = { kind: 'ray', address, cpus: 1, most_at_once: 3, folder: join(folder, 'node'), worker: WORKER };
const studio = openLaunchedStudio(folder, port, [
  { ...ray, name: 'train', trainer: toTrainer('train') },
  { ...ray, name: 'crash', trainer: toTrainer('crash') },
  { ...ray, name: 'slow', trainer: toTrainer('train', 1000) },
  { ...ray, name: 'pause', trainer: toTrainer('pause') },
  { ...ray, name: 'limit', trainer: toTrainer('pause'), minutes: 1 },
  { ...ray, name: 'gpu', trainer: toTrainer('train'), gpus: 8 },
]);
const { create, until, untilReason, untilStatus, act } = studio;

let head: ChildProcess | null = null;
async function startHead(): Promise<void> {
  const flags = [`--port=${PORTS.head}`, `--dashboard-port=${PORTS.dashboard}`, `--temp-dir=${join(folder, 't')}`];
  const words = ['start', '--head', '--block', '--num-cpus=1', '--disable-usage-stats', '--node-ip-address=127.0.0.1'];
  head = spawn(join(bin, 'ray'), [...words, ...flags], {
    env: { ...process.env, RAY_JOB_START_TIMEOUT_SECONDS: String(START_SECONDS) },
    stdio: 'ignore',
    detached: true,
  });
  for (let left = 240; left > 0; left -= 1) {
    const isReady = await fetch(`${address}/api/jobs/`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await wait(500);
  }
  throw new Error('Ray did not start.');
}

/** The head and its node: all that has the folder of its session among its words. */
async function killHead(): Promise<void> {
  if (head?.pid === undefined) return;
  const gone = once(head, 'exit');
  process.kill(-head.pid, 'SIGKILL');
  await gone;
  const found = execFileSync('ps', ['-eo', 'pid=,args=']).toString().split('\n');
  for (const line of found)
    if (line.includes(join(folder, 't')))
      try {
        process.kill(Number(line.trim().split(' ')[0]), 'SIGKILL');
      } catch {
        // It has ended.
      }
}

const listJobs = async () =>
  (await (await fetch(`${address}/api/jobs/`)).json()) as { submission_id: string; status: string }[];
async function untilNothingRuns(): Promise<void> {
  for (let left = 120; left > 0; left -= 1) {
    if ((await listJobs()).every(({ status }) => status !== 'RUNNING')) return;
    await wait(500);
  }
  throw new Error(`Ray still runs ${JSON.stringify(await listJobs())}`);
}

await startHead();
await studio.check(
  [
    ['a run trains, and its model comes back', async () => untilStatus(await create('train'), 'succeeded')],
    ['a trainer that fails', async () => untilStatus(await create('crash'), 'failed')],
    [
      'a run whose GPUs are not there waits with its reason, is submitted once more when Ray gives it up, and is cancelled',
      async () => {
        const id = await create('gpu');
        await untilReason(id, /^Waiting at gpu: /);
        const before = (await listJobs()).find(({ status }) => status === 'PENDING');
        await wait((START_SECONDS + 20) * 1000);
        await untilReason(id, /^Waiting at gpu: /);
        const after = (await listJobs()).find(({ status }) => status === 'PENDING');
        if (before === undefined || after?.submission_id !== before.submission_id) throw new Error('It is not there.');
        await act(id, 'cancel');
        await untilReason(id, /^Cancelled before it began\. gpu is ending job ms-[\w-]+ at gpu\.$/);
        // Ray keeps what waits until it gives it up.
        await untilReason(id, /^Cancelled before it began\. Job ms-[\w-]+ at gpu is gone\.$/);
      },
    ],
    [
      'two at once: the second one waits for the first one, and trains when that is cancelled',
      async () => {
        const first = await create('slow');
        await until(first, (_, __, step) => step > 1);
        const second = await create('train');
        await untilReason(second, /^Waiting at train: not started yet, 1 CPU may not be free, job ms-/);
        await act(first, 'cancel');
        await untilReason(first, /^Cancelled by a person\. Job ms-[\w-]+ at slow is gone\.$/);
        await untilStatus(second, 'succeeded');
        await untilNothingRuns();
      },
    ],
    [
      'the time limit: the worker saves, and the run is placed again from its checkpoint',
      () => studio.goOnAfterLimit('limit'),
    ],
    ['the studio is killed and comes back, and the run goes on', () => studio.goOnAfterKill('slow')],
    [
      'the head is killed: the run is lost with its reason, what it saved is kept, and it goes on when a person wants',
      async () => {
        const id = await create('pause');
        await until(id, (_, __, step) => step >= 12);
        await killHead();
        await untilReason(id, /does not answer now/);
        await startHead();
        await untilReason(
          id,
          /does not know job ms-[\w-]+ at pause any more: it was lost there\. Its last checkpoint is kept/,
        );
        await act(id, 'resume');
        return untilStatus(id, 'succeeded');
      },
    ],
  ],
  () =>
    `Ray ${execFileSync(join(bin, 'ray'), ['--version'])
      .toString()
      .replace(/^.*version /, '')
      .trim()}`,
);
await killHead();
