// The studio with a Slurm of one node: what becomes of runs that it places. Arguments: folder, port; Slurm's commands are in PATH.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const [folder = '', port = '', ctld = ''] = process.argv.slice(2);
const root = join(import.meta.dirname, '..', '..');
const origin = `http://127.0.0.1:${port}`;
const TOKEN = 'token-of-the-real-check-0123456789';
const shared = join(folder, 'shared');
mkdirSync(shared, { recursive: true });
const trainer = join(root, 'src/features/training/server/testTrainer.fixture.mjs');
const node = process.execPath;
const slurm = {
  kind: 'slurm',
  folder: shared,
  cpus: 2,
  most_at_once: 3,
  worker: `${node} ${join(root, 'src/app/server/launch/launch.mjs')}`,
};
const toTrainer = (mode: string, delay = 0): string => `${node} ${trainer} ${mode} ${delay}`;
writeFileSync(
  join(folder, 'launchers.json'),
  JSON.stringify([
    { ...slurm, name: 'train', trainer: toTrainer('train') },
    { ...slurm, name: 'crash', trainer: toTrainer('crash') },
    { ...slurm, name: 'slow', trainer: toTrainer('train', 1000), minutes: 2 },
    { ...slurm, name: 'pause', trainer: toTrainer('pause'), minutes: 1 },
    { ...slurm, name: 'wrong', partition: 'nowhere' },
  ]),
);

const running: { service: ChildProcess | null } = { service: null };
async function start(): Promise<void> {
  const args = [
    '--port',
    port,
    '--data',
    join(folder, 'data'),
    '--trainer',
    'none',
    '--launchers',
    join(folder, 'launchers.json'),
  ];
  running.service = spawn(node, [join(root, 'src/app/server/launch/launch.mjs'), ...args], {
    env: { ...process.env, STUDIO_TOKEN: TOKEN },
    stdio: 'inherit',
  });
  for (let left = 600; left > 0; left -= 1) {
    const isReady = await fetch(`${origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await wait(500);
  }
  throw new Error('The studio did not start.');
}

async function ask(path: string, body?: object): Promise<Record<string, unknown>> {
  const answer = await fetch(origin + path, {
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Record<string, unknown>;
}

const tool = (name: string, words: readonly string[]): Buffer => execFileSync(name, [...words]);

let snapshot = '';
async function create(launcher: string): Promise<string> {
  const run = {
    base_model_id: 'support-base',
    batch_size: 8,
    n_epochs: 1,
    learning_rate_multiplier: 0.006,
    lora: true,
  };
  const body = { snapshot_id: snapshot, name: launcher, studio: { launcher }, experiments: [run] };
  const made = await ask('/api/v1/public/finetuning/create', body);
  const job = await ask(`/api/v1/public/finetuning/${String(made['job_id'])}`);
  return (job['experiments'] as { id: string }[])[0]?.id ?? '';
}

const read = (id: string) => ask(`/api/v1/studio/experiments/${id}/progress`);
async function until(id: string, isWanted: (status: string, reason: string, step: number) => boolean): Promise<string> {
  for (let left = 400; left > 0; left -= 1) {
    const { status, reason, step } = await read(id).catch(() => ({ status: '', reason: '', step: 0 }));
    if (isWanted(String(status), String(reason ?? ''), Number(step))) return `${String(status)}: ${String(reason)}`;
    await wait(500);
  }
  const { status, reason } = await read(id);
  throw new Error(`It stays ${String(status)}: ${String(reason)}`);
}
const untilReason = (id: string, pattern: RegExp) => until(id, (_, reason) => pattern.test(reason));
const untilStatus = (id: string, wanted: string) => until(id, (status) => status === wanted);
const act = (id: string, action: string) => ask(`/api/v1/studio/experiments/${id}/${action}`, {});
const queued = () => tool('squeue', ['--noheader', '--format=%i %t %r']).toString().trim();

const checks: readonly (readonly [string, () => Promise<unknown>])[] = [
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
  [
    'the studio is killed and comes back, and the run goes on',
    async () => {
      const id = await create('slow');
      await until(id, (_, __, step) => step > 1);
      running.service?.kill('SIGKILL');
      await start();
      await untilStatus(id, 'succeeded');
    },
  ],
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
];

await start();
const projects = (await ask('/api/v1/public/projects'))['projects'] as { id: string }[];
const tree = await ask(`/api/v1/public/projects/${projects[0]?.id ?? ''}`);
const find = (value: unknown): string => {
  const { type, id, children = [] } = value as { type: string; id: string; children?: object[] };
  return type === 'snapshot' ? id : (children.map(find).find((found) => found !== '') ?? '');
};
snapshot = find(tree['project'] ?? tree);
let right = 0;
const wanted = (process.env['ONLY'] ?? '').split(',').filter(Boolean).map(Number);
for (const [at, [title, run]] of checks.entries()) {
  if (wanted.length > 0 && !wanted.includes(at)) continue;
  try {
    const said = await run();
    right += 1;
    process.stdout.write(`right: ${title}${typeof said === 'string' ? ` (${said})` : ''}\n`);
  } catch (error) {
    process.stdout.write(`WRONG: ${title}: ${error instanceof Error ? error.message : String(error)}\n`);
  }
}
running.service?.kill('SIGTERM');
if (process.env['VERDICT'] !== undefined)
  writeFileSync(
    process.env['VERDICT'],
    `Slurm ${tool('sinfo', ['--version']).toString().trim()}\n${right} of ${checks.length} ends as they happened\n`,
  );
process.exitCode = right === checks.length ? 0 : 1;
