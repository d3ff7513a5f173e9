// Machines that train for the studio: they lease runs, and send lines and files of them.
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import {
  INPUTS,
  outputNameSchema,
  outputQuerySchema,
  sentEndSchema,
  sentLinesSchema,
  wantedLeaseSchema,
  WORKER_ROUTES,
} from '#features/training/shared/worker.ts';
import type { Files } from '#service/files/files.ts';
import { HttpProblem } from '#service/http/problem.ts';
import { sendJson, uuidParam, type Route, type RouteContext } from '#service/http/route.ts';
import { readBody, readParam, readQuery } from '#service/http/parsedBody.ts';
import { FileRefused } from '#features/training/server/outputFiles.ts';
import { LeaseElsewhere, type Workers } from '#features/training/server/workers.ts';
import { sendTaken } from './sendTaken.ts';

const SMALL_BYTES = 8 * 1024;

/** Throws HttpProblem 409 for a lease that has ended, 503 while it is not known which service looks after it. */
async function held<Value>(work: Promise<Value | null>, leaseId: string): Promise<Value> {
  const value = await work.catch((error: unknown) => {
    if (!(error instanceof LeaseElsewhere)) throw error;
    throw new HttpProblem(503, `${error.message} Ask again.`, {
      code: 'lease_elsewhere',
      headers: { 'Retry-After': '1' },
    });
  });
  if (value !== null) return value;
  throw new HttpProblem(
    409,
    `The lease ${leaseId} has ended: the run was ended by a person, or another machine may have it. End the trainer.`,
    { param: 'leaseId', code: 'lease_ended' },
  );
}

/** Of a file that is not taken, or whose sender has left. */
function refuse(error: unknown): never {
  if (error instanceof FileRefused) throw new HttpProblem(413, error.message, { code: error.code });
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code !== 'ECONNRESET' && code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  throw new HttpProblem(400, 'The connection closed before the whole file had arrived.', { code: 'body_incomplete' });
}

const noFile = (name: string): HttpProblem =>
  new HttpProblem(404, `The lease has no file ${name.slice(0, 120)}.`, { param: 'name', code: 'file_not_found' });

function sizeOf(context: RouteContext): number | null {
  const text = context.req.header('Content-Length') ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

export function toWorkerRoutes(workers: Workers): readonly Route[] {
  const leaseOf = (context: RouteContext): string => uuidParam(context, 'leaseId');
  const nameOf = (context: RouteContext): string => context.req.param('name') ?? '';
  const sendFound = async (
    context: RouteContext,
    found: Promise<string | 'missing' | null>,
    disk?: Files,
  ): Promise<Response> => {
    const path = await held(found, leaseOf(context));
    const name = nameOf(context);
    if (path === 'missing') throw noFile(name);
    return sendTaken(context, { kind: 'file', name, path }, disk);
  };
  return [
    {
      method: 'POST',
      path: WORKER_ROUTES.lease,
      isQuiet: true,
      async handle(context) {
        const lease = await workers.lease(await readBody(context, wantedLeaseSchema, SMALL_BYTES));
        return lease === null ? new Response(null, { status: 204 }) : sendJson(lease);
      },
    },
    {
      method: 'POST',
      path: WORKER_ROUTES.lines,
      isQuiet: true,
      async handle(context) {
        const id = leaseOf(context);
        const { from, lines } = await readBody(context, sentLinesSchema, REQUEST_LIMITS.bodyBytes);
        return sendJson(await held(workers.tell(id, from, lines), id));
      },
    },
    {
      method: 'POST',
      path: WORKER_ROUTES.end,
      isQuiet: true,
      async handle(context) {
        const id = leaseOf(context);
        const { last, ...end } = await readBody(context, sentEndSchema, REQUEST_LIMITS.bodyBytes);
        await held(workers.end(id, end, last), id);
        return new Response(null, { status: 204 });
      },
    },
    {
      method: 'GET',
      path: WORKER_ROUTES.input,
      async handle(context) {
        const name = INPUTS.find((each) => each === nameOf(context));
        if (name === undefined) throw noFile(nameOf(context));
        return sendFound(context, workers.findInput(leaseOf(context), name), workers.disk);
      },
    },
    {
      method: 'GET',
      path: WORKER_ROUTES.output,
      handle: async (context) => sendFound(context, workers.findOutput(leaseOf(context), nameOf(context))),
    },
    {
      method: 'PUT',
      path: WORKER_ROUTES.output,
      isQuiet: true,
      async handle(context) {
        const id = leaseOf(context);
        const name = readParam(context, 'name', outputNameSchema);
        const { kind } = readQuery(context, outputQuerySchema);
        // A form of another site can't send this type.
        if (context.req.header('Content-Type') !== 'application/octet-stream')
          throw new HttpProblem(415, 'Send the file with "Content-Type: application/octet-stream".', {
            code: 'unsupported_media_type',
          });
        const { incoming } = context.env;
        const file = { name, kind, bytes: sizeOf(context), body: incoming } as const;
        await held(workers.receive(id, file).catch(refuse), id);
        return new Response(null, { status: 204 });
      },
    },
  ];
}
