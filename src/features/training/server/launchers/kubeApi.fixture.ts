// For tests: the API of a Kubernetes cluster, as its documentation and its source of 1.34 have it. What it is sent, Kubernetes
// itself validates in e2e/real/kubernetes.ts.
// - a name that is taken is 409 AlreadyExists, one that is not there 404 NotFound, each as a Status with a message;
// - a full quota is 403 too, and 409 while it is counted;
// - an unknown token is 401, a missing right 403 with the right in its message, a wrong object 422;
// - a Job has a pod as soon as it is not suspended; pods are found by a label;
// - what was deleted in the foreground stays with a deletionTimestamp until its pods have ended, and takes what it owns with it;
// - a log is 400 while its container waits, and begins where the node has cut it; `limitBytes` is counted from there;
// - the node, the scheduler and the controllers do what a test says.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Condition {
  readonly type: string;
  readonly status: 'True';
  readonly reason?: string;
  readonly message?: string;
}

interface KubeObject {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly { readonly uid: string }[];
    deletionTimestamp?: string;
  };
  readonly spec: { suspend?: boolean; template?: { metadata: { labels: Record<string, string> } } };
  status: Record<string, unknown>;
}

export const TOKEN = 'account-token';

export class FakeKube {
  readonly jobs = new Map<string, KubeObject>();
  readonly secrets = new Map<string, KubeObject & { readonly stringData: { readonly token: string } }>();
  readonly pods = new Map<string, KubeObject>();
  readonly logs = new Map<string, string>();
  readonly calls: string[] = [];
  /** What it does wrong. */
  mode: 'none' | 'away' | 'garbage' | 'hang' | 'late' = 'none';
  /** What the account may do, such as `create jobs` or `get pods/log`. */
  rights: readonly string[] = [];
  /** One of them that it may not, all the same. */
  forbidden = '';
  /** In the order in which they are listed. `of`: the name of what they are about; missing: whatever is asked for. */
  events: readonly {
    readonly of?: string;
    /** Missing: Warning. */
    readonly type?: 'Normal';
    readonly reason: string;
    readonly message: string;
    readonly lastTimestamp?: string;
  }[] = [];
  /** What makes a quota full, such as `jobs`. */
  full = '';
  /** What a quota is being counted for. */
  counted = '';
  #server: Server | null = null;
  #made = 0;

  async open(): Promise<URL> {
    const server = createServer((request, response) => {
      let sent = '';
      request.on('data', (part: Buffer) => (sent += part.toString()));
      request.on('end', () => this.#answer(request, response, sent));
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  close(): void {
    this.#server?.closeAllConnections();
    this.#server?.close();
  }

  reset(): void {
    for (const all of [this.jobs, this.secrets, this.pods, this.logs]) all.clear();
    this.calls.length = 0;
    this.events = [];
    [this.mode, this.forbidden, this.full, this.counted] = ['none', '', '', ''];
  }

  /** What the cluster makes of the pod of a job. */
  setPod(job: string, status: Record<string, unknown>, state?: object): void {
    const pod = this.#podsOf(job).at(-1);
    if (!pod) throw new Error(`${job} has no pod`);
    pod.status = { ...status, ...(state && { containerStatuses: [{ name: 'worker', state }] }) };
  }

  setJob(job: string, ...conditions: readonly Condition[]): void {
    const found = this.jobs.get(job);
    if (!found) throw new Error(`there is no job ${job}`);
    found.status = { conditions };
  }

  removePods(job: string): void {
    for (const { metadata } of this.#podsOf(job)) this.pods.delete(metadata.name);
    for (const [name, { metadata }] of this.jobs) if (metadata.deletionTimestamp) this.#removeJob(name);
  }

  addPod(job: string): void {
    const { metadata, spec } = this.jobs.get(job)!;
    const name = `${metadata.name}-${(this.#made += 1)}`;
    const creationTimestamp = new Date(this.#made * 1000).toISOString();
    const made = { name, uid: `uid-${name}`, labels: spec.template!.metadata.labels, creationTimestamp };
    this.pods.set(name, { metadata: made, spec: {}, status: { phase: 'Pending' } });
  }

  #removeJob(name: string): void {
    const { uid } = this.jobs.get(name)!.metadata;
    this.jobs.delete(name);
    for (const [secret, { metadata }] of this.secrets)
      if (metadata.ownerReferences?.some((owner) => owner.uid === uid)) this.secrets.delete(secret);
  }

  #podsOf(job: string): KubeObject[] {
    return [...this.pods.values()].filter(({ metadata }) => metadata.labels?.['model-studio/job'] === job);
  }

  #answer(request: IncomingMessage, response: ServerResponse, sent: string): void {
    const { method = '', url = '' } = request;
    const { pathname, searchParams } = new URL(url, 'http://kube');
    this.calls.push(`${method} ${pathname}`);
    const answer = (status: number, value: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(typeof value === 'string' ? value : JSON.stringify(value));
    };
    const refuse = (status: number, message: string): void =>
      answer(status, { kind: 'Status', status: 'Failure', message });
    if (this.mode === 'hang') return;
    if (this.mode === 'away') return void request.socket.destroy();
    if (this.mode === 'garbage') return answer(200, '<html>Welcome to the router</html>');
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return refuse(401, 'Unauthorized');
    const [, kind = '', name, part] = /\/namespaces\/runs\/(\w+)(?:\/([\w-]+))?(?:\/(\w+))?$/.exec(pathname) ?? [];
    if (kind === '') return refuse(404, `namespaces "${pathname.split('/')[4]}" not found`);
    const verb = { POST: 'create', PUT: 'update', DELETE: 'delete' }[method] ?? (name === undefined ? 'list' : 'get');
    const right = `${verb} ${[kind, part].filter(Boolean).join('/')}`;
    if (this.forbidden === right || !this.rights.includes(right))
      return refuse(
        403,
        `${kind} is forbidden: User "system:serviceaccount:runs:studio" cannot ${verb} resource "${kind}"`,
      );
    if (kind === 'events') {
      const about = /involvedObject\.name=([\w-]+)/.exec(searchParams.get('fieldSelector') ?? '')?.[1];
      const items = this.events.map((event) => ({ of: about, type: 'Warning', ...event }));
      return answer(200, { items: items.filter(({ of }) => of === about) });
    }
    if (kind === 'pods' && part === 'log') return this.#answerLog(name ?? '', searchParams, answer, refuse);
    if (kind === 'pods') {
      const job = /^model-studio\/job=(.+)$/.exec(searchParams.get('labelSelector') ?? '')?.[1] ?? '';
      return answer(200, { items: this.#podsOf(job) });
    }
    const all: Map<string, KubeObject> = kind === 'jobs' ? this.jobs : (this.secrets as Map<string, KubeObject>);
    const body = sent === '' ? null : (JSON.parse(sent) as KubeObject & { propagationPolicy?: string });
    if (method === 'POST') {
      const wanted = body!.metadata.name;
      if (kind === this.full)
        return refuse(
          403,
          `${kind} "${wanted}" is forbidden: exceeded quota: small, requested: count/${kind}=1, used: 2`,
        );
      if (kind === this.counted)
        return refuse(409, 'Operation cannot be fulfilled on resourcequotas "small": the object has been modified');
      if (all.has(wanted)) return refuse(409, `${kind} "${wanted}" already exists`);
      if (JSON.stringify(body).includes('"image":"wrong"'))
        return refuse(422, `Job.batch "${wanted}" is invalid: image`);
      all.set(wanted, { ...body!, metadata: { ...body!.metadata, uid: `uid-${wanted}` }, status: {} });
      if (kind === 'jobs' && body!.spec.suspend !== true) this.addPod(wanted);
      // It has taken it, and its answer is lost.
      if (this.mode === 'late') return void request.socket.destroy();
      return answer(201, all.get(wanted));
    }
    const found = all.get(name ?? '');
    if (!found) return refuse(404, `${kind} "${name}" not found`);
    if (method === 'PUT') all.set(name!, { ...body!, status: {} });
    if (method !== 'DELETE') return answer(200, all.get(name!));
    if (kind === 'secrets') all.delete(name!);
    else {
      found.metadata.deletionTimestamp = '2026-11-29T00:00:00Z';
      const isOver = this.#podsOf(name!).every(({ status }) => status['phase'] !== 'Running');
      if (body?.propagationPolicy !== 'Foreground' || isOver) this.#removeJob(name!);
    }
    answer(200, { kind: 'Status', status: 'Success' });
  }

  #answerLog(
    pod: string,
    asked: URLSearchParams,
    answer: (status: number, value: unknown) => void,
    refuse: (status: number, message: string) => void,
  ): void {
    const log = this.logs.get(pod);
    if (log === undefined) return refuse(400, `container "worker" in pod "${pod}" is waiting to start`);
    answer(
      200,
      Buffer.from(log)
        .subarray(0, Number(asked.get('limitBytes')))
        .toString('utf8') || '',
    );
  }
}
