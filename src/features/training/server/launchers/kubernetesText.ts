// What the API of Kubernetes is told of a Job, and what it says of one. Pure. Jobs of batch/v1 as of 1.34.
import * as z from 'zod/mini';
import { cutText } from '#core/contract/schemas.ts';
import type { EndCause, LaunchOrder, LaunchStatus } from './launcher.ts';

export interface JobRequest {
  readonly image: string;
  /** Of Kueue; null: the scheduler of the cluster places it. */
  readonly queue: string | null;
  readonly gpus: number;
  readonly cpus: number | null;
  readonly memoryGb: number | null;
  readonly minutes: number | null;
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Keys of taints. */
  readonly tolerations: readonly string[];
  /** The secret of a private registry. */
  readonly pullSecret: string | null;
  /** A number; null: that of the image. */
  readonly user: number | null;
}

/** In the pod: the worker's files, and its token. */
export const WORK_FOLDER = '/var/lib/model-studio';
const SECRET_FOLDER = '/var/run/secrets/model-studio';
export const TOKEN_FILE = `${SECRET_FOLDER}/token`;

export const CONTAINER = 'worker';
/** The label of what is ours: the id of its job. */
export const OWN_LABEL = 'model-studio/job';
const MANAGER = { 'app.kubernetes.io/managed-by': 'model-studio' };
const toLabels = (id: string) => ({ ...MANAGER, [OWN_LABEL]: id });

/** Seconds from SIGTERM to SIGKILL, to save a checkpoint. */
const GRACE_SECONDS = 120;
/** What does not mend by itself, and what a registry that was away for a moment mends: how long a pod may wait for it. */
const WAITS: Readonly<Record<string, number>> = {
  InvalidImageName: 0,
  CreateContainerConfigError: 0,
  ErrImagePull: 15 * 60_000,
  ImagePullBackOff: 15 * 60_000,
  ErrImageNeverPull: 15 * 60_000,
  ImageInspectError: 15 * 60_000,
  RegistryUnavailable: 15 * 60_000,
  SignatureValidationFailed: 15 * 60_000,
  CreateContainerError: 15 * 60_000,
};
/** A pod whose machine warns of it, such as of a volume that is not there. Large images take some minutes without a warning. */
const WARNED_MS = 30 * 60_000;
/** A rule for pods, which the operator may mend. */
const FORBIDDEN_MS = 15 * 60_000;
/** How long a Job that has ended can be looked at. */
const KEPT_SECONDS = 24 * 60 * 60;
const MAX_REASON = 250;

export const toSecret = ({ id, token }: Pick<LaunchOrder, 'id' | 'token'>, jobUid: string | null) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: id,
    labels: toLabels(id),
    // It goes with its Job.
    ...(jobUid !== null && { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: id, uid: jobUid }] }),
  },
  stringData: { token: `${token}\n` },
});

/** `command`: the words of the worker. */
export function toJob(
  request: JobRequest,
  { id, label }: Pick<LaunchOrder, 'id' | 'label'>,
  command: readonly string[],
) {
  const { image, queue, gpus, cpus, memoryGb, minutes, nodeSelector, tolerations, pullSecret, user } = request;
  const memory = memoryGb === null ? {} : { memory: `${memoryGb}Gi` };
  const limits = { ...memory, ...(gpus > 0 && { 'nvidia.com/gpu': gpus }) };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: id,
      labels: { ...toLabels(id), ...(queue !== null && { 'kueue.x-k8s.io/queue-name': queue }) },
      annotations: { 'model-studio/run': label },
    },
    spec: {
      // Kueue begins it when its queue has room.
      suspend: queue !== null,
      // The studio places it again by itself, and counts how often.
      backoffLimit: 0,
      ttlSecondsAfterFinished: KEPT_SECONDS,
      // The pod goes as soon as the Job has failed for it: so the Job is told to say why.
      podFailurePolicy: {
        rules: [
          { action: 'FailJob', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
          { action: 'FailJob', onExitCodes: { containerName: CONTAINER, operator: 'NotIn', values: [0] } },
        ],
      },
      template: {
        metadata: { labels: toLabels(id) },
        spec: {
          restartPolicy: 'Never',
          terminationGracePeriodSeconds: GRACE_SECONDS,
          // Of the pod: the time in which it waits for a machine does not count.
          ...(minutes !== null && { activeDeadlineSeconds: minutes * 60 }),
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
          ...(tolerations.length > 0 && { tolerations: tolerations.map((key) => ({ key, operator: 'Exists' })) }),
          ...(pullSecret !== null && { imagePullSecrets: [{ name: pullSecret }] }),
          securityContext: {
            seccompProfile: { type: 'RuntimeDefault' },
            ...(user !== null && { runAsUser: user, runAsNonRoot: user !== 0, fsGroup: user }),
          },
          containers: [
            {
              name: CONTAINER,
              image,
              command,
              resources: { limits, requests: { ...memory, ...(cpus !== null && { cpu: cpus }) } },
              securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
              volumeMounts: [
                { name: 'token', mountPath: SECRET_FOLDER, readOnly: true },
                { name: 'work', mountPath: WORK_FOLDER },
              ],
            },
          ],
          volumes: [
            { name: 'token', secret: { secretName: id } },
            { name: 'work', emptyDir: {} },
          ],
        },
      },
    },
  };
}

const optionalText = z.optional(z.nullable(z.string()));
const conditionsSchema = z.optional(
  z.nullable(z.array(z.object({ type: z.string(), status: z.string(), reason: optionalText, message: optionalText }))),
);
const metadataSchema = z.object({
  name: z.string(),
  uid: z.string(),
  labels: z.optional(z.record(z.string(), z.string())),
  deletionTimestamp: optionalText,
  creationTimestamp: optionalText,
});

export const jobSchema = z.object({
  metadata: metadataSchema,
  spec: z.object({ suspend: z.optional(z.nullable(z.boolean())) }),
  status: z.optional(z.object({ conditions: conditionsSchema })),
});
export type KubeJob = z.infer<typeof jobSchema>;

const stateSchema = z.object({
  waiting: z.optional(z.nullable(z.object({ reason: optionalText, message: optionalText }))),
  running: z.optional(z.nullable(z.object({}))),
  terminated: z.optional(z.nullable(z.object({ exitCode: z.int(), reason: optionalText, message: optionalText }))),
});
const podSchema = z.object({
  metadata: metadataSchema,
  status: z.optional(
    z.object({
      phase: optionalText,
      reason: optionalText,
      message: optionalText,
      conditions: conditionsSchema,
      containerStatuses: z.optional(
        z.nullable(z.array(z.object({ name: z.string(), state: z.optional(stateSchema) }))),
      ),
    }),
  ),
});
export type KubePod = z.infer<typeof podSchema>;
export const podsSchema = z.object({ items: z.array(podSchema) });

export const eventsSchema = z.object({
  items: z.array(
    z.object({
      metadata: z.optional(z.object({ creationTimestamp: optionalText })),
      type: optionalText,
      reason: optionalText,
      message: optionalText,
      lastTimestamp: optionalText,
      // Newer reporters give this alone.
      eventTime: optionalText,
      series: z.optional(z.nullable(z.object({ lastObservedTime: optionalText }))),
    }),
  ),
});
type KubeEvent = z.infer<typeof eventsSchema>['items'][number];

const toEventTime = ({ lastTimestamp, series, eventTime, metadata }: KubeEvent): number =>
  Date.parse(lastTimestamp ?? series?.lastObservedTime ?? eventTime ?? metadata?.creationTimestamp ?? '') || 0;

/** Then a pod has its machine, and then its volumes too: what the cluster warned of before is over, and is kept for an hour. */
const STAGES: ReadonlySet<unknown> = new Set(['Scheduled', 'Pulling']);

/** `FailedCreate: exceeded quota: gpus` of the latest warning; null: none counts. A list has them in the order of their names. */
export function toLastWarning(events: readonly KubeEvent[]): string | null {
  const inOrder = events.toSorted((one, other) => toEventTime(one) - toEventTime(other));
  const from = inOrder.findLastIndex(({ reason }) => STAGES.has(reason)) + 1;
  const last = inOrder.slice(from).findLast(({ type }) => type === 'Warning');
  return last ? cutText([last.reason, last.message].filter(Boolean).join(': '), MAX_REASON) : null;
}

type Conditions = z.infer<typeof conditionsSchema>;
const findTrue = (conditions: Conditions, type: string) =>
  (conditions ?? []).find((condition) => condition.type === type && condition.status === 'True');

/** `OOMKilled`, or `Evicted: The node was low on resource: memory.` */
const toWords = ({ reason, message }: { reason?: string | null; message?: string | null }): string | null =>
  [reason, message]
    .filter(Boolean)
    .map((text) => cutText(text ?? '', MAX_REASON))
    .join(': ') || null;

/** Why a pod was ended from outside, by the reason of its condition DisruptionTarget, or its own. */
const CAUSES: Readonly<Record<string, EndCause>> = {
  PreemptionByScheduler: 'preempted',
  PreemptionByKubeScheduler: 'preempted',
  EvictionByEvictionAPI: 'preempted',
  TerminationByKubelet: 'preempted',
  Preempting: 'preempted',
  Evicted: 'preempted',
  DeletionByTaintManager: 'node',
  DeletionByPodGC: 'node',
  NodeLost: 'node',
  NodeShutdown: 'node',
  Terminated: 'node',
  OutOfcpu: 'node',
  OutOfmemory: 'node',
  UnexpectedAdmissionError: 'node',
  NodeAffinity: 'node',
  DeadlineExceeded: 'time',
};

/** The newest pod of a Job; null: it has none. */
export const toNewest = (pods: readonly KubePod[]): KubePod | null =>
  pods
    .toSorted((one, other) =>
      (one.metadata.creationTimestamp ?? '').localeCompare(other.metadata.creationTimestamp ?? ''),
    )
    .at(-1) ?? null;

const stateOf = ({ status }: KubePod) =>
  status?.containerStatuses?.find(({ name }) => name === CONTAINER)?.state ?? null;

/** Of a container: of one that has begun the exit code says all. */
const toEndWords = (terminated: { reason?: string | null; message?: string | null }): string | null =>
  ['Error', 'Completed'].includes(terminated.reason ?? '') ? null : toWords(terminated);

/** A pod that has ended, or whose node is lost; null: it goes on. */
function toPodEnd(pod: KubePod): LaunchStatus | null {
  const { phase, reason, message, conditions } = pod.status ?? {};
  const disrupted = findTrue(conditions, 'DisruptionTarget');
  const terminated = stateOf(pod)?.terminated ?? null;
  const cause = CAUSES[disrupted?.reason ?? ''] ?? CAUSES[reason ?? ''] ?? null;
  // A node that does not answer does not say when the pod has ended.
  if (cause === 'node' && pod.metadata.deletionTimestamp && phase !== 'Failed' && phase !== 'Succeeded')
    return { kind: 'ended', code: null, cause, words: toWords(disrupted ?? {}) };
  if (phase === 'Succeeded') return { kind: 'ended', code: terminated?.exitCode ?? 0, cause: null, words: null };
  if (phase !== 'Failed') return null;
  const code = terminated?.exitCode ?? null;
  if (terminated?.reason === 'OOMKilled') return { kind: 'ended', code, cause: 'memory', words: 'OOMKilled' };
  const words = toWords(disrupted && !reason ? disrupted : { reason, message });
  return { kind: 'ended', code, cause, words: words ?? (terminated && toEndWords(terminated)) };
}

/** What a Job says of its end whose pod is gone. */
function toJobEnd({ status }: KubeJob): LaunchStatus | null {
  if (findTrue(status?.conditions, 'Complete')) return { kind: 'ended', code: 0, cause: null, words: null };
  const failed = findTrue(status?.conditions, 'Failed');
  if (!failed) return null;
  const { reason, message } = failed;
  // "Container worker for pod a/b failed with exit code 75 matching FailJob rule at index 1"
  const code = /failed with exit code (\d+)/.exec(message ?? '')?.[1];
  const isDisrupted = /has condition DisruptionTarget/.test(message ?? '');
  return {
    kind: 'ended',
    code: code === undefined ? null : Number(code),
    cause: isDisrupted ? 'preempted' : (CAUSES[reason ?? ''] ?? null),
    words: code === undefined ? toWords(failed) : null,
  };
}

interface Wait {
  readonly reason: string;
  readonly mostMs?: number;
}

/** Whether its machine prepares it: only the cluster's warnings say more. */
export const isPrepared = (pod: KubePod): boolean =>
  ['ContainerCreating', 'PodInitializing'].includes(stateOf(pod)?.waiting?.reason ?? '');

function toPodWait(pod: KubePod, warning: string | null): Wait {
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') return { reason: toWords(scheduled) ?? 'it has no machine' };
  if (isPrepared(pod) && warning !== null) return { reason: warning, mostMs: WARNED_MS };
  const waiting = stateOf(pod)?.waiting;
  const mostMs = WAITS[waiting?.reason ?? ''];
  return {
    reason: (waiting && toWords(waiting)) ?? 'its machine prepares it',
    ...(mostMs !== undefined && { mostMs }),
  };
}

/** Of a Job without a pod. Room in a quota comes by itself; what a rule forbids does not. */
const toJobWait = (warning: string | null): Wait => ({
  reason: warning ?? 'it has no pod yet',
  ...(/^FailedCreate: .* is forbidden/.test(warning ?? '') && !isOverQuota(warning ?? '') && { mostMs: FORBIDDEN_MS }),
});

export const isOverQuota = (message: string): boolean => message.includes('exceeded quota');

export interface JobFacts {
  readonly job: KubeJob;
  readonly pods: readonly KubePod[];
  /** Of Kueue; null: none. */
  readonly queue: string | null;
  /** The last warning of the cluster about a Job that has no pod, or a pod that is prepared; null: none. */
  readonly warning: string | null;
}

export function toKubeStatus({ job, pods, queue, warning }: JobFacts): LaunchStatus {
  const { name: number } = job.metadata;
  const waiting = (wait: Wait): LaunchStatus => ({ kind: 'waiting', ...wait, job: number });
  const pod = toNewest(pods);
  const jobEnd = toJobEnd(job);
  const podEnd = pod && toPodEnd(pod);
  // A pod that was deleted may be followed by another one, when its queue lets the Job go on: then the Job has not ended.
  const isLast = jobEnd !== null || !pod?.metadata.deletionTimestamp || pod.status?.phase !== 'Failed';
  const isSuspended = job.spec.suspend === true;
  const ended = (isLast && !isSuspended ? podEnd : null) ?? jobEnd;
  if (ended !== null) return ended;
  if (pod !== null && stateOf(pod)?.running) return { kind: 'running', job: number };
  if (isSuspended) return waiting({ reason: queue === null ? 'Suspended' : `Suspended, in the queue ${queue}` });
  if (pod === null) return waiting(toJobWait(warning));
  if (podEnd !== null) return waiting({ reason: 'its pod was ended' });
  return pod.status?.phase === 'Running' ? { kind: 'running', job: number } : waiting(toPodWait(pod, warning));
}
