// The operations of the OpenAPI document on projects, datasets, snapshots and rows that are made and looked at here: one
// record an operation.
import type * as z from 'zod/mini';
import type { Json, SchemaName } from './openapiComponents.ts';
import { answer, BOUNDED, failures, json, params, pathParam } from './openapiParts.ts';
import { DATA_LIMITS, SPLIT_PERCENTAGE } from '#core/contract/dataLimits.ts';
import { DATA_ROUTES } from '#features/datasets/shared/contract/dataRoutes.ts';
import { compareQuerySchema, splitQuerySchema } from '#features/datasets/shared/contract/datasets.ts';
import {
  filteredQuerySchema,
  findingsQuerySchema,
  fitsQuerySchema,
  positionSchema,
  rowsQuerySchema,
  statisticsQuerySchema,
} from '#features/datasets/shared/contract/rows.ts';
import { rowViewQuerySchema } from '#features/datasets/shared/contract/rowView.ts';

type Method = 'get' | 'post' | 'delete';

interface Operation {
  readonly id: string;
  readonly summary: string;
  /** More sentences. */
  readonly about?: string;
  /** What reads the query of the address. */
  readonly query?: z.ZodMiniObject;
  readonly body?: SchemaName;
  /** The schema of the answer, or what a file holds; absent: nothing is answered. */
  readonly answer?: SchemaName | { readonly file: string };
  readonly failures?: readonly number[];
  /** It takes from, and answers like, the hosted studio. */
  readonly isOfSdk?: boolean;
}

const LOCAL = 'Not in SPEC: only a local studio has rows, and a gateway answers 404.';
const SDK = "Not in SPEC: path and fields are those of the hosted studio's SDKs. A gateway answers 404.";

/** What can be asked of the rows of a dataset and those of a snapshot. */
function toRowOperations(kind: 'dataset' | 'snapshot', Kind: string): Json {
  return toOperations({
    [DATA_ROUTES[`${kind}Rows`]]: {
      id: `list${Kind}Rows`,
      summary: `List rows of a ${kind}`,
      about: 'A search answers after a short time with what it has found; `next` goes on.',
      query: rowsQuerySchema,
      answer: 'RowPage',
    },
    [DATA_ROUTES[`${kind}Filtered`]]: {
      id: `download${Kind}Rows`,
      summary: `Download the rows of a ${kind} that filters leave`,
      about:
        'All of them, in stored order. `Content-Disposition` has a name for the file. 409: the findings are not known yet.',
      query: filteredQuerySchema,
      answer: { file: 'One row a line.' },
      failures: [409],
    },
    [DATA_ROUTES[`${kind}Row`]]: { id: `get${Kind}Row`, summary: `Get a row of a ${kind}, whole`, answer: 'WholeRow' },
    [DATA_ROUTES[`${kind}RowView`]]: {
      id: `view${Kind}Row`,
      summary: `Get a row of a ${kind} as a base model sees it`,
      about:
        "The text by the model's own chat template, its tokens, which of them are trained, and what a context cuts. " +
        '400 for a template that does not end.',
      query: rowViewQuerySchema,
      answer: 'RowView',
    },
    [DATA_ROUTES[`${kind}Statistics`]]: {
      id: `get${Kind}Statistics`,
      summary: `Get lengths, roles, tools and languages of the rows of a ${kind}`,
      query: statisticsQuerySchema,
      answer: 'RowStatistics',
    },
    [DATA_ROUTES[`${kind}Fits`]]: {
      id: `get${Kind}Fits`,
      summary: `Get which trainers and services take the rows of a ${kind}`,
      about:
        'By their documented rules: order of roles, marks of what is learnt, tools, pairs for DPO, labels for KTO.',
      query: fitsQuerySchema,
      answer: 'FitList',
      failures: [409],
    },
    [DATA_ROUTES[`${kind}Findings`]]: {
      id: `get${Kind}Findings`,
      summary: `Get what is wrong with rows of a ${kind}`,
      about: 'The first request begins the work; poll while `state` is `running`.',
      query: findingsQuerySchema,
      answer: 'FindingList',
    },
  });
}

const GETS: Readonly<Record<string, Operation>> = {
  [DATA_ROUTES.dataset]: {
    id: 'getDataset',
    summary: 'Get a dataset, with the progress of its import',
    answer: 'DatasetRecord',
    isOfSdk: true,
  },
  [DATA_ROUTES.badLines]: {
    id: 'getBadLines',
    summary: 'Download the bad lines of an import',
    answer: { file: `One JSON object a line: line, column, message, start; at most ${DATA_LIMITS.badLinesKept}.` },
  },
  [DATA_ROUTES.split]: {
    id: 'previewSplit',
    summary: 'See a split before its snapshot is made',
    query: splitQuerySchema,
    answer: 'Split',
  },
  [DATA_ROUTES.compareSnapshots]: {
    id: 'compareSnapshots',
    summary: 'Compare the rows of two snapshots',
    query: compareQuerySchema,
    answer: 'SnapshotComparison',
  },
  [DATA_ROUTES.deletedNodes]: {
    id: 'listDeleted',
    summary: 'List what was deleted in the last 24 hours',
    answer: 'DeletedList',
  },
};

const POSTS: Readonly<Record<string, Operation>> = {
  [DATA_ROUTES.createProject]: {
    id: 'createProject',
    summary: 'Make a project',
    body: 'NewProject',
    answer: 'ProjectMade',
    isOfSdk: true,
  },
  [DATA_ROUTES.createDataset]: {
    id: 'createDatasetFromJsonl',
    summary: 'Make a dataset of a JSONL file or a JSON array',
    about:
      'A form (`multipart/form-data`). The answer comes when all rows are stored. The file has one object on each line, or ' +
      'is one JSON array of objects: its first byte that is no space decides. Rows are chat rows (`messages`, `tools`), ' +
      'ShareGPT, Alpaca, or prompt and completion; `mapping` names the columns of others, as JSON: `{"question": [columns], ' +
      '"answer": column}` or `{"messages": column}`; an answer that is an object or a list becomes its JSON text. A bad ' +
      'line, or element of the array, refuses the whole file (400 with `bad_lines`: the count and the first 20), unless ' +
      '`bad_lines` is `skip`. Other text, such as CSV, gets 400 with the code `not_json` and a command that converts it. ' +
      'Whoever chooses `dataset_id` can ask for progress while the file is sent. ' +
      'Nothing stays of an import that fails, is cancelled, or whose caller leaves.',
    body: 'NewDataset',
    answer: 'DatasetMade',
    failures: [404, 409, 429],
    isOfSdk: true,
  },
  [DATA_ROUTES.createSynthetic]: {
    id: 'createSyntheticDataset',
    summary: 'Make a dataset of generated rows',
    about: 'Always 501: it needs a teacher model, which this studio does not have.',
    failures: [501],
    isOfSdk: true,
  },
  [DATA_ROUTES.addDatapoint]: {
    id: 'addDatapoint',
    summary: 'Add a row to a dataset',
    about: 'The row is after all others. Snapshots that exist do not get it.',
    body: 'NewDatapoint',
    answer: 'DatapointMade',
    failures: [409],
    isOfSdk: true,
  },
  [DATA_ROUTES.createSnapshot]: {
    id: 'createSnapshot',
    summary: 'Freeze the rows of a dataset in a snapshot',
    about:
      `\`split_percentage\` of the rows (whole percent, ${SPLIT_PERCENTAGE.fallback} if absent) are for training. The content ` +
      'of a row decides its side, so duplicates are on one side, and a row keeps its side when others are added. Rows with a ' +
      'bucket are on that side. Rows that were set aside are left out.',
    body: 'NewSnapshot',
    answer: 'SnapshotMade',
    failures: [404, 409],
    isOfSdk: true,
  },
  [DATA_ROUTES.cancelImport]: {
    id: 'cancelImport',
    summary: 'Cancel an import',
    about: 'Nothing stays of it. 409: it has ended.',
    failures: [409],
  },
  [DATA_ROUTES.marks]: {
    id: 'markRows',
    summary: 'Set rows aside, tag them, or edit one',
    about: 'The rows stay as they were imported. The answer has `undo`: the body that takes the change back.',
    body: 'MarksRequest',
    answer: 'MarksMade',
    failures: [409],
  },
  [DATA_ROUTES.restoreNode]: { id: 'restoreNode', summary: 'Restore what was deleted' },
};

const DELETES: Readonly<Record<string, Operation>> = {
  [DATA_ROUTES.node]: {
    id: 'deleteNode',
    summary: 'Delete a project, dataset, snapshot, job or experiment',
    about: `It is hidden at once, with what is below it, and can be restored for ${DATA_LIMITS.deletedHours} hours.`,
    failures: [409],
  },
};

function toAnswer(operation: Operation): Json {
  if (operation.failures?.includes(501)) return {};
  if (operation.answer === undefined) return { '204': { description: 'Done.' } };
  if (typeof operation.answer === 'string') return { '200': answer('Done.', operation.answer) };
  const content = { 'application/x-ndjson': { schema: { type: 'string' } } };
  return { '200': { description: operation.answer.file, content } };
}

function toOperation(route: string, operation: Operation, method: Method): Json {
  const { id, summary, about = '', query, body, failures: more = [], isOfSdk = false } = operation;
  const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const places = names.map((name) =>
    name === 'position'
      ? pathParam(name, 'The place of the row, from 0.', positionSchema)
      : pathParam(name, `The ${name}.`),
  );
  const bounded = method === 'get' ? BOUNDED : [];
  const found = [400, 401, 503, ...more, ...bounded, ...(names.length > 0 ? [404] : []), ...(body ? [413, 415] : [])];
  const content =
    body && (body === 'NewDataset' ? { 'multipart/form-data': json(body)['application/json'] } : json(body));
  return {
    tags: ['Data'],
    operationId: id,
    summary,
    description: `${about} ${isOfSdk ? SDK : LOCAL}`.trim(),
    parameters: [...places, ...(query ? params('query', query) : [])],
    ...(content ? { requestBody: { required: true, content } } : {}),
    responses: { ...toAnswer(operation), ...failures(...found) },
  };
}

const toOperations = (operations: Readonly<Record<string, Operation>>, method: Method = 'get'): Json =>
  Object.fromEntries(
    Object.entries(operations).map(([route, operation]) => [
      route,
      { [method]: toOperation(route, operation, method) },
    ]),
  );

export const toDataPaths = (): Json => ({
  ...toOperations(GETS),
  ...toOperations(POSTS, 'post'),
  ...toOperations(DELETES, 'delete'),
  ...toRowOperations('dataset', 'Dataset'),
  ...toRowOperations('snapshot', 'Snapshot'),
});
