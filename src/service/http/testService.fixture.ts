// For tests only: the real HTTP service on a free port, with a studio and an engine in memory.
import { randomBytes } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Note } from '#features/notes/shared/notes.ts';
import type { RowBucket } from '#core/contract/rowsFile.ts';
import type { ProjectNode } from '#core/contract/tree.ts';
import type { Runs } from '#features/runs/server/runs.ts';
import type { Studio } from '#features/projects/server/studio.ts';
import type { Change } from '#features/access/server/activityLog.ts';
import { makeToken, toTokenHash, type TokenStore } from '#features/access/server/tokens.ts';
import { toApp } from '#app/server/app.ts';
import type { AnswerRead } from './boundedReads.ts';
import { openAuthentication } from './authentication.ts';
import type { ChatTiming } from '#features/playground/server/chatRoute.ts';
import type { Readiness } from '#app/server/backend.ts';
import type { ConnectionLimits } from './connectionLimits.ts';
import type { EndedSessions } from './endedSessions.ts';
import { toBuiltFront } from './dashboardFiles.ts';
import { toLocalRoutes } from '#app/server/localRoutes.ts';
import { openStreams, type OpenStreams } from './openStreams.ts';
import type { Route } from './route.ts';
import { openRequestCounts, type RequestCounts } from '#app/server/metrics/requestCounts.ts';
import { openServer } from '#app/server/server.ts';
import type { StaticFile } from './staticFiles.ts';
import { openTestEngine, type TestEngine } from './testEngine.fixture.ts';

export const TOKEN = 'test-token-0123456789';
export const PROJECT_ID = '6f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91ab';
export const SNAPSHOT_ID = '6f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91ac';
export const JOB_ID = '6f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91ae';
export const DATASET_ID = '6f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91af';
export const UNKNOWN_ID = '6f0c2a1e-0d5b-4c37-9a51-1f2e3d4c91ad';

export const NOTE: Note = {
  node_id: JOB_ID,
  name: 'Sweep',
  tags: ['keep'],
  is_starred: true,
  is_archived: false,
  text: '**Good.**',
  revision: 1,
  updated_at: '2026-11-20T00:00:00.000Z',
};

interface TestStudio extends Studio {
  /** The tree that is answered; a test may put another in its place. */
  project: ProjectNode;
  /** Pages of rows that are answered; a test may put others in their place. */
  readRows(bucket: RowBucket): AsyncGenerator<readonly string[]>;
}

function openTestStudio(): TestStudio {
  return {
    project: { id: PROJECT_ID, type: 'project', name: 'Test', children: [] },
    listProjects: async () => [{ id: PROJECT_ID, name: 'Test', created_at: '2026-11-20T00:00:00.000Z' }],
    async findProject(id) {
      return id === PROJECT_ID ? this.project : null;
    },
    findRecommendation: async (id) =>
      id === SNAPSHOT_ID
        ? { snapshot_id: id, status: 'processing', recommended_models: [], recommended_experiments: [] }
        : null,
    async generateRecommendation(id) {
      return this.findRecommendation(id);
    },
    findJob: async (id) =>
      id === JOB_ID ? { id, name: 'First', snapshot_id: SNAPSHOT_ID, status: 'completed', experiments: [] } : null,
    async *readRows(bucket) {
      yield [`{"of":"${bucket}","text":"ü"}`];
    },
    async findRows(id, bucket) {
      return id === SNAPSHOT_ID ? { fileName: `test.${bucket}.jsonl`, pages: this.readRows(bucket) } : null;
    },
    findRowErrors: async (id) => (id === SNAPSHOT_ID ? { rows: null, wrong: 0, labels: null, shared: null } : null),
    chooseMainMeasure: async (id, measure) =>
      id === DATASET_ID ? (measure === null || measure === 'exact_match' ? 'chosen' : 'unknown') : null,
    listNotes: async () => [NOTE],
    saveNote: async (node_id, change, updated_by) =>
      change.revision === NOTE.revision
        ? { kind: 'saved', note: { ...change, node_id, revision: 2, updated_at: NOTE.updated_at, updated_by } }
        : { kind: 'changed', note: NOTE },
    listModelFiles: async () => [],
    findExamples: async (model) =>
      model === 'org/model'
        ? {
            model,
            about: 'A test.',
            system_prompt: 'Be brief.',
            tools: [],
            response_format: null,
            turns: 'single',
            continues_after_tool: null,
            prompts: ['Hello?'],
          }
        : null,
    checkDatabase: async () => undefined,
    close: async () => undefined,
  };
}

function toFile(type: string, text: string, isImmutable: boolean): StaticFile {
  const body = Buffer.from(text);
  return { type, body, encoded: { br: brotliCompressSync(body), gzip: gzipSync(body) }, etag: 'W/"file"', isImmutable };
}

const INDEX = '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><div id="root"></div>';
export const SCRIPT = `console.log(${JSON.stringify('app '.repeat(100))})`;

const FILES = new Map([
  ['/index.html', toFile('text/html; charset=utf-8', INDEX, false)],
  ['/favicon.svg', toFile('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>', false)],
  ['/assets/index-1a2b.js', toFile('text/javascript; charset=utf-8', SCRIPT, true)],
]);

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly text: string;
  /** The body as JSON; throws when it is none. */
  json(): unknown;
}

export interface Ask {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
  /** Breaks the connection off. */
  readonly signal?: AbortSignal;
}

/** One request with exactly these headers and this path: nothing is normalised, as fetch would. */
export function ask(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body, signal }: Ask = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { port, host: '127.0.0.1', path, method, headers: headers as Record<string, string>, agent: false, signal },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(parts);
          const text = bytes.toString('utf8');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: bytes,
            text,
            json: () => JSON.parse(text) as unknown,
          });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

export interface TestService {
  readonly port: number;
  readonly origin: string;
  readonly engine: TestEngine;
  readonly studio: TestStudio;
  readonly streams: OpenStreams;
  readonly log: string[];
  /** The changes that were recorded. */
  readonly changes: Change[];
  /** The requests that were counted. */
  readonly requests: RequestCounts;
  /** Moves the service's clock. */
  advance(ms: number): void;
  ask(path: string, options?: Ask): Promise<Answer>;
  /** The same with the bearer token. */
  askSigned(path: string, options?: Ask): Promise<Answer>;
  /** The JSON of a signed GET. */
  getJson(path: string): Promise<Record<string, unknown>>;
  /** A signed JSON POST. */
  post(path: string, value: unknown, headers?: Record<string, string>): Promise<Answer>;
  close(): Promise<void>;
}

/** A named token, and the store that knows it until it is revoked. */
export function makeNamedToken(name: string): {
  readonly token: string;
  readonly tokens: Pick<TokenStore, 'find'>;
  revoke(): void;
} {
  const token = makeToken((bytes) => randomBytes(bytes).toString('base64url'));
  let known: string | null = toTokenHash(token);
  return {
    token,
    tokens: { find: async (hash) => (hash === known ? { name, isReadOnly: false, createdAt: new Date(0) } : null) },
    revoke: () => (known = null),
  };
}

export interface TestOptions {
  readonly host?: string;
  readonly timing?: Partial<ChatTiming>;
  readonly publicUrl?: URL;
  readonly limits?: ConnectionLimits;
  readonly ended?: EndedSessions;
  /** Named tokens; missing: there are none. */
  readonly tokens?: Pick<TokenStore, 'find'>;
  readonly readiness?: () => Promise<Readiness>;
  readonly answerRead?: AnswerRead;
  /** Runs of other trainers, beside the studio's own. */
  readonly runs?: Runs;
  /** Other routes in the place of the local studio's, such as the gateway's. */
  readonly routes?: (streams: OpenStreams) => readonly Route[];
}

export async function openTestService(options: TestOptions = {}): Promise<TestService> {
  const random = (bytes: number): string => randomBytes(bytes).toString('base64url');
  const log: string[] = [];
  const report = (line: string): void => void log.push(line);
  const engine = openTestEngine();
  const studio = openTestStudio();
  const streams = openStreams();
  let time = 1_790_000_000_000;
  const now = (): number => time;
  const { publicUrl = null, limits } = options;
  const http = await openServer({
    host: options.host ?? '127.0.0.1',
    port: 0,
    publicUrl,
    random,
    ...(limits ? { limits } : {}),
  });
  const { port } = http;
  const signedOut = new Set<string>();
  const ended = options.ended ?? {
    has: (id: string) => signedOut.has(id),
    add: (id: string) => void signedOut.add(id),
  };
  const authentication = openAuthentication({ token: TOKEN, port, publicUrl, ended, now, random });
  const timing = { heartbeatMs: 40, behindMs: 400, graceMs: 60, totalMs: 60_000, ...options.timing };
  const routes =
    options.routes?.(streams) ??
    toLocalRoutes({
      studio,
      engine,
      streams,
      now,
      random,
      report,
      timing,
      findElsewhere: async (model) => (model === 'elsewhere' ? 'host-b (process 7)' : null),
      ...(options.runs ? { runs: options.runs } : {}),
    });
  const front = toBuiltFront(FILES);
  const session = async () => ({ mode: 'local', remote: null, learning_rate_is_absolute: true }) as const;
  const readiness = options.readiness ?? (async () => ({ database: 'ok', engine: 'ok' }) as const);
  const changes: Change[] = [];
  const requests = openRequestCounts();
  const record = (change: Change): void => void changes.push(change);
  const tokens: TokenStore = {
    find: async () => null,
    list: async () => [],
    add: async () => 'added',
    revoke: async () => false,
    ...options.tokens,
  };
  http.serve(
    toApp({
      routes,
      session,
      readiness,
      authentication,
      tokens,
      record,
      requests,
      ...(options.answerRead ? { answerRead: options.answerRead } : {}),
      front,
      version: '1.2.3',
      random,
      report,
    }),
    front,
  );
  const bearer = { Authorization: `Bearer ${TOKEN}` };
  const askSigned = (path: string, more: Ask = {}): Promise<Answer> =>
    ask(port, path, { ...more, headers: { ...bearer, ...more.headers } });
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    engine,
    studio,
    streams,
    log,
    changes,
    requests,
    advance: (ms) => void (time += ms),
    ask: (path, more) => ask(port, path, more),
    askSigned,
    getJson: async (path) => (await askSigned(path)).json() as Record<string, unknown>,
    post: (path, value, headers = {}) =>
      askSigned(path, {
        method: 'POST',
        body: JSON.stringify(value),
        headers: { 'Content-Type': 'application/json', ...headers },
      }),
    close: () => http.close(0),
  };
}
