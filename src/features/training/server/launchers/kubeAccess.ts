// How a Kubernetes API is reached: as a pod of the cluster, with the account that it was given, or with a kubeconfig.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { toIssue } from '#core/contract/issues.ts';
import type { TextRequest } from './requestText.ts';

/** Access to one cluster, as it is now. */
export interface KubeAccess {
  readonly server: URL;
  readonly namespace: string;
  /** null: the certificate says who asks. */
  readonly token: string | null;
  readonly tls: NonNullable<TextRequest['tls']>;
}

export interface AccessSettings {
  /** Absolute; null: that of the pod in which the studio runs. */
  readonly kubeconfig: string | null;
  /** null: the current one of the kubeconfig. */
  readonly context: string | null;
  /** null: that of the context, or of the pod. */
  readonly namespace: string | null;
}

/** Where a pod finds its account. */
const ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

const text = z.optional(z.string().check(z.minLength(1)));
const userSchema = z.object({
  token: text,
  tokenFile: text,
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
});
const kubeconfigSchema = z.object({
  'current-context': z.optional(z.string()),
  contexts: z.array(
    z.object({ name: z.string(), context: z.object({ cluster: z.string(), user: z.string(), namespace: text }) }),
  ),
  clusters: z.array(
    z.object({
      name: z.string(),
      cluster: z.object({
        server: z.url({ protocol: /^https?$/, error: 'must be an address' }),
        'certificate-authority': text,
        'certificate-authority-data': text,
        'insecure-skip-tls-verify': z.optional(z.boolean()),
        'tls-server-name': text,
        'proxy-url': text,
      }),
    }),
  ),
  users: z.array(z.looseObject({ name: z.string(), user: z.optional(z.nullable(z.record(z.string(), z.unknown()))) })),
});

/** Ways to say who asks that are not taken: what to do instead is the same for all. */
const OTHER_WAYS = ['exec', 'auth-provider', 'username', 'password'];
const TOKEN_INSTEAD =
  'Give it the token of a service account (kubectl create token NAME --duration=8760h) as `tokenFile` instead.';

/** Throws an Error for people. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${file} can't be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
}

/** Of a pod. */
function readPodAccess({ namespace }: AccessSettings, environment: NodeJS.ProcessEnv, folder: string): KubeAccess {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = environment;
  if (!host || !existsSync(`${folder}/token`))
    throw new Error('the studio runs in no pod with a service account, so it needs a `kubeconfig`');
  return {
    server: new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`),
    namespace: namespace ?? readText(`${folder}/namespace`).trim(),
    token: readText(`${folder}/token`).trim(),
    tls: { ca: readText(`${folder}/ca.crt`) },
  };
}

function readKubeconfig(file: string, settings: AccessSettings): KubeAccess {
  const refuse = (problem: string): never => {
    throw new Error(`the kubeconfig ${file} can't be used: ${problem}`);
  };
  const written = readText(file);
  let value: unknown;
  try {
    value = parse(written);
  } catch {
    return refuse('it is no YAML');
  }
  const parsed = kubeconfigSchema.safeParse(value, { reportInput: true });
  if (!parsed.success) return refuse(toIssue(parsed.error.issues, 'it').message);
  const { contexts, clusters, users, 'current-context': current } = parsed.data;
  const wanted = settings.context ?? current ?? '';
  const context = contexts.find(({ name }) => name === wanted)?.context;
  if (!context) return refuse(`it has no context "${wanted}"`);
  const cluster = clusters.find(({ name }) => name === context.cluster)?.cluster;
  if (!cluster) return refuse(`it has no cluster "${context.cluster}"`);
  if (cluster['proxy-url'] !== undefined) return refuse('its cluster has a proxy-url, which is not supported');
  const given = users.find(({ name }) => name === context.user)?.user ?? {};
  const other = OTHER_WAYS.find((way) => given[way] !== undefined);
  if (other !== undefined)
    return refuse(`its user ${context.user} has \`${other}\`, which is not supported. ${TOKEN_INSTEAD}`);
  const known = userSchema.safeParse(given, { reportInput: true });
  if (!known.success) return refuse(toIssue(known.error.issues, `its user ${context.user}`).message);
  const user = known.data;
  const at = (path: string): string => resolve(dirname(file), path);
  const read = (path: string | undefined, data: string | undefined): Buffer | string | null => {
    if (data !== undefined) return Buffer.from(data, 'base64');
    return path === undefined ? null : readText(at(path));
  };
  const ca = read(cluster['certificate-authority'], cluster['certificate-authority-data']);
  const cert = read(user['client-certificate'], user['client-certificate-data']);
  const key = read(user['client-key'], user['client-key-data']);
  const token = user.tokenFile === undefined ? (user.token ?? null) : readText(at(user.tokenFile)).trim();
  if (token === null && (cert === null || key === null))
    return refuse(`its user ${context.user} has neither a token nor a client certificate with its key`);
  return {
    server: new URL(cluster.server),
    namespace: settings.namespace ?? context.namespace ?? 'default',
    token,
    tls: {
      ...(ca !== null && { ca }),
      ...(cert !== null && key !== null && { cert, key }),
      ...(cluster['insecure-skip-tls-verify'] === true && { rejectUnauthorized: false }),
      ...(cluster['tls-server-name'] !== undefined && { servername: cluster['tls-server-name'] }),
    },
  };
}

/** Read each time: tokens and certificates are renewed while the studio runs. Throws an Error for people. */
export const readKubeAccess = (
  settings: AccessSettings,
  environment: NodeJS.ProcessEnv = process.env,
  folder = ACCOUNT_FOLDER,
): KubeAccess =>
  settings.kubeconfig === null
    ? readPodAccess(settings, environment, folder)
    : readKubeconfig(settings.kubeconfig, settings);
