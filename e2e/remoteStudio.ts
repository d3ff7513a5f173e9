// A small remote studio that really speaks the API of SPEC over HTTP, for tests and benchmarks of gateway mode.
// Failures are steered by sentinel inputs: model ids (remoteChat.ts) and ids of projects and snapshots (remoteTree.ts).
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseChatRequest } from '#core/contract/chatRequest.ts';
import { isUuid } from '#core/contract/uuid.ts';
import { answerChat, sendJson } from './remoteChat.ts';
import { findRemoteJob } from './remoteJobs.ts';
import { fineTunedModel, REMOTE_IDS, toLargeProject, toRecommendation, toSmallProject } from './remoteTree.ts';

export { REMOTE_IDS } from './remoteTree.ts';

export interface RemoteOptions {
  /** The bearer token it asks for. */
  readonly token: string;
  /** Size of the second project; 0 (default): there is none. */
  readonly nodes?: number;
  /** Rate of answers whose model does not name its own; default 2,000, 0 = full speed. */
  readonly tokensPerSecond?: number;
  readonly port?: number;
  /** False: answers 404 to what SPEC does not list (projects, models), as a bare remote does. */
  readonly hasLists?: boolean;
  /** Whether it tells of fine-tuning jobs, which SPEC does not list either; as `hasLists` when not given. */
  readonly hasJobs?: boolean;
  /** False: the small project's tree names no models, its job alone does. Default true. */
  readonly namesModels?: boolean;
  /** Sends ETags and honours If-None-Match. Default false: SPEC does not ask for it. */
  readonly hasEtags?: boolean;
  /** How many polls a recommendation stays `processing`; default 2. */
  readonly pollsUntilDone?: number;
}

interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface RemoteStudio {
  /** The base URL, without a path. */
  readonly url: string;
  readonly port: number;
  /** Every request so far, in order. */
  readonly requests: RecordedRequest[];
  /** Models of the chat requests whose caller left before the end. */
  readonly aborted: string[];
  /** Chat requests that are being answered now. */
  running(): number;
  /** Changes the status of a node of the small project: the next poll sees it. */
  setStatus(nodeId: string, status: string): void;
  /** Changes the large project in place: the next poll sees it. */
  editLarge(edit: (project: Record<string, unknown>) => void): void;
  /** Takes a node of the small project away, with all beneath it. */
  removeNode(nodeId: string): void;
  /** Answers no request for a job until the function that this returns is called. */
  holdJobs(): () => void;
  /** Ends no streamed answer, and lets none go on after its first event, until the function that this returns is called. */
  holdAnswers(): () => void;
  /** Takes back what was changed in the small project, and holds nothing back. */
  restore(): void;
  close(): Promise<void>;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Holds back whoever waits for `released` while it is held. */
function openGate() {
  let released: Promise<void> = Promise.resolve();
  let open = (): void => undefined;
  return {
    released: () => released,
    open: () => open(),
    hold(): () => void {
      released = new Promise((resolve) => {
        open = resolve;
      });
      return open;
    },
  };
}

/** Opens the studio on 127.0.0.1 and a free port (or `port`). */
export async function openRemoteStudio(options: RemoteOptions): Promise<RemoteStudio> {
  const requests: RecordedRequest[] = [];
  const aborted: string[] = [];
  const statuses = new Map<string, string>();
  const removed = new Set<string>();
  const polls = new Map<string, number>();
  const largeProject = options.nodes ? toLargeProject(options.nodes) : null;
  let large = largeProject && JSON.stringify({ project: largeProject });
  let running = 0;
  const jobs = openGate();
  const answers = openGate();

  const withModels = (key: string, value: unknown): unknown =>
    options.namesModels === false && /^(base_)?model_id$/.test(key) ? undefined : value;

  function sendTree(request: IncomingMessage, response: ServerResponse, body: string): void {
    const etag = `"${body.length}-${statuses.size}-${removed.size}-${[...statuses.values()].join('-')}"`;
    if (options.hasEtags && request.headers['if-none-match'] === etag) {
      response.writeHead(304, { etag });
      return void response.end();
    }
    response.writeHead(200, { 'content-type': 'application/json', ...(options.hasEtags ? { etag } : {}) });
    return void response.end(body);
  }

  function sendProject(request: IncomingMessage, response: ServerResponse, id: string): void {
    if (!isUuid(id)) return sendJson(response, 400, { error: 'projectId must be a UUID.' });
    if (id === REMOTE_IDS.project)
      return sendTree(request, response, JSON.stringify({ project: toSmallProject(statuses, removed) }, withModels));
    if (id === REMOTE_IDS.largeProject && large !== null) return sendTree(request, response, large);
    if (id === REMOTE_IDS.brokenProject) return sendJson(response, 500, { message: 'The tree could not be read.' });
    return sendJson(response, 404, { error: 'Project not found.' });
  }

  function sendRecommendation(response: ServerResponse, id: string): void {
    if (!isUuid(id)) return sendJson(response, 400, { error: 'snapshotId must be a UUID.' });
    const empty = { snapshot_id: id, recommended_models: null, recommended_experiments: null };
    if (id === REMOTE_IDS.failedSnapshot)
      return sendJson(response, 200, {
        ...empty,
        status: 'failed',
        error: 'The snapshot has too few training rows: 4 of at least 10.',
      });
    if (id === REMOTE_IDS.errorSnapshot)
      return sendJson(response, 500, { error: 'Recommendations are not available.' });
    if (id === REMOTE_IDS.endlessSnapshot) return sendJson(response, 200, { ...empty, status: 'processing' });
    if (id !== REMOTE_IDS.snapshot) return sendJson(response, 404, { error: 'Snapshot not found.' });
    const seen = (polls.get(id) ?? 0) + 1;
    polls.set(id, seen);
    const isDone = seen > (options.pollsUntilDone ?? 2);
    return sendJson(response, 200, isDone ? toRecommendation(id) : { ...empty, status: 'processing' });
  }

  async function sendChat(response: ServerResponse, body: unknown): Promise<void> {
    const parsed = parseChatRequest(body);
    if (!parsed.ok) return sendJson(response, 400, { error: parsed.problem.message });
    const { model, stream, messages, max_completion_tokens, seed, logprobs } = parsed.value;
    running += 1;
    response.on('close', () => {
      running -= 1;
      if (!response.writableEnded) aborted.push(model);
    });
    return answerChat(
      response,
      { model, stream: stream === true, messages, max_completion_tokens, seed, logprobs },
      { tokensPerSecond: options.tokensPerSecond ?? 2000, released: answers.released() },
    );
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = request.method === 'POST' ? await readBody(request) : undefined;
    const path = new URL(request.url ?? '/', 'http://remote').pathname;
    requests.push({ method: request.method ?? '', path, headers: request.headers, body });
    if (request.headers.authorization !== `Bearer ${options.token}`)
      return sendJson(response, 401, { error: 'Unauthorized' });
    if (request.method === 'POST' && path === '/api/v1/chat/completions') return sendChat(response, body);
    if (request.method !== 'GET') return sendJson(response, 405, { error: 'Method not allowed' });
    const hasLists = options.hasLists ?? true;
    if (hasLists && path === '/api/v1/public/projects') {
      const projects = [{ id: REMOTE_IDS.project, name: 'Remote desk', created_at: '2026-11-01T08:00:00.000Z' }];
      if (large !== null)
        projects.push({ id: REMOTE_IDS.largeProject, name: 'Large project', created_at: '2026-11-03T08:00:00.000Z' });
      return sendJson(response, 200, { projects });
    }
    if (hasLists && path === '/api/v1/models') {
      const ids = ['echo', 'qwen3-0.6b', fineTunedModel(REMOTE_IDS.succeeded), 'stream:400:100'];
      const data = ids.map((id) => ({
        id,
        created: 1_790_000_000,
        object: 'model',
        owned_by: 'remote',
        supported_parameters: id === 'echo' ? ['top_k', 'min_p', 'repetition_penalty', 'logprobs'] : undefined,
      }));
      return sendJson(response, 200, { object: 'list', data });
    }
    const found = /^\/api\/v1\/public\/(projects|recommendations|finetuning)\/([^/]+)$/.exec(path);
    if (found?.[1] === 'projects') return sendProject(request, response, found[2] ?? '');
    if (found?.[1] === 'recommendations') return sendRecommendation(response, found[2] ?? '');
    if (found?.[1] === 'finetuning' && (options.hasJobs ?? hasLists)) {
      await jobs.released();
      const job = findRemoteJob(found[2] ?? '', { statuses, nodes: options.nodes ?? 0 });
      return job ? sendJson(response, 200, job) : sendJson(response, 404, { error: 'Job not found.' });
    }
    return sendJson(response, 404, { error: 'Not found' });
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    aborted,
    running: () => running,
    setStatus: (nodeId, status) => void statuses.set(nodeId, status),
    editLarge(edit) {
      if (!largeProject) throw new Error('This remote studio has no large project.');
      edit(largeProject);
      large = JSON.stringify({ project: largeProject });
    },
    removeNode: (nodeId) => void removed.add(nodeId),
    holdJobs: jobs.hold,
    holdAnswers: answers.hold,
    restore() {
      statuses.clear();
      removed.clear();
      jobs.open();
      answers.open();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
