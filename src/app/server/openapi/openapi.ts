// The OpenAPI 3.1 document of the service, made from the same schemas that validate (SPEC 2 to 8).
// Only the service loads it: the schema converter is large, and the browser doesn't need it.
import { toComponents, type Json } from './openapiComponents.ts';
import { answer, anyName, BOUNDED, failures, json, NOT_MODIFIED, params, pathParam, ref } from './openapiParts.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { toAccessPaths } from './openapiAccess.ts';
import { toDataPaths } from './openapiData.ts';
import { bucketQuerySchema } from '#features/datasets/shared/contract/rows.ts';
import { toTransferPaths } from './openapiTransfer.ts';
import { toWorkerPaths } from './openapiWorker.ts';
import { toTrainingPaths } from './openapiTraining.ts';
import { toRunPaths } from './openapiRuns.ts';

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
        parameters: [pathParam('snapshotId', 'UUID of the snapshot.'), ...params('query', bucketQuerySchema)],
        responses: {
          '200': {
            description: 'The rows. `Content-Disposition` has a name for the file.',
            content: { 'application/x-ndjson': { schema: { type: 'string' } } },
          },
          ...failures(400, 401, 404, 429, 503),
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
    ...toRunPaths(),
    ...toAccessPaths(),
    ...toDataPaths(),
    ...toTransferPaths(),
    [ROUTES.notes]: {
      get: {
        tags: ['Projects'],
        operationId: 'listNotes',
        summary: 'List the notes on nodes',
        description:
          'Names, tags, stars and texts that people gave to nodes of any project. Not in SPEC: a gateway answers 404.',
        responses: { '200': answer('All notes.', 'NoteList'), ...failures(401, 503, ...BOUNDED) },
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
          'With `stream: true` the answer is a stream of server-sent events, each a `ChatEvent`, ended by `data: ' +
          '[DONE]`. Fields that are not listed are dropped. SPEC 4.3 and 6.',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: ref('ChatRequest'), examples: CHAT_EXAMPLES } },
        },
        responses: {
          '200': {
            description: 'A completion, or a stream of chunks.',
            content: { ...json('Completion'), 'text/event-stream': { schema: ref('ChatEvent') } },
          },
          ...failures(400, 401, 404, 413, 415, 429, 502, 503, 504),
        },
      },
    },
    [ROUTES.text]: {
      post: {
        tags: ['Chat'],
        operationId: 'createCompletion',
        summary: 'Go on with a text',
        description:
          'Without a chat template. With `echo` and `logprobs` it says how likely the model finds a text, which tools that ' +
          'evaluate models ask for. With `stream: true` the events have a `TextChunk` each. Models of --engine answer 400. ' +
          'Not in SPEC: as in the older API of OpenAI.',
        requestBody: { required: true, content: json('TextRequest') },
        responses: {
          '200': {
            description: 'A completion, or a stream of chunks.',
            content: { ...json('TextCompletion'), 'text/event-stream': { schema: { type: 'string' } } },
          },
          ...failures(400, 401, 404, 413, 415, 429, 502, 503, 504),
        },
      },
    },
    [ROUTES.responses]: {
      post: {
        tags: ['Chat'],
        operationId: 'createResponse',
        summary: 'Create a response',
        description:
          'A chat with text and functions in the form of the Responses API of OpenAI. Nothing is kept: send the whole ' +
          'conversation as `input`, and no `previous_response_id`. With `stream: true` the answer is events such as ' +
          '`response.output_text.delta`, ended by `response.completed`, `response.incomplete` or `error`. Not in SPEC.',
        requestBody: { required: true, content: json('ResponsesRequest') },
        responses: {
          '200': {
            description: 'A response, or a stream of events.',
            content: { ...json('Response'), 'text/event-stream': { schema: { type: 'string' } } },
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
    [ROUTES.model]: {
      get: {
        tags: ['Chat'],
        operationId: 'getModel',
        summary: 'Get a model',
        description: 'Not in SPEC: as in the API of OpenAI.',
        parameters: [pathParam('modelId', 'Id or alias of the model.', anyName)],
        responses: { '200': answer('The model, by its id.', 'Model'), ...failures(401, 404, 502) },
      },
    },
    [ROUTES.examples]: {
      get: {
        tags: ['Chat'],
        operationId: 'getExamples',
        summary: 'Get example prompts for a model',
        parameters: [pathParam('modelId', 'Id or alias of the model.', anyName)],
        responses: {
          '200': answer('Prompts that were held out of training; null where there are none.', 'Examples'),
          ...failures(401, ...BOUNDED),
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
      { name: 'Data' },
      { name: 'Training' },
      { name: 'Runs' },
      { name: 'Chat' },
      { name: 'Session' },
      { name: 'Service' },
    ],
    security: [{ bearer: [] }, { cookie: [] }],
    paths: { ...toPaths(), ...toTrainingPaths(), ...toWorkerPaths() },
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
