// The operations of the OpenAPI document on projects as files.
import type { Json } from './openapiComponents.ts';
import { answer, failures, json, params, pathParam } from './openapiParts.ts';
import { exportQuerySchema } from '#features/project-files/shared/transfer.ts';
import { TRANSFER_ROUTES, TRANSFER_VERSION } from '#features/project-files/shared/transferFile.ts';

const LOCAL = 'Not in SPEC: only a local studio has rows, and a gateway answers 404.';

const FORM = {
  required: true,
  content: { 'multipart/form-data': json('ImportForm')['application/json'] },
};

export const toTransferPaths = (): Json => ({
  [TRANSFER_ROUTES.exportProject]: {
    get: {
      tags: ['Data'],
      operationId: 'exportProject',
      summary: 'Download a whole project as one file',
      description:
        'Rows with their originals and marks, snapshots, recommendations, jobs, experiments with their curves, notes. JSON ' +
        `lines, gzip'd, version ${TRANSFER_VERSION}. What goes on is in it as \`stopped\`. ${LOCAL}`,
      parameters: [pathParam('projectId', 'UUID of the project.'), ...params('query', exportQuerySchema)],
      responses: {
        '200': {
          description: 'The file. `Content-Disposition` has a name for it.',
          content: { 'application/gzip': { schema: { type: 'string', format: 'binary' } } },
        },
        ...failures(400, 401, 404, 429, 503),
      },
    },
  },
  [TRANSFER_ROUTES.importProject]: {
    post: {
      tags: ['Data'],
      operationId: 'importProject',
      summary: 'Make a project of such a file',
      description:
        'A form (`multipart/form-data`), its fields before the file. The answer comes when all is stored; nothing stays of an ' +
        'import that fails or whose caller leaves. 409 `project_exists` with `project` (its id and name): it is here already; ' +
        'send it with `ids=new` for a copy. Model files are taken only with `models=include`: take those of people that you ' +
        'trust, because an engine loads them. Nothing that is here is replaced, nothing begins to run, and no model gets the ' +
        `name of another: \`changes\` lists what is not as the file says. ${LOCAL}`,
      requestBody: FORM,
      responses: {
        '200': answer('The project, what became of its models, and what was changed.', 'ProjectImported'),
        ...failures(400, 401, 409, 413, 415, 429, 503),
      },
    },
  },
  [TRANSFER_ROUTES.previewImport]: {
    post: {
      tags: ['Data'],
      operationId: 'previewImport',
      summary: 'Look at such a file before it is imported',
      description:
        'The same form as for an import, and the answer or error that the import would give now. Nothing is stored, so tokens ' +
        'that may only read can do it. Send its `seed` with the import, and new ids and names are those that were told. Files ' +
        `of models are not tried: that is done when they are imported. ${LOCAL}`,
      requestBody: FORM,
      responses: {
        '200': answer('What the import would make and change.', 'ImportPreview'),
        ...failures(400, 401, 409, 413, 415, 429, 503),
      },
    },
  },
});
