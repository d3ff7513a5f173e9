// The operations of the OpenAPI document on runs of folders.
import type { Json } from './openapiComponents.ts';
import { answer, anyName, BOUNDED, failures, json, NOT_MODIFIED, OURS, params, pathParam } from './openapiParts.ts';
import { ggufQuerySchema, servingQuerySchema } from '#features/serving/shared/serving.ts';
import { completionQuestionSchema } from '#features/runs/shared/completions.ts';
import { ROUTES } from '#core/contract/routes.ts';

export function toRunPaths(): Json {
  return {
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
        description:
          'The folder is only read. It is shown again after a restart. A named token may show only folders in those that the ' +
          `studio was started with. ${OURS}`,
        requestBody: { required: true, content: json('NewRunRoot') },
        responses: { '201': answer('It is scanned now.', 'RunRoot'), ...failures(400, 401, 403, 413, 415) },
      },
    },
    [ROUTES.runRoot]: {
      put: {
        tags: ['Runs'],
        operationId: 'changeRunRoot',
        summary: 'Choose how the runs of a folder become jobs, and by which measure they are compared',
        description: 'What the request leaves out stays as it is.',
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
    [ROUTES.completions]: {
      get: {
        tags: ['Runs'],
        operationId: 'listCompletions',
        summary: 'List completions that a run wrote while it trained',
        description:
          'A page of 50 rows of one step, with rewards and advantage. 422: the file is damaged, too large or not readable; ' +
          `the message says why. ${OURS}`,
        parameters: [pathParam('runId', 'UUID of the run.'), ...params('query', completionQuestionSchema)],
        responses: {
          '200': answer('The rows.', 'CompletionList'),
          ...NOT_MODIFIED,
          ...failures(400, 401, 404, 422, 503, ...BOUNDED),
        },
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
          ...failures(400, 401, 413, 415, 503, ...BOUNDED),
        },
      },
    },
    [ROUTES.serving]: {
      get: {
        tags: ['Runs'],
        operationId: 'listServingWays',
        summary: 'List the ways to chat with saved weights of a run',
        description: `Asks the server of \`--engine\` what it is. ${OURS}`,
        parameters: [pathParam('runId', 'UUID of the run.'), ...params('query', servingQuerySchema)],
        responses: {
          '200': answer('The ways, with reasons and commands.', 'ServingOffer'),
          ...failures(400, 401, 404, ...BOUNDED),
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
    [ROUTES.gguf]: {
      get: {
        tags: ['Runs'],
        operationId: 'downloadGguf',
        summary: 'Download saved weights of a run as a GGUF file',
        description:
          'A whole model, or an adapter for one of the models here. It is made while it is sent, and not kept. 422: it can’t be ' +
          `made exactly; the message says why. ${OURS}`,
        parameters: [pathParam('runId', 'UUID of the run.'), ...params('query', ggufQuerySchema)],
        responses: {
          '200': {
            description: 'The file. `Content-Length` says its size, `Content-Disposition` its name.',
            content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
          },
          ...failures(400, 401, 404, 422, 429),
        },
      },
    },
    [ROUTES.served]: {
      delete: {
        tags: ['Runs'],
        operationId: 'stopServing',
        summary: 'Stop serving saved weights of a run',
        description: `The weights stay in their folder. ${OURS}`,
        parameters: [pathParam('modelId', 'Id of the model.', anyName)],
        responses: { '204': { description: 'Stopped.' }, ...failures(401, 404, 422) },
      },
    },
  };
}
