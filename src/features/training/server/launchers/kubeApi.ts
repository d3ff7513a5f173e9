// Requests to the API of a Kubernetes cluster, and what they find of a run's Job.
import * as z from 'zod/mini';
import { cutText } from '#core/contract/schemas.ts';
import { readKubeAccess, type AccessSettings } from './kubeAccess.ts';
import {
  eventsSchema,
  isOverQuota,
  jobSchema,
  OWN_LABEL,
  podsSchema,
  toLastWarning,
  type KubeJob,
  type KubePod,
} from './kubernetesText.ts';
import { LaunchDelayed, LaunchRefused, type LaunchedJob } from './launcher.ts';
import { isRefused, requestText, type TextAnswer, type TextRequest } from './requestText.ts';

const MAX_REASON = 250;

const UNKNOWN_FORM = 'Kubernetes answers in a form that is not known';

const statusSchema = z.object({ kind: z.literal('Status'), message: z.optional(z.string()) });

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** What the API says of a request that it refuses, and what to do. */
export function toProblem({ status, text }: TextAnswer): string {
  if (status < 300) return UNKNOWN_FORM;
  const said = statusSchema.safeParse(parse(text));
  const words = cutText((said.success && said.data.message) || text.trim() || 'without a word', MAX_REASON);
  const answers = `Kubernetes answers ${status}: ${words}`;
  if (status === 401) return `${answers}. Give the launcher an account that the cluster knows`;
  if (status === 403 && / cannot /.test(words))
    return `${answers}. Give its account this right: see e2e/deploy/kubernetes.yaml`;
  return answers;
}

/** Whether the name of what is made is taken. 409 is also the answer while a quota is being counted. */
export const isTaken = ({ status, text }: TextAnswer): boolean => status === 409 && text.includes('already exists');

/** Why a quota has no room for what is made: `quota gpus, requested: count/jobs.batch=1, ...`; null: it is something else. */
function toQuotaWords({ status, text }: TextAnswer): string | null {
  const said = status === 403 ? statusSchema.safeParse(parse(text)) : null;
  const message = said?.data?.message ?? '';
  return isOverQuota(message) ? cutText(message.replace(/^.*exceeded quota:/s, 'quota'), MAX_REASON) : null;
}

type Method = TextRequest['method'];
/** By the namespace. */
type Path = (namespace: string) => string;

export const toJobs =
  (rest = ''): Path =>
  (space) =>
    `/apis/batch/v1/namespaces/${space}/jobs${rest}`;
export const toCore =
  (rest: string): Path =>
  (space) =>
    `/api/v1/namespaces/${space}/${rest}`;

/** All throw an Error for people. */
export interface KubeApi {
  ask(method: Method, path: Path, body?: object): Promise<TextAnswer>;
  /** Throws LaunchRefused for what is refused for good, and LaunchDelayed for what a quota has no room for. */
  send(method: 'POST' | 'PUT', path: Path, body: object): Promise<TextAnswer>;
  read<Value>(schema: z.ZodMiniType<Value>, answer: TextAnswer): Value;
  /** null: there is none of ours. */
  findJob(job: Pick<LaunchedJob, 'id'>): Promise<KubeJob | null>;
  listPods(job: Pick<LaunchedJob, 'id'>): Promise<readonly KubePod[]>;
  /** Why a Job has no pod or a pod does not begin, by its name: a quota, a rule for pods, a volume; null: not known. */
  findWarning(name: string): Promise<string | null>;
}

export function openKubeApi(settings: AccessSettings & { readonly answerMs?: number }): KubeApi {
  const limits = settings.answerMs === undefined ? {} : { answerMs: settings.answerMs };

  const api: KubeApi = {
    async ask(method, path, body) {
      const { server, namespace, token, tls } = readKubeAccess(settings);
      const url = new URL(`${server.href.replace(/\/+$/, '')}${path(namespace)}`);
      const headers = { Accept: 'application/json', ...(token !== null && { Authorization: `Bearer ${token}` }) };
      return requestText(url, { method, headers, tls, ...limits, ...(body && { body }) });
    },
    async send(method, path, body) {
      const answer = await api.ask(method, path, body);
      const quota = toQuotaWords(answer);
      if (quota !== null) throw new LaunchDelayed(quota);
      if (isRefused(answer.status)) throw new LaunchRefused(toProblem(answer));
      return answer;
    },
    read(schema, answer) {
      if (answer.status < 200 || answer.status > 299) throw new Error(toProblem(answer));
      const parsed = schema.safeParse(parse(answer.text));
      if (!parsed.success) throw new Error(UNKNOWN_FORM);
      return parsed.data;
    },
    async findJob({ id }) {
      const answer = await api.ask('GET', toJobs(`/${id}`));
      if (answer.status === 404) return null;
      const job = api.read(jobSchema, answer);
      return job.metadata.labels?.[OWN_LABEL] === id ? job : null;
    },
    async listPods({ id }) {
      const selector = encodeURIComponent(`${OWN_LABEL}=${id}`);
      return api.read(podsSchema, await api.ask('GET', toCore(`pods?labelSelector=${selector}`))).items;
    },
    async findWarning(name) {
      const fields = encodeURIComponent(`involvedObject.name=${name}`);
      const answer = await api.ask('GET', toCore(`events?fieldSelector=${fields}`));
      // A right that an account may lack.
      if (answer.status === 403) return null;
      return toLastWarning(api.read(eventsSchema, answer).items);
    },
  };
  return api;
}
