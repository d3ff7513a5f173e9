// The OpenAPI 3.1 document of the service, made from the same schemas that validate (SPEC 2 to 8).
// Only the service loads it: the schema converter is large, and the browser doesn't need it.
import { toComponents, type Json, type SchemaName } from './openapiComponents.ts';
import { ROUTES } from './routes.ts';
import { ROW_BUCKETS } from './rowsFile.ts';

const ref = (name: SchemaName): Json => ({ $ref: `#/components/schemas/${name}` });
const json = (name: SchemaName): Json => ({ 'application/json': { schema: ref(name) } });
const answer = (description: string, name: SchemaName): Json => ({ description, content: json(name) });

const REASONS: Readonly<Record<number, string>> = {
  400: 'The request is not valid; `param` names the field.',
  401: 'No token, or a wrong one.',
  404: 'There is nothing of this id.',
  409: 'The state of the studio does not allow it; the message says why.',
  413: 'The body is too large.',
  415: 'The body is not declared as JSON.',
  422: 'It is understood, but can not be done; the message says why, and what to do.',
  429: 'Too many requests; `Retry-After` says when to try again.',
  502: 'The remote studio or engine did not answer properly.',
  503: 'The studio is starting or shutting down, or the engine has no room; `Retry-After` may say when to try again.',
  504: 'The answer took longer than one may.',
};

const failures = (...statuses: number[]): Json =>
  Object.fromEntries(statuses.map((status) => [String(status), answer(REASONS[status] ?? 'Failure.', 'Error')]));

const pathParam = (name: string, description: string, isUuid = true): Json => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: isUuid ? { type: 'string', format: 'uuid' } : { type: 'string' },
});

const OURS = 'Not in SPEC: only a local studio reads folders, and a gateway answers 404.';

const NOT_MODIFIED = { '304': { description: 'Nothing has changed since the ETag in If-None-Match.' } };

const CHAT_EXAMPLES = {
  plain: {
    summary: 'A whole answer',
    value: {
      model: 'support-base',
      messages: [{ role: 'user', content: 'Hello!' }],
      temperature: 0.2,
      max_completion_tokens: 64,
    },
  },
  streamed: {
    summary: 'A stream',
    value: { model: 'support-base', messages: [{ role: 'user', content: 'Hello!' }], stream: true },
  },
};

function toPaths(): Json {
  return {
    [ROUTES.projects]: {
      get: {
        tags: ['Projects'],
        operationId: 'listProjects',
        summary: 'List projects',
        responses: { '200': answer('All projects.', 'ProjectList'), ...failures(401, 502) },
      },
    },
    [ROUTES.project]: {
      get: {
        tags: ['Projects'],
        operationId: 'getProject',
        summary: 'Get a project as a tree',
        description: 'Datasets, snapshots, fine-tuning jobs and experiments. SPEC 4.1.',
        parameters: [pathParam('projectId', 'UUID of the project.')],
        responses: {
          '200': answer('The whole tree.', 'ProjectResponse'),
          ...NOT_MODIFIED,
          ...failures(400, 401, 404, 502),
        },
      },
    },
    [ROUTES.recommendation]: {
      get: {
        tags: ['Recommendations'],
        operationId: 'getRecommendation',
        summary: 'Get the recommendation for a snapshot',
        description: 'Poll while `status` is `processing`. SPEC 4.2.',
        parameters: [pathParam('snapshotId', 'UUID of the snapshot.')],
        responses: { '200': answer('The record.', 'Recommendation'), ...NOT_MODIFIED, ...failures(400, 401, 404, 502) },
      },
    },
    [ROUTES.job]: {
      get: {
        tags: ['Projects'],
        operationId: 'getJob',
        summary: 'Get a fine-tuning job with its hyperparameters and losses',
        description:
          'What each experiment was asked to do and what came of it. Not in SPEC; other studios may not have it.',
        parameters: [pathParam('jobId', 'UUID of the fine-tuning job.')],
        responses: { '200': answer('The job.', 'Job'), ...NOT_MODIFIED, ...failures(400, 401, 404, 502) },
      },
    },
    [ROUTES.rows]: {
      get: {
        tags: ['Projects'],
        operationId: 'getRows',
        summary: 'Download the rows of a snapshot',
        description:
          'Training or validation rows as they were imported, one JSON object a line, in stored order. Not in SPEC: only ' +
          'a local studio has the rows, and a gateway answers 404.',
        parameters: [
          pathParam('snapshotId', 'UUID of the snapshot.'),
          {
            name: 'bucket',
            in: 'query',
            required: true,
            description: 'Rows to train on, or rows to evaluate on.',
            schema: { type: 'string', enum: [...ROW_BUCKETS] },
          },
        ],
        responses: {
          '200': {
            description: 'The rows. `Content-Disposition` has a name for the file.',
            content: { 'application/x-ndjson': { schema: { type: 'string' } } },
          },
          ...failures(400, 401, 404, 503),
        },
      },
    },
    [ROUTES.mainMeasure]: {
      put: {
        tags: ['Projects'],
        operationId: 'chooseMainMeasure',
        summary: 'Choose the measure by which the runs of a dataset are compared',
        description:
          'The recommendations of its snapshots are computed again. `null`: the measure that fits the answers. Not in SPEC: ' +
          'a gateway answers 404.',
        parameters: [pathParam('datasetId', 'UUID of the dataset.')],
        requestBody: { required: true, content: json('MainMeasure') },
        responses: { '200': answer('Chosen.', 'MainMeasure'), ...failures(400, 401, 404, 413, 415, 503) },
      },
    },
    [ROUTES.runRoots]: {
      get: {
        tags: ['Runs'],
        operationId: 'listRunRoots',
        summary: 'List the folders whose runs are shown',
        description: `What was found in each, and what was not understood. ${OURS}`,
        responses: { '200': answer('The folders.', 'RunRootList'), ...failures(401) },
      },
      post: {
        tags: ['Runs'],
        operationId: 'addRunRoot',
        summary: 'Show the runs of a folder',
        description: `The folder is only read. It is shown again after a restart. ${OURS}`,
        requestBody: { required: true, content: json('NewRunRoot') },
        responses: { '201': answer('It is scanned now.', 'RunRoot'), ...failures(400, 401, 413, 415) },
      },
    },
    [ROUTES.runRoot]: {
      put: {
        tags: ['Runs'],
        operationId: 'changeRunRoot',
        summary: 'Choose how the runs of a folder become jobs',
        parameters: [pathParam('rootId', 'UUID of the folder.')],
        requestBody: { required: true, content: json('RunRootChange') },
        responses: { '200': answer('Changed.', 'RunRoot'), ...failures(400, 401, 404, 413, 415) },
      },
      delete: {
        tags: ['Runs'],
        operationId: 'removeRunRoot',
        summary: 'Stop showing the runs of a folder',
        description: 'Nothing in the folder changes. One that was given with `--runs` stays: the answer is 409.',
        parameters: [pathParam('rootId', 'UUID of the folder.')],
        responses: { '204': { description: 'Removed.' }, ...failures(400, 401, 404, 409) },
      },
    },
    [ROUTES.run]: {
      get: {
        tags: ['Runs'],
        operationId: 'getRun',
        summary: 'Get a run with its facts and their sources',
        description: OURS,
        parameters: [pathParam('runId', 'UUID of the run; also the id of its experiment in the tree.')],
        responses: { '200': answer('The run.', 'Run'), ...NOT_MODIFIED, ...failures(400, 401, 404, 503) },
      },
    },
    [ROUTES.curves]: {
      post: {
        tags: ['Runs'],
        operationId: 'getCurves',
        summary: 'Get curves of runs, thinned',
        description:
          'A POST, because the question is too long for an address. Send the `version` of the last answer to get 304 while ' +
          `nothing is new. ${OURS}`,
        requestBody: { required: true, content: json('CurveRequest') },
        responses: {
          '200': answer('The curves.', 'CurveList'),
          '304': { description: 'Nothing has changed since `version`.' },
          ...failures(400, 401, 413, 415, 503),
        },
      },
    },
    [ROUTES.serving]: {
      get: {
        tags: ['Runs'],
        operationId: 'listServingWays',
        summary: 'List the ways to chat with saved weights of a run',
        description: `Asks the server of \`--engine\` what it is. ${OURS}`,
        parameters: [
          pathParam('runId', 'UUID of the run.'),
          {
            name: 'checkpoint',
            in: 'query',
            required: true,
            description: 'The path of the checkpoint, as the run names it.',
            schema: { type: 'string' },
          },
        ],
        responses: {
          '200': answer('The ways, with reasons and commands.', 'ServingOffer'),
          ...failures(400, 401, 404),
        },
      },
      post: {
        tags: ['Runs'],
        operationId: 'serveCheckpoint',
        summary: 'Make a model of saved weights',
        description: `An adapter is converted for llama.cpp, or loaded by the server of \`--engine\`. ${OURS}`,
        parameters: [pathParam('runId', 'UUID of the run.')],
        requestBody: { required: true, content: json('ServingRequest') },
        responses: { '201': answer('The model to chat with.', 'Served'), ...failures(400, 401, 404, 413, 415, 422) },
      },
    },
    [ROUTES.served]: {
      delete: {
        tags: ['Runs'],
        operationId: 'stopServing',
        summary: 'Stop serving saved weights of a run',
        description: `The weights stay in their folder. ${OURS}`,
        parameters: [pathParam('modelId', 'Id of the model.', false)],
        responses: { '204': { description: 'Stopped.' }, ...failures(401, 404, 422) },
      },
    },
    [ROUTES.notes]: {
      get: {
        tags: ['Projects'],
        operationId: 'listNotes',
        summary: 'List the notes on nodes',
        description:
          'Names, tags, stars and texts that people gave to nodes of any project. Not in SPEC: a gateway answers 404.',
        responses: { '200': answer('All notes.', 'NoteList'), ...failures(401, 503) },
      },
    },
    [ROUTES.note]: {
      put: {
        tags: ['Projects'],
        operationId: 'saveNote',
        summary: 'Note something of a node',
        description:
          'Replaces the note of a project, dataset, snapshot, job or experiment; an empty note is deleted, and answered ' +
          '`null`. 409: somebody changed the note since it was read. Not in SPEC: a gateway answers 404.',
        parameters: [pathParam('nodeId', 'UUID of the node.')],
        requestBody: { required: true, content: json('NoteChange') },
        responses: {
          '200': answer('Saved; null after an empty note.', 'Note'),
          ...failures(400, 401, 409, 413, 415, 503),
        },
      },
    },
    [ROUTES.chat]: {
      post: {
        tags: ['Chat'],
        operationId: 'createChatCompletion',
        summary: 'Create a chat completion',
        description:
          'With `stream: true` the answer is a stream of server-sent events, each a `Chunk`, ended by `data: ' +
          '[DONE]`. Fields that are not listed are dropped, `max_tokens` too: `max_completion_tokens` is the ' +
          'limit. SPEC 4.3 and 6.',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: ref('ChatRequest'), examples: CHAT_EXAMPLES } },
        },
        responses: {
          '200': {
            description: 'A completion, or a stream of chunks.',
            content: { ...json('Completion'), 'text/event-stream': { schema: ref('Chunk') } },
          },
          ...failures(400, 401, 404, 413, 415, 429, 502, 503, 504),
        },
      },
    },
    [ROUTES.models]: {
      get: {
        tags: ['Chat'],
        operationId: 'listModels',
        summary: 'List models',
        responses: { '200': answer('The models that can be asked now.', 'ModelList'), ...failures(401, 502) },
      },
    },
    [ROUTES.examples]: {
      get: {
        tags: ['Chat'],
        operationId: 'getExamples',
        summary: 'Get example prompts for a model',
        parameters: [pathParam('modelId', 'Id or alias of the model.', false)],
        responses: {
          '200': answer('Prompts that were held out of training; null where there are none.', 'Examples'),
          ...failures(401),
        },
      },
    },
    [ROUTES.session]: {
      get: {
        tags: ['Session'],
        operationId: 'getSession',
        summary: 'See what serves this dashboard',
        responses: { '200': answer('Local studio or gateway.', 'Session'), ...failures(401) },
      },
      post: {
        tags: ['Session'],
        operationId: 'signIn',
        summary: 'Sign in',
        security: [],
        requestBody: { required: true, content: json('SignIn') },
        responses: {
          '204': { description: 'Signed in; the answer sets a cookie.' },
          ...failures(400, 401, 408, 413, 415, 429),
        },
      },
      delete: {
        tags: ['Session'],
        operationId: 'signOut',
        summary: 'Sign out',
        responses: { '204': { description: 'Signed out.' }, ...failures(401) },
      },
    },
    [ROUTES.health]: {
      get: {
        tags: ['Service'],
        operationId: 'getHealth',
        summary: 'Is the service up?',
        security: [],
        responses: { '200': answer('It is.', 'Health'), ...failures(503) },
      },
    },
    [ROUTES.ready]: {
      get: {
        tags: ['Service'],
        operationId: 'getReadiness',
        summary: 'Can the service answer now?',
        description:
          'Looks at the database and the engine, at most once a second. A gateway does not ask its remote studio.',
        security: [],
        responses: { '200': answer('It can.', 'Ready'), '503': answer('It can not, or it is starting.', 'Ready') },
      },
    },
  };
}

/** The document that `GET /api/v1/openapi.json` serves. */
export function toOpenApi(version: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Model Studio',
      version,
      description:
        'Projects as trees, recommendations for snapshots, chat with fine-tuned models. Send `Authorization: ' +
        'Bearer <token>` with the token of the link that the studio printed at start.',
    },
    servers: [{ url: '/', description: 'This studio' }],
    tags: [
      { name: 'Projects' },
      { name: 'Recommendations' },
      { name: 'Runs' },
      { name: 'Chat' },
      { name: 'Session' },
      { name: 'Service' },
    ],
    security: [{ bearer: [] }, { cookie: [] }],
    paths: toPaths(),
    components: {
      schemas: toComponents(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'studio_4600',
          description:
            'Set by signing in; its name ends with the port. Under a public https address it is `__Host-studio`.',
        },
      },
    },
  };
}
