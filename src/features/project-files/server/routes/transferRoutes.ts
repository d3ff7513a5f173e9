// Projects as files over HTTP: an export is sent while it is read, an import is stored while it arrives.
import { toErrorEnvelope } from '#core/contract/errors.ts';
import { importFieldsSchema } from '#features/project-files/shared/transfer.ts';
import { TRANSFER } from '#features/project-files/shared/transferEndpoints.ts';
import { takeRest, readUpload } from '#features/datasets/server/routes/upload.ts';
import { toParsed, toRoute } from '#service/http/endpointRoute.ts';
import { sendDownload } from '#service/http/sendDownload.ts';
import { sendJson, whoOf, type Route, type RouteContext } from '#service/http/route.ts';
import type { ImportChoice } from '#features/project-files/server/importContext.ts';
import type { ProjectImport, Transfer } from '#features/project-files/server/transfer.ts';
import { TransferProblem } from '#features/project-files/server/transferProblem.ts';

/** A project that is here already is told beside the error. */
function toAnswer(error: unknown): Response {
  if (!(error instanceof TransferProblem) || error.project === null) throw error;
  const { status, message, code, param, project } = error;
  return sendJson({ ...toErrorEnvelope(status, message, { param, code }), project }, status, {
    'Cache-Control': 'no-store',
  });
}

function toChoice(fields: ReadonlyMap<string, string>, who: string | null): ImportChoice {
  const given = Object.fromEntries([...fields].filter(([, value]) => value !== ''));
  const { ids = 'keep', models = 'leave', seed = null } = toParsed(importFieldsSchema, given);
  return { ids, hasModels: models === 'include', isOwner: who === null, seed };
}

/** Sends the file of a form to `start`, and answers with what came of it. */
async function take<Result>(
  context: RouteContext,
  start: (choice: ImportChoice) => ProjectImport<Result>,
): Promise<Result> {
  const { incoming, outgoing } = context.env;
  let started: ProjectImport<Result> | null = null;
  try {
    const fields = await readUpload(incoming, {
      async onFile(early) {
        const current = start(toChoice(early, whoOf(context)));
        started = current;
        // Whoever leaves hears of no end, however long the file is still read and stored: others have its place.
        outgoing.once('close', () => void current.cancel().catch(() => undefined));
      },
      onChunk: async (chunk) => started?.write(chunk),
    });
    toChoice(fields, whoOf(context));
    const current = started as ProjectImport<Result> | null;
    // The upload has a file, so it was started.
    if (current === null) throw new Error('The form had no file.');
    return await current.finish();
  } catch (error) {
    await (started as ProjectImport<Result> | null)?.cancel().catch(() => undefined);
    await takeRest(context.env);
    throw error;
  }
}

/** The part of the route table for projects as files. */
export function toTransferRoutes(transfer: Transfer): readonly Route[] {
  return [
    toRoute(TRANSFER.exportProject, async ({ params, query, context }) => {
      const file = await transfer.exportProject(params.projectId, { hasModels: query.models === 'include' });
      return sendDownload(context, { name: file.fileName, type: 'application/gzip', open: file.open });
    }),
    toRoute(TRANSFER.importProject, async ({ context }) => {
      try {
        const imported = await take(context, transfer.startImport);
        context.set('node', imported.project_id);
        return imported;
      } catch (error) {
        return toAnswer(error);
      }
    }),
    toRoute(TRANSFER.previewImport, async ({ context }) => take(context, transfer.startPreview).catch(toAnswer)),
  ];
}
