// A cluster of Kubernetes by its own API: each run is a Job with one pod. Its token lies in a Secret that goes with it. Kueue
// is a label of the Job.
import { readKubeAccess, type AccessSettings } from './kubeAccess.ts';
import { isTaken, openKubeApi, toCore, toJobs, toProblem, type KubeApi } from './kubeApi.ts';
import {
  CONTAINER,
  isPrepared,
  jobSchema,
  TOKEN_FILE,
  toJob,
  toKubeStatus,
  toNewest,
  toSecret,
  WORK_FOLDER,
  type JobRequest,
} from './kubernetesText.ts';
import { LaunchRefused, type Launcher, type LaunchOrder } from './launcher.ts';
import { toNodeCommand, type NodeSettings } from './nodeCommand.ts';

export interface KubernetesSettings extends NodeSettings, JobRequest, AccessSettings {
  readonly name: string;
  readonly mostAtOnce: number;
  readonly answerMs?: number;
}

/** Bytes of one part of a log. */
const LOG_PART = 96 * 1024;

function toAbout({ namespace, queue, gpus, minutes }: KubernetesSettings, used: string): string {
  const parts = [
    `namespace ${namespace ?? used}`,
    queue === null ? null : `queue ${queue}`,
    gpus === 0 ? null : `${gpus} GPU${gpus > 1 ? 's' : ''}`,
    minutes === null ? null : `${minutes} min`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

/** Where the log of a pod begins in that of its job: a Job that went on, and a log that was cut, begin at 0 again. */
interface LogBegin {
  /** Its uid. */
  readonly pod: string;
  readonly begin: number;
}

const toLogMark = ({ pod, begin }: LogBegin): string => `${begin} ${pod}`;

function parseLogMark(mark: string | null): LogBegin | null {
  const [, begin, pod] = /^(\d+) (.+)$/.exec(mark ?? '') ?? [];
  return begin === undefined || pod === undefined ? null : { pod, begin: Number(begin) };
}

/** Makes it, or gives it another token or owner. */
async function putSecret(api: KubeApi, order: LaunchOrder, jobUid: string | null): Promise<void> {
  const secret = toSecret(order, jobUid);
  const made = jobUid === null ? await api.send('POST', toCore('secrets'), secret) : null;
  if (made?.status === 201) return;
  if (made !== null && !isTaken(made)) throw new Error(toProblem(made));
  const changed = await api.send('PUT', toCore(`secrets/${order.id}`), secret);
  if (changed.status !== 200 && changed.status !== 201) throw new Error(toProblem(changed));
}

/** Throws an Error for people if there is no access to a cluster. */
export function openKubernetesLauncher(settings: KubernetesSettings): Launcher {
  const { name, mostAtOnce, queue } = settings;
  const api = openKubeApi(settings);
  const { namespace: used } = readKubeAccess(settings);
  return {
    name,
    kind: 'kubernetes',
    mostAtOnce,
    hasSecretPlace: true,
    isElsewhere: true,
    about: toAbout(settings, used),
    async submit(order) {
      // First: a pod can't begin without it.
      await putSecret(api, order, null);
      const command = toNodeCommand(settings, order, ['--token-file', TOKEN_FILE], WORK_FOLDER);
      const answer = await api.send('POST', toJobs(), toJob(settings, order, command));
      const job = isTaken(answer) ? await api.findJob(order) : api.read(jobSchema, answer);
      if (job === null) throw new LaunchRefused(`it has another Job with the name ${order.id}`);
      // Without an owner it is removed with `tidy` alone.
      await putSecret(api, order, job.metadata.uid).catch(() => undefined);
      return order.id;
    },
    async status(asked) {
      const job = await api.findJob(asked);
      if (job === null) return { kind: 'lost' };
      const pods = await api.listPods(asked);
      const pod = toNewest(pods);
      const warned = pod === null ? asked.id : isPrepared(pod) ? pod.metadata.name : null;
      return toKubeStatus({ job, pods, queue, warning: warned === null ? null : await api.findWarning(warned) });
    },
    async stop({ id }) {
      const answer = await api.ask('DELETE', toJobs(`/${id}`), { propagationPolicy: 'Foreground' });
      if (answer.status > 299 && answer.status !== 404) throw new Error(toProblem(answer));
    },
    async log(asked, from, mark) {
      const pod = toNewest(await api.listPods(asked));
      if (pod === null) return { text: '', next: from };
      const { uid } = pod.metadata;
      const known = parseLogMark(mark);
      const begin = known === null || known.pod === uid ? (known?.begin ?? 0) : from;
      const end = from - begin + LOG_PART;
      const answer = await api.ask(
        'GET',
        toCore(`pods/${pod.metadata.name}/log?container=${CONTAINER}&limitBytes=${end}`),
      );
      if (answer.status !== 200) return { text: '', next: from };
      const bytes = Buffer.from(answer.text);
      // The node keeps the end of a long log alone. Without a mark the log before it may be of another pod: nothing of it is
      // repeated.
      const isCut = known !== null && bytes.length < from - begin;
      const start = isCut ? 0 : Math.min(from - begin, bytes.length);
      // A part may end inside of a letter, which comes whole with the next one.
      const text = bytes
        .subarray(start)
        .toString('utf8')
        .replace(/\uFFFD$/, '');
      return {
        text: isCut ? `... the cluster has dropped the beginning\n${text}` : text,
        next: from + Buffer.byteLength(text),
        mark: toLogMark({ pod: uid, begin: from - start }),
      };
    },
    async tidy(asked) {
      await api.ask('DELETE', toCore(`secrets/${asked.id}`));
      // One that has ended can be looked at for a day. The pod of a lost node is not to come back.
      const job = await api.findJob(asked);
      const isOver = job?.status?.conditions?.some(
        ({ type, status }) => /^(?:Complete|Failed)$/.test(type) && status === 'True',
      );
      if (job && !isOver) await api.ask('DELETE', toJobs(`/${asked.id}`), { propagationPolicy: 'Background' });
    },
  };
}
