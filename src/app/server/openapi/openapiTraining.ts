// The operations of the OpenAPI document on jobs, trainings and models in memory.
import * as z from 'zod/mini';
import type { Json } from './openapiComponents.ts';
import { answer, anyName, BOUNDED, failures, json, NOT_MODIFIED, params, pathParam } from './openapiParts.ts';
import { idempotencyKeySchema } from '#features/training/shared/createJob.ts';
import { logQuerySchema, modelNameSchema, progressQuerySchema } from '#features/training/shared/trainingRecords.ts';
import { IDEMPOTENCY_HEADER, TRAINING_ROUTES } from '#features/training/shared/trainingRoutes.ts';

const OURS = 'Not in SPEC: only a local studio trains, and a gateway answers 404.';
const KEY = params('header', z.object({ [IDEMPOTENCY_HEADER]: z.optional(idempotencyKeySchema) }));
const jobId = pathParam('jobId', 'UUID of the job.');
const experimentId = pathParam('experimentId', 'UUID of the experiment.');

const action = (operationId: string, summary: string, description: string, ...more: readonly number[]): Json => ({
  post: {
    tags: ['Training'],
    operationId,
    summary,
    description: `${description} ${OURS}`,
    parameters: [experimentId],
    responses: { '200': answer('As it is now.', 'TrainingProgress'), ...failures(400, 401, 404, 409, ...more) },
  },
});

export function toTrainingPaths(): Json {
  return {
    [TRAINING_ROUTES.createJob]: {
      post: {
        tags: ['Training'],
        operationId: 'createJob',
        summary: 'Start a fine-tuning job',
        description:
          'Its experiments are trained one after another. Poll the job. A queue that is full answers 429. Not in SPEC: as in the SDK of the hosted studio.',
        parameters: KEY,
        requestBody: { required: true, content: json('NewJob') },
        responses: { '201': answer('It is queued.', 'JobMade'), ...failures(400, 401, 404, 409, 413, 415, 429) },
      },
    },
    [TRAINING_ROUTES.generateRecommendation]: {
      post: {
        tags: ['Recommendations'],
        operationId: 'generateRecommendation',
        summary: 'Compute the recommendation for a snapshot, again too',
        description: 'Poll the recommendation afterwards. Not in SPEC: as in the SDK of the hosted studio.',
        requestBody: { required: true, content: json('SnapshotName') },
        responses: { '202': answer('It is computed.', 'SnapshotName'), ...failures(400, 401, 404, 413, 415) },
      },
    },
    [TRAINING_ROUTES.duplicateJob]: {
      post: {
        tags: ['Training'],
        operationId: 'duplicateJob',
        summary: 'Start the experiments of a job again, as a new job',
        description: OURS,
        parameters: [jobId, ...KEY],
        responses: { '201': answer('It is queued.', 'JobMade'), ...failures(400, 401, 404, 409, 429) },
      },
    },
    [TRAINING_ROUTES.cancelJob]: {
      post: {
        tags: ['Training'],
        operationId: 'cancelJob',
        summary: 'Cancel all experiments of a job that have not ended',
        description: OURS,
        parameters: [jobId],
        responses: { '200': answer('They end.', 'JobMade'), ...failures(400, 401, 404, 409) },
      },
    },
    [TRAINING_ROUTES.training]: {
      get: {
        tags: ['Training'],
        operationId: 'getTrainingQueue',
        summary: 'What trains here, and what waits',
        description: OURS,
        responses: { '200': answer('The trainer and its queue.', 'TrainingQueue'), ...NOT_MODIFIED, ...failures(401) },
      },
    },
    [TRAINING_ROUTES.bases]: {
      get: {
        tags: ['Training'],
        operationId: 'getTrainingBases',
        summary: 'Which models can be trained here, and their form',
        description: OURS,
        responses: {
          '200': answer('Those with files here.', 'TrainingBases'),
          ...NOT_MODIFIED,
          ...failures(401, ...BOUNDED),
        },
      },
    },
    [TRAINING_ROUTES.queue]: {
      put: {
        tags: ['Training'],
        operationId: 'orderTrainingQueue',
        summary: 'Put experiments first',
        description: `Those that are not named come after them. ${OURS}`,
        requestBody: { required: true, content: json('TrainingOrder') },
        responses: { '200': answer('The queue.', 'TrainingQueue'), ...failures(400, 401, 409, 413, 415) },
      },
    },
    [TRAINING_ROUTES.cancelExperiment]: action('cancelExperiment', 'Cancel an experiment', 'Nothing of it is kept.'),
    [TRAINING_ROUTES.stopExperiment]: action(
      'stopExperiment',
      'Stop an experiment and keep its checkpoint',
      'The trainer saves a checkpoint first.',
    ),
    [TRAINING_ROUTES.resumeExperiment]: action(
      'resumeExperiment',
      'Go on from the last checkpoint',
      'Of an experiment that was stopped or has failed.',
      429,
    ),
    [TRAINING_ROUTES.progress]: {
      get: {
        tags: ['Training'],
        operationId: 'getTrainingProgress',
        summary: 'How far a training is',
        description: `Curves of all metrics: \`POST /api/v1/studio/curves\`. ${OURS}`,
        parameters: [experimentId, ...params('query', progressQuerySchema)],
        responses: {
          '200': answer('Its state and steps.', 'TrainingProgress'),
          ...NOT_MODIFIED,
          ...failures(400, 401, 404, ...BOUNDED),
        },
      },
    },
    [TRAINING_ROUTES.log]: {
      get: {
        tags: ['Training'],
        operationId: 'getTrainingLog',
        summary: 'What the trainer wrote',
        description: `The last 4 million characters are kept. ${OURS}`,
        parameters: [experimentId, ...params('query', logQuerySchema)],
        responses: {
          '200': answer('A part of it.', 'TrainingLog'),
          ...NOT_MODIFIED,
          ...failures(400, 401, 404, ...BOUNDED),
        },
      },
    },
    [TRAINING_ROUTES.command]: {
      get: {
        tags: ['Training'],
        operationId: 'getTrainingCommand',
        summary: 'What exactly runs: the command and its job file',
        description: OURS,
        parameters: [experimentId],
        responses: { '200': answer('To copy.', 'TrainingCommand'), ...failures(400, 401, 404) },
      },
    },
    [TRAINING_ROUTES.preview]: {
      post: {
        tags: ['Training'],
        operationId: 'previewJob',
        summary: 'What exactly would run: the command and the job file of each experiment of a job that is not started',
        description: `${OURS} Nothing is stored or started.`,
        requestBody: { required: true, content: json('NewJob') },
        responses: { '200': answer('To copy.', 'TrainingPreview'), ...failures(400, 401, 413, 415) },
      },
    },
    [TRAINING_ROUTES.takeAway]: {
      get: {
        tags: ['Training'],
        operationId: 'getTakeAway',
        summary: 'How to serve a finished model elsewhere: an Ollama Modelfile, and commands',
        description: OURS,
        parameters: [experimentId],
        responses: { '200': answer('To copy.', 'TakeAway'), ...failures(400, 401, 404, ...BOUNDED) },
      },
    },
    [TRAINING_ROUTES.takenFile]: {
      get: {
        tags: ['Training'],
        operationId: 'downloadModelFile',
        summary: 'Download a file of a finished model',
        description: `A GGUF file, or the Modelfile for Ollama, which names the files as they are downloaded. ${OURS}`,
        parameters: [experimentId, pathParam('name', '`name` of a file in `take-away`, or `Modelfile`.', anyName)],
        responses: {
          '200': {
            description: 'The file. `Content-Length` says its size, `Content-Disposition` its name.',
            content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
          },
          ...failures(400, 401, 404, 429),
        },
      },
    },
    [TRAINING_ROUTES.modelRunning]: {
      get: {
        tags: ['Chat'],
        operationId: 'isModelRunning',
        summary: 'Is a model in memory?',
        description: 'Not in SPEC: as in the SDK of the hosted studio.',
        parameters: params('query', modelNameSchema),
        responses: { '200': answer('true: it answers at once.', 'ModelRunning'), ...failures(400, 401, 404) },
      },
    },
    [TRAINING_ROUTES.modelUp]: {
      post: {
        tags: ['Chat'],
        operationId: 'loadModel',
        summary: 'Load a model and keep it in memory',
        description: 'Not in SPEC: as in the SDK of the hosted studio.',
        requestBody: { required: true, content: json('ModelName') },
        responses: { '200': answer('It is in memory.', 'Message'), ...failures(400, 401, 404, 413, 415, 503) },
      },
    },
    [TRAINING_ROUTES.modelDown]: {
      post: {
        tags: ['Chat'],
        operationId: 'unloadModel',
        summary: 'Free the memory of a model',
        description: 'Running answers end first. Not in SPEC: as in the SDK of the hosted studio.',
        requestBody: { required: true, content: json('ModelName') },
        responses: { '200': answer('It is freed.', 'Message'), ...failures(400, 401, 404, 413, 415, 422) },
      },
    },
  };
}
