// The studio with the recipes for Hugging Face Jobs and SkyPilot: what becomes of runs that it places by them. Arguments: folder,
// port of the studio; `hf`, `sky` and rsync are in PATH, `sky/bin/python` in the folder.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLaunchedStudio, toTrainer, WORKER } from './launchedStudio.ts';
import { openHub } from './recipes/hub.ts';

const [folder = '', port = ''] = process.argv.slice(2);
const home = join(folder, 'home');
const config = join(home, '.sky', 'config.yaml');
mkdirSync(join(home, '.sky'), { recursive: true });
// Its server controls the jobs itself, as one for many people does. Else a machine of the cloud does so.
const CONSOLIDATED = 'jobs:\n  controller:\n    consolidation_mode: true\n';

const hub = await openHub();
const scripts = join(import.meta.dirname, '..', 'deploy', 'launchers');
const env = {
  HOME: home,
  HF_HOME: join(home, 'hf'),
  HF_ENDPOINT: hub.endpoint,
  HF_TOKEN: 'hf_nobody',
  NO_COLOR: '1',
};
const withEnv = ['env', ...Object.entries(env).map(([name, value]) => `${name}=${value}`), process.execPath];
const toCommand = (...words: readonly string[]): string => [...withEnv, ...words].join(' ');
const hf = (flavor = 'cpu-basic'): string => toCommand(join(scripts, 'hf-jobs.mjs'), '--flavor', flavor, 'image:1');
const task = join(folder, 'task.yaml');
writeFileSync(task, 'resources:\n  cpus: 1+\n');
const sky = toCommand(join(scripts, 'sky.mjs'), task);

const shared = { kind: 'command', folder: join(folder, 'launched'), most_at_once: 3, worker: WORKER };
const studio = openLaunchedStudio(folder, port, [
  { ...shared, name: 'train', command: hf(), trainer: toTrainer('train') },
  { ...shared, name: 'crash', command: hf(), trainer: toTrainer('crash') },
  { ...shared, name: 'slow', command: hf(), trainer: toTrainer('train', 1000) },
  { ...shared, name: 'limit', command: hf(), trainer: toTrainer('pause'), minutes: 1 },
  { ...shared, name: 'dear', command: hf('h200') },
  { ...shared, name: 'sky', command: sky },
]);
const { create, until, untilReason, untilStatus, act } = studio;

/** What a program prints. The hub is in this process: nothing may wait here without letting it answer. */
function run(program: string, words: readonly string[], input = ''): Promise<string> {
  const child = spawn(program, words, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    let out = '';
    child.stdout.on('data', (part: Buffer) => (out += part.toString()));
    child.once('error', reject).once('close', () => resolve(out));
  });
}

async function restartSky(written: string): Promise<void> {
  await run('sky', ['api', 'stop']);
  writeFileSync(config, written);
  await run('sky', ['api', 'start']);
}

/** What the recipe answers of SkyPilot's job of this name. */
function askSky(id: string): Promise<string> {
  const [program = '', ...words] = sky.split(' ');
  return run(program, [...words, 'status'], JSON.stringify({ id, job: null, folder: join(folder, 'none') }));
}

/** What SkyPilot's statuses come to. */
const STATUSES: Readonly<Record<string, RegExp>> = {
  PENDING: /"waiting","reason":"PENDING, /,
  SUBMITTED: /"waiting"/,
  STARTING: /"waiting","reason":"STARTING/,
  RUNNING: /"running","job":"\d+"/,
  WINDING_DOWN: /"running"/,
  RECOVERING: /"waiting","reason":"RECOVERING, .*preempted or failed/,
  CANCELLING: /"running"/,
  SUCCEEDED: /"ended","code":0/,
  CANCELLED: /"ended","cause":"cancelled"/,
  FAILED: /"ended","code":75,/,
  FAILED_SETUP: /"ended","code":null,"cause":null,"reason":"Job exited with exit code 127 /,
  FAILED_PRECHECKS: /"ended","code":null,.*No cloud has it/,
  FAILED_NO_RESOURCE: /"ended","code":null,.*can not|cannot be provisioned/,
  FAILED_CONTROLLER: /"ended","code":null,.*Controller process is dead/,
};

/** All that this machine shows of the processes of a job: words and environments. */
function readProcesses(group: number): string {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const read = (id: string, name: string): string => {
    try {
      return readFileSync(join('/proc', id, name), 'utf8');
    } catch {
      return '';
    }
  };
  const isOurs = (id: string): boolean =>
    Number(
      read(id, 'stat')
        .replace(/^.*\) /, '')
        .split(' ')[2],
    ) === group;
  return ids
    .filter(isOurs)
    .map((id) => read(id, 'cmdline') + read(id, 'environ'))
    .join('\n');
}

await studio.check(
  [
    ['HF: a run trains, and its model comes back', async () => untilStatus(await create('train'), 'succeeded')],
    ['HF: a trainer that fails', async () => untilStatus(await create('crash'), 'failed')],
    [
      'HF: what the hub does not allow is refused with its words',
      async () => untilReason(await create('dear'), /did not take the run: .*credit balance is insufficient/),
    ],
    [
      'HF: the token is in nothing that the hub, the job or this machine shows',
      async () => {
        const id = await create('slow');
        await until(id, (_, __, step) => step > 1);
        const job = hub.jobs.at(-1)!;
        const token = Object.values(job.spec.secrets ?? {})[0] ?? '';
        const shown = await run('hf', ['jobs', 'inspect', job.id, '--format', 'json']);
        const seen = shown + readProcesses(job.process?.pid ?? 0);
        await act(id, 'cancel');
        await untilReason(id, /Job \w+ at slow is gone\.$/);
        if (token.length < 20 || !seen.includes('--token-file') || seen.includes(token)) throw new Error(seen);
      },
    ],
    [
      'HF: two at once: the second one waits with its reason, and is cancelled',
      async () => {
        const first = await create('slow');
        await until(first, (_, __, step) => step > 1);
        const second = await create('train');
        await untilReason(second, /^Waiting at train: Waiting for hardware, job \w+\.$/);
        await act(second, 'cancel');
        await untilReason(second, /^Cancelled before it began\. Job \w+ at train is gone\.$/);
        await act(first, 'cancel');
        await untilReason(first, /Job \w+ at slow is gone\.$/);
      },
    ],
    [
      'HF: the time limit: the worker saves, and the run is placed again from its checkpoint',
      () => studio.goOnAfterLimit('limit'),
    ],
    ['HF: the studio is killed and comes back, and the run goes on', () => studio.goOnAfterKill('slow')],
    [
      'HF: a job that the hub forgets is lost',
      async () => {
        const blocker = await create('slow');
        await until(blocker, (_, __, step) => step > 0);
        const id = await create('train');
        await untilReason(id, /^Waiting at train: Waiting for hardware/);
        hub.jobs.pop();
        await untilReason(id, /does not know job \w+ at train any more: it was lost there\./);
        await act(blocker, 'cancel');
      },
    ],
    [
      'SkyPilot: a submission that fails on its server says why',
      async () => {
        await restartSky('');
        return untilReason(await create('sky'), /NoCloudAccessError: Cloud access is not set up/);
      },
    ],
    [
      'SkyPilot: a job that its controller gives up says why',
      async () => {
        await restartSky(CONSOLIDATED);
        return untilReason(await create('sky'), /Job \d+ at sky ended .*Cloud access is not set up/);
      },
    ],
    [
      'SkyPilot: each of its statuses is one of ours',
      async () => {
        const python = join(folder, 'sky', 'bin', 'python');
        const made = await run(python, [join(import.meta.dirname, 'recipes', 'jobs.py')]);
        const listed = made.split('\n').map((line) => line.trim());
        const wrong: string[] = [];
        for (const status of listed.filter((line) => /^[A-Z_]+$/.test(line))) {
          const said = await askSky(`ms-${status}`);
          if (STATUSES[status]?.test(said) !== true) wrong.push(`${status}: ${said}`);
        }
        if (wrong.length > 0 || !listed.includes('FAILED')) throw new Error(wrong.join('\n'));
        return `${Object.keys(STATUSES).length} statuses`;
      },
    ],
  ],
  () => `${process.env['versions'] ?? ''}; a hub of ours, no cloud`,
);
hub.close();
