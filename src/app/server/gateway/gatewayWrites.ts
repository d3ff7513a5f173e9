// What changes a remote studio, and what the hosted studio's API has beside SPEC: passed on to the same paths, within bounds.
import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { paramNames, type Endpoint } from '#core/contract/endpoint.ts';
import { DATA } from '#features/datasets/shared/contract/dataEndpoints.ts';
import { TRACES } from '#features/traces/shared/traceEndpoints.ts';
import { TRAINING } from '#features/training/shared/trainingEndpoints.ts';
import { checkContentType, parseBody, readBytes } from '#service/http/body.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import type { MemoryBudget } from '#service/http/memoryBudget.ts';
import { uuidParam, type Route, type RouteContext } from '#service/http/route.ts';
import type { UpstreamRequest } from './upstream.ts';

/** Sends a request upstream and answers with what comes back. */
export type PassRequest = (
  context: RouteContext,
  request: Pick<UpstreamRequest, 'method' | 'path' | 'headers' | 'body'>,
) => Promise<Response>;

export const PASSED: readonly Endpoint[] = [
  DATA.createProject,
  DATA.createDatasetFromJsonl,
  DATA.createSyntheticDataset,
  DATA.getDataset,
  DATA.addDatapoint,
  DATA.createSnapshot,
  DATA.createSnapshotFromFiles,
  TRAINING.generateRecommendation,
  TRAINING.createJob,
  TRAINING.isModelRunning,
  TRAINING.loadModel,
  TRAINING.unloadModel,
  TRACES.listTraces,
  TRACES.createTraces,
  TRACES.getTrace,
  TRACES.updateTrace,
  TRACES.addTraceToDataset,
];

/** The path with ids that are UUIDs, and of the query the names that the endpoint has. */
function toPassedPath({ path, query }: Endpoint, context: RouteContext): string {
  const filled = paramNames(path).reduce(
    (text, name) => text.replace(`{${name}}`, uuidParam(context, name)),
    path as string,
  );
  const names = new Set(Object.keys(query?.shape ?? {}));
  const given = Object.entries(context.req.query()).filter(([name]) => names.has(name));
  const text = new URLSearchParams(given).toString();
  return text === '' ? filled : `${filled}?${text}`;
}

/** Those that the endpoint has, such as the key of a request that may be sent twice. */
function toPassedHeaders({ headers }: Endpoint, context: RouteContext): Record<string, string> {
  const given = Object.keys(headers?.shape ?? {}).map((name) => [name, context.req.header(name)] as const);
  return Object.fromEntries(
    given.flatMap(([name, value]) => (value === undefined ? [] : [[name.toLowerCase(), value]])),
  );
}

/** The form as it arrives, at most as large as an upload here. */
function toBounded(incoming: IncomingMessage): Readable {
  let bytes = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= DATA_LIMITS.uploadBytes) done(null, chunk);
      else
        done(
          new HttpProblem(413, 'The form is larger than an upload may be. Split its file.', { code: 'file_too_large' }),
        );
    },
  });
  incoming.on('aborted', () => bounded.destroy(new Error('The sender left.')));
  return incoming.pipe(bounded);
}

const accept = { accept: 'application/json' };

async function passForm(pass: PassRequest, context: RouteContext, path: string): Promise<Response> {
  const { incoming } = context.env;
  const { 'content-type': type = '', 'content-length': length } = incoming.headers;
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw new HttpProblem(415, 'The upload is not declared as a form. Send multipart/form-data.', {
      code: 'unsupported_media_type',
    });
  if (Number(length ?? 0) > DATA_LIMITS.uploadBytes)
    throw new HttpProblem(413, 'The form is larger than an upload may be. Split its file.', { code: 'file_too_large' });
  const headers = { ...accept, 'content-type': type, ...(length !== undefined && { 'content-length': length }) };
  return pass(context, { method: 'POST', path, headers, body: toBounded(incoming) });
}

/** JSON is checked to be JSON within the bounds of a body here, and sent as it was written. */
async function passJson(
  pass: PassRequest,
  bodies: MemoryBudget,
  context: RouteContext,
  { method, path, headers }: Pick<UpstreamRequest, 'method' | 'path' | 'headers'>,
  limit: number,
): Promise<Response> {
  const { incoming } = context.env;
  checkContentType(incoming.headers['content-type']);
  const bytes = await readBytes(incoming, limit, { budget: bodies });
  try {
    parseBody(bytes);
    const sent = { ...headers, ...accept, 'content-type': 'application/json' };
    return await pass(context, { method, path, headers: sent, body: bytes.toString() });
  } finally {
    bodies.release(bytes.length);
  }
}

export function toWriteRoutes(pass: PassRequest, bodies: MemoryBudget): readonly Route[] {
  return PASSED.map((endpoint): Route => {
    const { method, path, body, bodyBytes = 0, form } = endpoint;
    return {
      method,
      path,
      handle(context) {
        const to = toPassedPath(endpoint, context);
        if (form) return passForm(pass, context, to);
        if (body && (method === 'POST' || method === 'PUT')) {
          const request = { method, path: to, headers: toPassedHeaders(endpoint, context) };
          return passJson(pass, bodies, context, request, bodyBytes);
        }
        return pass(context, { method: method === 'POST' ? 'POST' : 'GET', path: to, headers: accept });
      },
    };
  });
}
