// The endpoints of projects, datasets, snapshots and rows that are made and looked at here.
// ASSUMED: not in SPEC. Six paths are those of the hosted studio's SDKs; the others have what only a local studio has.
import { defineEndpoints } from '#core/contract/endpoint.ts';
import { DATA_LIMITS, SPLIT_PERCENTAGE } from '#core/contract/dataLimits.ts';
import {
  compareQuerySchema,
  datapointMadeSchema,
  datasetMadeSchema,
  datasetSchema,
  deletedListSchema,
  newDatapointSchema,
  newDatasetFormSchema,
  newFilesSnapshotFormSchema,
  newProjectSchema,
  newSnapshotSchema,
  projectMadeSchema,
  snapshotComparisonSchema,
  snapshotMadeSchema,
  splitQuerySchema,
  splitSchema,
} from './datasets.ts';
import {
  filteredQuerySchema,
  findingListSchema,
  findingsQuerySchema,
  fitListSchema,
  fitsQuerySchema,
  marksMadeSchema,
  marksRequestSchema,
  positionSchema,
  rowPageSchema,
  rowsQuerySchema,
  statisticsQuerySchema,
  statisticsSchema,
  wholeRowSchema,
} from './rows.ts';
import { newSyntheticFormSchema } from './synthetic.ts';
import { rowViewQuerySchema, rowViewSchema } from './rowView.ts';

const LOCAL = 'Not in SPEC: only a local studio has rows, and a gateway answers 404.';
const SDK = "Not in SPEC: path and fields are those of the hosted studio's SDKs. A gateway passes it on.";

/** A goal of 10,000 characters, each written as two escapes. */
const SMALL_BYTES = 256 * 1024;
const ROW_BYTES = 16 * 1024 * 1024;

export const DATA = defineEndpoints(
  { tag: 'Data', source: LOCAL },
  {
    createProject: {
      method: 'POST',
      path: '/api/v1/public/projects/create',
      title: 'Make a project',
      source: SDK,
      body: { NewProject: newProjectSchema },
      bodyBytes: SMALL_BYTES,
      answer: { ProjectMade: projectMadeSchema },
    },
    createDatasetFromJsonl: {
      method: 'POST',
      path: '/api/v1/public/datasets/create-from-jsonl',
      title: 'Make a dataset of a JSONL file or a JSON array',
      about:
        'A form (`multipart/form-data`). The answer comes when all rows are stored. The file has one object on each line, or ' +
        'is one JSON array of objects: its first byte that is no space decides. Rows are chat rows (`messages`, `tools`), ' +
        'ShareGPT, Alpaca, or prompt and completion; with `form` = `mixed` each has its own. `mapping` names the columns of others, as JSON: `{"question": [columns], ' +
        '"answer": column}` or `{"messages": column}`; an answer that is an object or a list becomes its JSON text. A bad ' +
        'line, or element of the array, refuses the whole file (400 with `bad_lines`: the count and the first 20), unless ' +
        '`bad_lines` is `skip`. Other text, such as CSV, gets 400 with the code `not_json` and a command that converts it. ' +
        'Whoever chooses `dataset_id` can ask for progress while the file is sent. ' +
        'Nothing stays of an import that fails, is cancelled, or whose caller leaves.',
      source: SDK,
      form: { NewDataset: newDatasetFormSchema },
      answer: { DatasetMade: datasetMadeSchema },
      failures: [404, 409, 429],
    },
    createSyntheticDataset: {
      method: 'POST',
      path: '/api/v1/public/datasets/create-synthetic',
      title: 'Make a dataset of generated rows',
      about:
        'A form (`multipart/form-data`). A teacher model writes questions and answers, from texts (text, Markdown, JSONL), rules ' +
        'and examples. Names of lists may end with `[]`. It goes on in the background: poll the dataset while it is `processing`; ' +
        'it may end with fewer rows, when the teacher finds nothing new. 501: no teacher is connected, or a PDF, a video or a web ' +
        'site was sent, which are not read.',
      source: SDK,
      form: { NewSynthetic: newSyntheticFormSchema },
      answer: { DatasetMade: datasetMadeSchema },
      failures: [404, 429, 501],
    },
    getDataset: {
      method: 'GET',
      path: '/api/v1/public/datasets/{datasetId}',
      title: 'Get a dataset, with the progress of its import',
      source: SDK,
      answer: { DatasetRecord: datasetSchema },
    },
    addDatapoint: {
      method: 'POST',
      path: '/api/v1/datasets/{datasetId}/addDatapoint',
      title: 'Add a row to a dataset',
      about: 'The row is after all others. Snapshots that exist do not get it.',
      source: SDK,
      body: { NewDatapoint: newDatapointSchema },
      bodyBytes: ROW_BYTES,
      answer: { DatapointMade: datapointMadeSchema },
      failures: [409],
    },
    createSnapshot: {
      method: 'POST',
      path: '/api/v1/public/snapshots/create',
      title: 'Freeze the rows of a dataset in a snapshot',
      about:
        `\`split_percentage\` of the rows (whole percent, ${SPLIT_PERCENTAGE.fallback} if absent) are for training. The content ` +
        'of a row decides its side, so duplicates are on one side, and a row keeps its side when others are added. Rows with a ' +
        'bucket are on that side. Rows that were set aside are left out.',
      source: SDK,
      body: { NewSnapshot: newSnapshotSchema },
      bodyBytes: SMALL_BYTES,
      answer: { SnapshotMade: snapshotMadeSchema },
      failures: [404, 409],
    },
    createSnapshotFromFiles: {
      method: 'POST',
      path: '/api/v1/public/snapshots/create-from-files',
      title: 'Make a snapshot of files that are split already',
      about:
        'A form (`multipart/form-data`) with the rows for training, and those for validation if there are some. They become a ' +
        'dataset of the name `label`, whose rows keep their sides in later snapshots too. Files are read as those of ' +
        '`create-from-jsonl`.',
      source: SDK,
      form: { NewFilesSnapshot: newFilesSnapshotFormSchema },
      answer: { SnapshotMade: snapshotMadeSchema },
      failures: [404, 409, 429],
    },
    cancelImport: {
      method: 'POST',
      path: '/api/v1/studio/datasets/{datasetId}/cancel',
      title: 'Cancel an import',
      about: 'Nothing stays of it. 409: it has ended.',
      failures: [409],
    },
    getBadLines: {
      method: 'GET',
      path: '/api/v1/studio/datasets/{datasetId}/bad-lines',
      title: 'Download the bad lines of an import',
      file: 'application/x-ndjson',
      says: `One JSON object a line: line, column, message, start; at most ${DATA_LIMITS.badLinesKept}.`,
      load: 'page',
    },
    previewSplit: {
      method: 'GET',
      path: '/api/v1/studio/datasets/{datasetId}/split',
      title: 'See a split before its snapshot is made',
      query: splitQuerySchema,
      answer: { Split: splitSchema },
      load: 'page',
    },
    markRows: {
      method: 'POST',
      path: '/api/v1/studio/datasets/{datasetId}/marks',
      title: 'Set rows aside, tag them, or edit one',
      about: `The rows stay as they were imported. The answer has \`undo\`: the body that takes the change back.`,
      body: { MarksRequest: marksRequestSchema },
      bodyBytes: ROW_BYTES,
      answer: { MarksMade: marksMadeSchema },
      failures: [409],
    },
    compareSnapshots: {
      method: 'GET',
      path: '/api/v1/studio/snapshots/{snapshotId}/compare',
      title: 'Compare the rows of two snapshots',
      query: compareQuerySchema,
      answer: { SnapshotComparison: snapshotComparisonSchema },
      load: 'whole',
    },
    deleteNode: {
      method: 'DELETE',
      path: '/api/v1/studio/nodes/{nodeId}',
      title: 'Delete a project, dataset, snapshot, job or experiment',
      about: `It is hidden at once, with what is below it, and can be restored for ${DATA_LIMITS.deletedHours} hours.`,
      failures: [409],
    },
    restoreNode: {
      method: 'POST',
      path: '/api/v1/studio/nodes/{nodeId}/restore',
      title: 'Restore what was deleted',
    },
    listDeleted: {
      method: 'GET',
      path: '/api/v1/studio/deleted',
      title: 'List what was deleted in the last 24 hours',
      answer: { DeletedList: deletedListSchema },
    },
  },
);

const atPosition = { position: positionSchema };

/** What can be asked of the rows of a dataset, and of those of a snapshot. */
const toRowEndpoints = <Kind extends 'dataset' | 'snapshot'>(kind: Kind, name: string) => {
  const owner = `/api/v1/studio/${kind}s/{${kind}Id}` as const;
  return defineEndpoints(
    { tag: 'Data', source: LOCAL },
    {
      page: {
        method: 'GET',
        path: `${owner}/table`,
        id: `list${name}Rows`,
        title: `List rows of a ${kind}`,
        about: `A search answers after a short time with what it has found; \`next\` goes on.`,
        query: rowsQuerySchema,
        answer: { RowPage: rowPageSchema },
        load: 'page',
      },
      filtered: {
        method: 'GET',
        path: `${owner}/filtered-rows`,
        id: `download${name}Rows`,
        title: `Download the rows of a ${kind} that filters leave`,
        about:
          'All of them, in stored order. `Content-Disposition` has a name for the file. 409: the findings are not known yet.',
        query: filteredQuerySchema,
        file: 'application/x-ndjson',
        says: 'One row a line.',
        failures: [409],
        load: 'file',
      },
      row: {
        method: 'GET',
        path: `${owner}/table/{position}`,
        id: `get${name}Row`,
        title: `Get a row of a ${kind}, whole`,
        params: atPosition,
        answer: { WholeRow: wholeRowSchema },
        load: 'page',
      },
      view: {
        method: 'GET',
        path: `${owner}/table/{position}/view`,
        id: `view${name}Row`,
        title: `Get a row of a ${kind} as a base model sees it`,
        about:
          "The text by the model's own chat template, its tokens, which of them are trained, and what a context cuts. " +
          `400 for a template that does not end.`,
        params: atPosition,
        query: rowViewQuerySchema,
        answer: { RowView: rowViewSchema },
        load: 'render',
      },
      statistics: {
        method: 'GET',
        path: `${owner}/statistics`,
        id: `get${name}Statistics`,
        title: `Get lengths, roles, tools and languages of the rows of a ${kind}`,
        query: statisticsQuerySchema,
        answer: { RowStatistics: statisticsSchema },
        load: 'page',
      },
      fits: {
        method: 'GET',
        path: `${owner}/fits`,
        id: `get${name}Fits`,
        title: `Get which trainers and services take the rows of a ${kind}`,
        about:
          'By their documented rules: order of roles, marks of what is learnt, tools, pairs for DPO, labels for KTO.',
        query: fitsQuerySchema,
        answer: { FitList: fitListSchema },
        failures: [409],
        load: 'file',
      },
      findings: {
        method: 'GET',
        path: `${owner}/findings`,
        id: `get${name}Findings`,
        title: `Get what is wrong with rows of a ${kind}`,
        about: `The first request begins the work; poll while \`state\` is \`running\`.`,
        query: findingsQuerySchema,
        answer: { FindingList: findingListSchema },
        load: 'page',
      },
    },
  );
};

export const DATASET_ROWS = toRowEndpoints('dataset', 'Dataset');
export const SNAPSHOT_ROWS = toRowEndpoints('snapshot', 'Snapshot');

declare module '#core/contract/endpoint.ts' {
  interface EndpointGroups {
    readonly data: typeof DATA;
    readonly datasetRows: typeof DATASET_ROWS;
    readonly snapshotRows: typeof SNAPSHOT_ROWS;
  }
}
