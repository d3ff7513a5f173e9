import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { FakeKube, TOKEN } from './kubeApi.fixture.ts';
import { openKubernetesLauncher, type KubernetesSettings } from './kubernetesLauncher.ts';
import { LAUNCH_TIMES, toLaunchStep } from './launchPlan.ts';
import { LaunchDelayed, LaunchRefused, type Launcher, type LaunchStatus } from './launcher.ts';

const kube = new FakeKube();
const MANIFEST = new URL('../../../../../e2e/deploy/kubernetes.yaml', import.meta.url);
interface Role {
  readonly kind: string;
  readonly rules: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[];
}
const role = parseAllDocuments(readFileSync(MANIFEST, 'utf8'))
  .map((document) => document.toJS() as Role)
  .find(({ kind }) => kind === 'Role')!;
// Whatever is tried here is tried with the rights of the manifest.
kube.rights = role.rules.flatMap(({ resources, verbs }) =>
  resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
);
const folder = mkdtempSync(join(tmpdir(), 'kube-'));
const kubeconfig = join(folder, 'config');
let server: URL;
let cluster: Launcher;

const toConfig = (user: object, more: object = {}) =>
  JSON.stringify({
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u', namespace: 'runs' } }],
    clusters: [{ name: 'c', cluster: { server: server.href, ...more } }],
    users: [{ name: 'u', user }],
  });
const configure = (user: object, more?: object): void => writeFileSync(kubeconfig, toConfig(user, more));

const open = (more: Partial<KubernetesSettings> = {}): Launcher =>
  openKubernetesLauncher({
    name: 'k8s',
    mostAtOnce: 4,
    worker: ['model-studio'],
    trainer: null,
    image: 'studio:1',
    queue: null,
    gpus: 1,
    cpus: 2,
    memoryGb: 8,
    minutes: 60,
    nodeSelector: { zone: 'a' },
    tolerations: ['nvidia.com/gpu'],
    pullSecret: null,
    user: 1000,
    kubeconfig,
    context: null,
    namespace: null,
    ...more,
  });

beforeAll(async () => {
  server = await kube.open();
  configure({ token: TOKEN });
  cluster = open();
});
beforeEach(() => {
  kube.reset();
  configure({ token: TOKEN });
});
afterAll(() => {
  kube.close();
  rmSync(folder, { recursive: true, force: true });
});

const ORDER = {
  id: 'ms-1',
  job: null,
  experimentId: 'e',
  label: 'A run',
  studio: 'http://s',
  token: 'SECRET',
  claim: 'x',
};
const RUNNING = { phase: 'Running' };
const status = (): Promise<LaunchStatus> => cluster.status(ORDER);
/** Of a run that its worker has left, with a checkpoint. */
const toStep = (ended: LaunchStatus) =>
  toLaunchStep(
    {
      launcher: 'k8s',
      job: 'ms-1',
      run: 'queued',
      canResume: true,
      resumes: 0,
      status: ended,
      isPlaced: true,
      sinceMs: 0,
      endingMs: null,
      lastLine: null,
    },
    LAUNCH_TIMES,
  );

describe('a submitted run', () => {
  it('is one Job however often it is sent, with its token in a Secret that goes with it', async () => {
    expect(await cluster.submit(ORDER)).toBe('ms-1');
    expect(await cluster.submit({ ...ORDER, token: 'NEW' })).toBe('ms-1');
    expect([kube.jobs.size, kube.secrets.get('ms-1')?.stringData.token]).toEqual([1, 'NEW\n']);
    expect(kube.secrets.get('ms-1')?.metadata.ownerReferences).toMatchObject([{ uid: 'uid-ms-1' }]);
    const job = kube.jobs.get('ms-1');
    expect(JSON.stringify(job)).not.toMatch(/SECRET|NEW/);
    expect(job).toMatchObject({
      metadata: { annotations: { 'model-studio/run': 'A run' } },
      spec: {
        suspend: false,
        backoffLimit: 0,
        template: {
          spec: {
            restartPolicy: 'Never',
            activeDeadlineSeconds: 3600,
            nodeSelector: { zone: 'a' },
            tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }],
            securityContext: { runAsUser: 1000, runAsNonRoot: true },
            containers: [
              {
                image: 'studio:1',
                command: [
                  'model-studio',
                  'worker',
                  '--studio',
                  'http://s',
                  '--token-file',
                  '/var/run/secrets/model-studio/token',
                  '--run',
                  'e',
                  '--data',
                  '/var/lib/model-studio',
                ],
                resources: { limits: { memory: '8Gi', 'nvidia.com/gpu': 1 }, requests: { memory: '8Gi', cpu: 2 } },
              },
            ],
          },
        },
      },
    });
  });

  it('whose answer was lost is found again, and one with the name of somebody else is refused', async () => {
    kube.mode = 'late';
    await expect(cluster.submit(ORDER)).rejects.toThrow(/does not answer/);
    kube.mode = 'none';
    expect(await status()).toEqual({ kind: 'lost' });
    await cluster.submit(ORDER);
    expect(await status()).toEqual({ kind: 'waiting', reason: 'its machine prepares it', job: 'ms-1' });
    Object.assign(kube.jobs.get('ms-1')!.metadata, { labels: {} });
    await expect(cluster.submit(ORDER)).rejects.toBeInstanceOf(LaunchRefused);
  });

  it.each([
    [
      'a right that is missing',
      { forbidden: 'create jobs' },
      /403: jobs is forbidden.* cannot create resource "jobs".*Give its account this right/,
    ],
    ['a right for secrets that is missing', { forbidden: 'create secrets' }, /cannot create resource "secrets"/],
  ])('is refused for %s', async (_why, change, message) => {
    Object.assign(kube, change);
    const submitted = cluster.submit(ORDER);
    await expect(submitted).rejects.toThrow(message);
    await expect(submitted).rejects.toBeInstanceOf(LaunchRefused);
  });

  it.each(['jobs', 'secrets'])('waits for room where a quota for %s is full', async (kind) => {
    kube.full = kind;
    const submitted = cluster.submit(ORDER);
    await expect(submitted).rejects.toBeInstanceOf(LaunchDelayed);
    await expect(submitted).rejects.toThrow(`quota small, requested: count/${kind}=1, used: 2`);
    kube.full = '';
    expect(await cluster.submit(ORDER)).toBe('ms-1');
  });

  it.each(['jobs', 'secrets'])('is sent again where a quota for %s is being counted', async (kind) => {
    kube.counted = kind;
    const error = await cluster.submit(ORDER).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'Error', message: expect.stringContaining('409') as string });
    kube.counted = '';
    expect(await cluster.submit(ORDER)).toBe('ms-1');
  });

  it('is refused for a namespace that is not there, and for what the cluster calls invalid', async () => {
    await expect(open({ namespace: 'moon' }).submit(ORDER)).rejects.toThrow('404: namespaces "moon" not found');
    await expect(open({ image: 'wrong' }).submit(ORDER)).rejects.toThrow('422: Job.batch "ms-1" is invalid: image');
  });
});

it.each([
  ['does not know the token', () => configure({ token: 'old' }), /401: Unauthorized\. Give the launcher an account/],
  ['is away', () => (kube.mode = 'away'), /does not answer/],
  ['hangs', () => (kube.mode = 'hang'), /does not answer/],
  ['answers garbage', () => (kube.mode = 'garbage'), /a form that is not known/],
])('a cluster that %s is asked again, and goes on when it is back', async (_what, spoil, message) => {
  await cluster.submit(ORDER);
  spoil();
  const spoiled = kube.mode === 'hang' ? open({ answerMs: 200 }) : cluster;
  for (const asked of [spoiled.status(ORDER), spoiled.submit(ORDER)]) {
    const error = await asked.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringMatching(message) as string });
    expect(error).not.toBeInstanceOf(LaunchRefused);
  }
  kube.mode = 'none';
  configure({ token: TOKEN });
  expect(await status()).toMatchObject({ kind: 'waiting' });
});

describe('a Job', () => {
  beforeEach(() => cluster.submit(ORDER));

  it('waits with the reason of the cluster, runs, and ends with the exit code of its worker', async () => {
    const unschedulable = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message: '0/3 nodes: no GPU.',
    };
    kube.setPod('ms-1', { phase: 'Pending', conditions: [unschedulable] });
    expect(await status()).toMatchObject({ kind: 'waiting', reason: 'Unschedulable: 0/3 nodes: no GPU.' });
    const image = { reason: 'ImagePullBackOff', message: 'Back-off pulling image "studio:1"' };
    kube.setPod('ms-1', { phase: 'Pending' }, { waiting: image });
    expect(await status()).toMatchObject({ kind: 'waiting', reason: `ImagePullBackOff: ${image.message}` });
    kube.setPod('ms-1', RUNNING, { running: {} });
    expect(await status()).toEqual({ kind: 'running', job: 'ms-1' });
    kube.setPod('ms-1', { phase: 'Succeeded' }, { terminated: { exitCode: 0, reason: 'Completed' } });
    expect(await status()).toEqual({ kind: 'ended', code: 0, cause: null, words: null });
    kube.setPod('ms-1', { phase: 'Failed' }, { terminated: { exitCode: 3, reason: 'Error' } });
    expect(await status()).toEqual({ kind: 'ended', code: 3, cause: null, words: null });
    const message = 'exec: "model-studio": executable file not found in $PATH';
    kube.setPod('ms-1', { phase: 'Failed' }, { terminated: { exitCode: 128, reason: 'StartError', message } });
    expect(await status()).toEqual({ kind: 'ended', code: 128, cause: null, words: `StartError: ${message}` });
  });

  it.each([
    ['ContainerCreating', undefined],
    ['ErrImagePull', 15 * 60_000],
    ['ImagePullBackOff', 15 * 60_000],
    ['InvalidImageName', 0],
    ['CreateContainerConfigError', 0],
  ])('that waits for %s may do so for %s ms', async (reason, mostMs) => {
    kube.setPod('ms-1', { phase: 'Pending' }, { waiting: { reason, message: 'why' } });
    expect(await status()).toEqual({
      kind: 'waiting',
      reason: `${reason}: why`,
      job: 'ms-1',
      ...(mostMs !== undefined && { mostMs }),
    });
  });

  it('that its machine prepares says what the cluster warns of, and is given up in time', async () => {
    kube.setPod('ms-1', { phase: 'Pending' }, { waiting: { reason: 'ContainerCreating' } });
    expect(await status()).toEqual({ kind: 'waiting', reason: 'ContainerCreating', job: 'ms-1' });
    const message = 'MountVolume.SetUp failed for volume "token": secret "ms-1" not found';
    const pod = [...kube.pods.keys()].at(-1) ?? '';
    kube.events = [
      { of: 'ms-1', reason: 'FailedCreate', message: 'of its Job' },
      { of: pod, reason: 'FailedMount', message },
    ];
    const warned = { kind: 'waiting', reason: `FailedMount: ${message}`, job: 'ms-1', mostMs: 30 * 60_000 };
    expect(await status()).toEqual(warned);
    for (const reason of ['Scheduled', 'Pulling']) {
      kube.events = [{ type: 'Normal', reason, message: '', lastTimestamp: '2026-11-29T09:00:00Z' }, ...kube.events];
      expect(await status()).toMatchObject({ reason: 'ContainerCreating' });
    }
  });

  it('without a pod says what the cluster warns of, if the account may read that', async () => {
    kube.removePods('ms-1');
    const message = 'pods "ms-1-x" is forbidden: exceeded quota: gpus';
    const rule = 'pods "ms-1-y" is forbidden: violates PodSecurity';
    const old = { reason: 'FailedCreate', message: rule, lastTimestamp: '2026-11-29T08:00:00Z' };
    kube.events = [{ reason: 'FailedCreate', message, lastTimestamp: '2026-11-29T09:00:00Z' }, old];
    expect(await status()).toEqual({ kind: 'waiting', reason: `FailedCreate: ${message}`, job: 'ms-1' });
    kube.events = [old];
    expect(await status()).toMatchObject({ reason: `FailedCreate: ${rule}`, mostMs: 15 * 60_000 });
    kube.forbidden = 'list events';
    expect(await status()).toMatchObject({ kind: 'waiting', reason: 'it has no pod yet' });
  });

  it.each([
    ['for memory', { phase: 'Failed' }, { exitCode: 137, reason: 'OOMKilled' }, 'memory', 'failed'],
    ['at its deadline', { phase: 'Failed', reason: 'DeadlineExceeded' }, { exitCode: 75 }, 'time', 'again'],
    [
      'when it is evicted',
      { phase: 'Failed', reason: 'Evicted', message: 'low on disk' },
      { exitCode: 75 },
      'preempted',
      'again',
    ],
    [
      'when it is preempted',
      { phase: 'Failed', conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }] },
      { exitCode: 137 },
      'preempted',
      'again',
    ],
  ])('that the cluster ends %s says so', async (_why, pod, terminated, cause, step) => {
    kube.setPod('ms-1', pod, { terminated });
    const ended = await status();
    expect(ended).toMatchObject({ kind: 'ended', code: terminated.exitCode, cause });
    expect(toStep(ended).kind).toBe(step);
  });

  it('whose node is lost has ended, though nobody says so of its pod', async () => {
    const lost = { type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager' };
    kube.setPod('ms-1', { phase: 'Running', conditions: [lost] }, { running: {} });
    [...kube.pods.values()][0]!.metadata.deletionTimestamp = '2026-11-29T00:00:00Z';
    expect(toStep(await status())).toMatchObject({ kind: 'again' });
    // Its pod is not to come back.
    await cluster.tidy(ORDER);
    expect([kube.jobs.size, kube.secrets.size]).toEqual([0, 0]);
  });

  it.each([
    [
      'PodFailurePolicy',
      'Container worker for pod runs/ms-1-x failed with exit code 75 matching FailJob rule at index 1',
      75,
      null,
    ],
    [
      'PodFailurePolicy',
      'Pod runs/ms-1-x has condition DisruptionTarget matching FailJob rule at index 0',
      null,
      'preempted',
    ],
    ['DeadlineExceeded', 'Job was active longer than specified deadline', null, 'time'],
  ])('whose pod is gone says by itself why it failed: %s, %s', async (reason, message, code, cause) => {
    kube.removePods('ms-1');
    kube.setJob('ms-1', { type: 'Failed', status: 'True', reason, message });
    expect(await status()).toMatchObject({ kind: 'ended', code, cause });
  });

  it('that is stopped is asked until it is gone, and one that was never there is no failure', async () => {
    kube.setPod('ms-1', RUNNING, { running: {} });
    await cluster.stop(ORDER);
    expect(await status()).toEqual({ kind: 'running', job: 'ms-1' });
    await cluster.stop(ORDER);
    kube.removePods('ms-1');
    expect(await status()).toEqual({ kind: 'lost' });
    expect(kube.secrets.size).toBe(0);
    await cluster.stop(ORDER);
    await cluster.tidy(ORDER);
  });

  it('that waits and is stopped is gone at once', async () => {
    await cluster.stop(ORDER);
    expect(await status()).toEqual({ kind: 'lost' });
  });

  it('gives its log in parts, also where the node has dropped the beginning, and of the pod that follows', async () => {
    // As one service after the other asks, which have no more than what is stored.
    let place = { from: 0, mark: null as string | null };
    const read = async (from = place.from): Promise<string> => {
      const { text, next, mark = place.mark } = await open().log(ORDER, from, place.mark);
      place = { from: next, mark };
      return text;
    };
    expect([await read(), place.from]).toEqual(['', 0]);
    const [first = ''] = [...kube.pods.keys()];
    kube.logs.set(first, 'one\nä');
    expect([await read(4), place.from]).toEqual(['ä', 6]);
    kube.logs.set(first, 'cut\n');
    expect([await read(), place.from]).toEqual(['... the cluster has dropped the beginning\ncut\n', 10]);
    kube.logs.set(first, 'cut\nmore\n');
    expect([await read(), place.from]).toEqual(['more\n', 15]);
    kube.addPod('ms-1');
    kube.logs.set([...kube.pods.keys()].at(-1) ?? '', 'again\n');
    expect([await read(), place.from]).toEqual(['again\n', 21]);
    expect([await read(), place.from]).toEqual(['', 21]);
    // What was read before there were marks may be of another pod.
    place = { from: 21, mark: null };
    expect([await read(), place.from]).toEqual(['', 21]);
    kube.logs.set([...kube.pods.keys()].at(-1) ?? '', 'again\nand\n');
    expect([await read(), place.from]).toEqual(['and\n', 25]);
  });
});

it('a Job of a queue waits until the queue lets it begin, and also after it was put back', async () => {
  const queued = open({ queue: 'gpu' });
  await queued.submit(ORDER);
  const job = kube.jobs.get('ms-1')!;
  expect(job.metadata.labels).toMatchObject({ 'kueue.x-k8s.io/queue-name': 'gpu' });
  const waits = { kind: 'waiting', reason: 'Suspended, in the queue gpu', job: 'ms-1' };
  expect(await queued.status(ORDER)).toEqual(waits);
  job.spec.suspend = false;
  kube.addPod('ms-1');
  kube.setPod('ms-1', RUNNING, { running: {} });
  expect(await queued.status(ORDER)).toMatchObject({ kind: 'running' });
  job.spec.suspend = true;
  kube.setPod('ms-1', { phase: 'Failed' }, { terminated: { exitCode: 75 } });
  expect(await queued.status(ORDER)).toEqual(waits);
});
