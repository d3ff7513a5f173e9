// The endpoints of projects as files. ASSUMED: not in SPEC. Only a local studio has rows and runs of its own.
import { defineEndpoints } from '#core/contract/endpoint.ts';
import { exportQuerySchema, importFormSchema, importPreviewSchema, projectImportedSchema } from './transfer.ts';
import { TRANSFER_VERSION } from './transferFile.ts';

const LOCAL = 'Not in SPEC: only a local studio has rows, and a gateway answers 404.';

export const TRANSFER = defineEndpoints(
  { tag: 'Data', source: LOCAL },
  {
    exportProject: {
      method: 'GET',
      path: '/api/v1/studio/projects/{projectId}/export',
      title: 'Download a whole project as one file',
      about:
        'Rows with their originals and marks, snapshots, recommendations, jobs, experiments with their curves, notes. JSON ' +
        `lines, gzip'd, version ${TRANSFER_VERSION}. What goes on is in it as \`stopped\`.`,
      query: exportQuerySchema,
      file: 'application/gzip',
      says: 'The file. `Content-Disposition` has a name for it.',
      load: 'file',
    },
    importProject: {
      method: 'POST',
      path: '/api/v1/studio/projects/import',
      title: 'Make a project of such a file',
      about:
        'A form (`multipart/form-data`), its fields before the file. The answer comes when all is stored; nothing stays of an ' +
        'import that fails or whose caller leaves. 409 `project_exists` with `project` (its id and name): it is here already; ' +
        'send it with `ids=new` for a copy. Model files are taken only with `models=include`: take those of people that you ' +
        'trust, because an engine loads them. Nothing that is here is replaced, nothing begins to run, and no model gets the ' +
        `name of another: \`changes\` lists what is not as the file says.`,
      form: { ImportForm: importFormSchema },
      answer: { ProjectImported: projectImportedSchema },
      says: 'The project, what became of its models, and what was changed.',
      failures: [409, 429],
    },
    previewImport: {
      method: 'POST',
      path: '/api/v1/studio/projects/import/preview',
      title: 'Look at such a file before it is imported',
      about:
        'The same form as for an import, and the answer or error that the import would give now. Nothing is stored, so tokens ' +
        'that may only read can do it. Send its `seed` with the import, and new ids and names are those that were told. Files ' +
        'of models are not tried: that is done when they are imported.',
      form: { ImportForm: importFormSchema },
      answer: { ImportPreview: importPreviewSchema },
      says: 'What the import would make and change.',
      failures: [409, 429],
      changesNothing: true,
    },
  },
);

declare module '#core/contract/endpoint.ts' {
  interface EndpointGroups {
    readonly transfer: typeof TRANSFER;
  }
}
