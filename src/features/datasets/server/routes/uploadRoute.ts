// POST .../datasets/create-from-jsonl and .../snapshots/create-from-files: files become a dataset while they arrive.
import { parseJson } from '#core/contract/readJson.ts';
import { DATA } from '#features/datasets/shared/contract/dataEndpoints.ts';
import {
  newDatasetSchema,
  newFilesSnapshotSchema,
  SNAPSHOT_FILES,
  type Dataset,
  type NewDataset,
} from '#features/datasets/shared/contract/datasets.ts';
import { toErrorEnvelope } from '#core/contract/errors.ts';
import { parseMapping } from '#features/datasets/shared/contract/rowMapping.ts';
import type { Data } from '#features/datasets/server/openData.ts';
import { ImportCancelled, ImportLost, ImportRefused } from '#features/datasets/server/importing/importFailures.ts';
import type { Import, ImportSettings } from '#features/datasets/server/importing/openImport.ts';
import { toParsed, toRoute } from '#service/http/endpointRoute.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { sendJson, type Route } from '#service/http/route.ts';
import { takeRest, readUpload } from './upload.ts';

/** Throws HttpProblem 400. */
function toSettings({ form, mapping, bad_lines }: Pick<NewDataset, 'form' | 'mapping' | 'bad_lines'>): ImportSettings {
  if (mapping === undefined || mapping === '') return { form: form ?? null, bad_lines };
  const fail = (reason: string): never => {
    throw new HttpProblem(400, reason, { param: 'mapping', code: 'invalid_mapping' });
  };
  const given = parseJson(mapping);
  if (given === undefined) fail('mapping must be JSON, such as {"question": "prompt", "answer": "reply"}.');
  const read = parseMapping(given);
  return read.ok ? { form: read.value, bad_lines } : fail(read.reason);
}

const OPTIONAL = ['form', 'mapping', 'bad_lines', 'dataset_id'] as const;

/** Empty fields of a form are absent ones. */
const toObject = (fields: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries([...fields].filter(([name, value]) => value !== '' || !OPTIONAL.some((each) => each === name)));

function toStart(fields: ReadonlyMap<string, string>): { fields: Partial<NewDataset>; isWhole: boolean } {
  const given = toObject(fields);
  const isWhole = fields.has('name') && fields.has('project_id');
  // Before the rest has come: valid texts in the places of those that are missing.
  const filled = { name: 'later', project_id: '00000000-0000-4000-8000-000000000000', ...given };
  return { fields: toParsed(newDatasetSchema, filled), isWhole };
}

/** The envelope of an error, with the bad lines beside it. */
const sendBadLines = (problem: ImportRefused, bad_lines: Dataset['bad_lines'], param: string): Response =>
  sendJson({ ...toErrorEnvelope(400, problem.message, { param, code: problem.code }), bad_lines }, 400);

/** `part`: that of the file. */
function toAnswer(error: unknown, part: string): Response {
  if (error instanceof ImportRefused) {
    if (error.badLines) return sendBadLines(error, error.badLines, part);
    if (error.code === 'project_not_found')
      throw new HttpProblem(404, error.message, { param: 'project_id', code: error.code });
    const status = error.code === 'disk_full' ? 507 : 400;
    throw new HttpProblem(status, error.message, { param: part, code: error.code });
  }
  if (error instanceof ImportCancelled) throw new HttpProblem(409, error.message, { code: 'import_cancelled' });
  if (error instanceof ImportLost) throw new HttpProblem(503, error.message, { code: 'import_lost' });
  throw error;
}

export function toUploadRoute(data: Data): Route {
  return toRoute(DATA.createDatasetFromJsonl, async ({ context }) => {
    const { incoming } = context.env;
    let started: Import | null = null;
    const length = Number(incoming.headers['content-length']);
    try {
      const fields = await readUpload(incoming, {
        async onFile(early, fileName) {
          const { fields: known, isWhole } = toStart(early);
          const { name = '', project_id = '', dataset_id = null } = known;
          started = await data.startImport({
            datasetId: dataset_id,
            place: isWhole ? { name, project_id } : null,
            settings: toSettings(known),
            fileName,
            total: Number.isFinite(length) ? length : null,
            who: context.get('who') ?? null,
          });
        },
        onChunk: async (chunk) => started?.write(chunk),
      });
      const whole = toParsed(newDatasetSchema, toObject(fields));
      // What came after the file can change what is kept, not how its lines are read.
      const current = started as Import | null;
      await current?.finish({ name: whole.name, project_id: whole.project_id }, toSettings(whole));
      started = null;
      if (current) context.set('node', current.datasetId);
      return sendJson({ dataset_id: current?.datasetId });
    } catch (error) {
      await (started as Import | null)?.cancel().catch(() => undefined);
      // Whoever cancelled it does not want the rest of it.
      if (error instanceof ImportCancelled) context.env.outgoing.shouldKeepAlive = false;
      else await takeRest(context.env);
      return toAnswer(error, 'file');
    }
  });
}

/** The whole percent of a split that leaves each row on the side of its file. */
const AS_FILES = 100;

export function toSnapshotFilesRoute(data: Data): Route {
  return toRoute(DATA.createSnapshotFromFiles, async ({ context }) => {
    let started: Import | null = null;
    let part: keyof typeof SNAPSHOT_FILES = 'training_file';
    try {
      const fields = await readUpload(
        context.env.incoming,
        {
          async onFile(_early, fileName, name) {
            const next = name as keyof typeof SNAPSHOT_FILES;
            const bucket = SNAPSHOT_FILES[next];
            // What is wrong with the file before is found at its end.
            await started?.nextFile(fileName, bucket);
            part = next;
            started ??= await data.startImport({
              datasetId: null,
              place: null,
              settings: { form: null, bucket },
              fileName,
              total: null,
              who: context.get('who') ?? null,
            });
          },
          onChunk: async (chunk) => started?.write(chunk),
        },
        Object.keys(SNAPSHOT_FILES),
      );
      const { project_id, label } = toParsed(newFilesSnapshotSchema, Object.fromEntries(fields));
      const current = started as Import | null;
      if (!current) throw new Error('A form without a file was taken.');
      await current.finish({ name: label, project_id }, { form: null });
      started = null;
      const { datasetId: dataset_id } = current;
      const snapshot_id = await data
        .createSnapshot({ dataset_id, name: label, split_percentage: AS_FILES })
        .catch(async (error: unknown) => {
          await data.deleteNode(dataset_id);
          throw error;
        });
      context.set('node', snapshot_id);
      return { snapshot_id };
    } catch (error) {
      await (started as Import | null)?.cancel().catch(() => undefined);
      await takeRest(context.env);
      return toAnswer(error, part);
    }
  });
}
