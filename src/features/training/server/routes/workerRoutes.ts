// Machines that train for the studio: they lease runs, and send lines and files of them.
import { WORKERS } from '#features/training/shared/workerEndpoints.ts';
import type { Files } from '#service/files/files.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { runOf, type Route, type RouteContext } from '#service/http/route.ts';
import { FileRefused } from '#features/training/server/outputFiles.ts';
import { LeaseElsewhere, type LeaseKey, type Workers } from '#features/training/server/workers.ts';
import { sendTaken } from './sendTaken.ts';

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

const toKey = (context: RouteContext, id: string): LeaseKey => ({ id, run: runOf(context) });

function sizeOf(context: RouteContext): number | null {
  const text = context.req.header('Content-Length') ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

export function toWorkerRoutes(workers: Workers): readonly Route[] {
  const sendFound = async (
    context: RouteContext,
    { leaseId, name }: { readonly leaseId: string; readonly name: string },
    found: Promise<string | 'missing' | null>,
    disk?: Files,
  ): Promise<Response> => {
    const path = await held(found, leaseId);
    if (path === 'missing') throw noFile(name);
    return sendTaken(context, { kind: 'file', name, path }, disk);
  };
  return [
    toRoute(WORKERS.leaseRun, async ({ body, context }) => {
      const run = runOf(context) ?? body.run;
      return (await workers.lease({ ...body, ...(run && { run }) })) ?? new Response(null, { status: 204 });
    }),
    toRoute(WORKERS.claimRun, async ({ body: { code, token } }) => {
      if (!(await workers.claim(code, token)))
        throw new HttpProblem(409, 'This code was used before, or its run has ended. Start the run again.', {
          param: 'code',
          code: 'claim_used',
        });
    }),
    toRoute(WORKERS.sendLines, async ({ params: { leaseId }, body: { from, lines }, context }) =>
      held(workers.tell(toKey(context, leaseId), from, lines), leaseId),
    ),
    toRoute(WORKERS.endLease, async ({ params: { leaseId }, body: { last, ...end }, context }) => {
      await held(workers.end(toKey(context, leaseId), end, last), leaseId);
    }),
    toRoute(WORKERS.getInput, async ({ params, context }) =>
      sendFound(context, params, workers.findInput(toKey(context, params.leaseId), params.name), workers.disk),
    ),
    toRoute(WORKERS.getOutput, async ({ params, context }) =>
      sendFound(context, params, workers.findOutput(toKey(context, params.leaseId), params.name)),
    ),
    toRoute(WORKERS.putOutput, async ({ params: { leaseId, name }, query: { kind }, context }) => {
      // A form of another site can't send this type.
      if (context.req.header('Content-Type') !== 'application/octet-stream')
        throw new HttpProblem(415, 'Send the file with "Content-Type: application/octet-stream".', {
          code: 'unsupported_media_type',
        });
      const { incoming } = context.env;
      const file = { name, kind, bytes: sizeOf(context), body: incoming } as const;
      await held(workers.receive(toKey(context, leaseId), file).catch(refuse), leaseId);
    }),
  ];
}
