// The endpoints of jobs, trainings and models in memory.
// ASSUMED: not in SPEC. Those below /public and /models are of the hosted studio's SDK; only a local studio has the others.
import * as z from 'zod/mini';
import { defineEndpoints } from '#core/contract/endpoint.ts';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { anyNameSchema } from '#core/contract/schemas.ts';
import { createdJobSchema, createJobSchema, generateRecommendationSchema, idempotencyKeySchema } from './createJob.ts';
import { launchersSchema } from './launchers.ts';
import { IDEMPOTENCY_HEADER } from './idempotency.ts';
import {
  logQuerySchema,
  messageSchema,
  modelNameSchema,
  modelRunningSchema,
  progressQuerySchema,
  progressSchema,
  queueOrderSchema,
  takeAwaySchema,
  trainingBasesSchema,
  trainingCommandSchema,
  trainingLogSchema,
  trainingObjectivesSchema,
  trainingPreviewSchema,
  trainingQueueSchema,
} from './trainingRecords.ts';

const SDK = 'Not in SPEC: as in the SDK of the hosted studio.';
const OURS = 'Not in SPEC: only a local studio trains, and a gateway answers 404.';
const SMALL_BYTES = 64 * 1024;
const NAME_BYTES = 4096;

const keySchema = z.object({ [IDEMPOTENCY_HEADER]: z.optional(idempotencyKeySchema) });
const asItIs = { answer: { TrainingProgress: progressSchema }, says: 'As it is now.' };

export const TRAINING = defineEndpoints(
  { tag: 'Training', source: OURS },
  {
    createJob: {
      method: 'POST',
      path: '/api/v1/public/finetuning/create',
      title: 'Start a fine-tuning job',
      about: 'Its experiments are trained one after another. Poll the job. A queue that is full answers 429.',
      source: SDK,
      headers: keySchema,
      body: { NewJob: createJobSchema },
      bodyBytes: REQUEST_LIMITS.bodyBytes,
      answer: { JobMade: createdJobSchema },
      status: 201,
      says: 'It is queued.',
      failures: [404, 409, 429],
    },
    generateRecommendation: {
      method: 'POST',
      path: '/api/v1/public/recommendations/generate',
      tag: 'Recommendations',
      title: 'Compute the recommendation for a snapshot, again too',
      about: 'Poll the recommendation afterwards.',
      source: SDK,
      body: { SnapshotName: generateRecommendationSchema },
      bodyBytes: SMALL_BYTES,
      answer: { SnapshotName: generateRecommendationSchema },
      status: 202,
      says: 'It is computed.',
      failures: [404],
    },
    duplicateJob: {
      method: 'POST',
      path: '/api/v1/studio/jobs/{jobId}/duplicate',
      title: 'Start the experiments of a job again, as a new job',
      headers: keySchema,
      answer: { JobMade: createdJobSchema },
      status: 201,
      says: 'It is queued.',
      failures: [409, 429],
    },
    cancelJob: {
      method: 'POST',
      path: '/api/v1/studio/jobs/{jobId}/cancel',
      title: 'Cancel all experiments of a job that have not ended',
      answer: { JobMade: createdJobSchema },
      says: 'They end.',
      failures: [409],
    },
    getTrainingQueue: {
      method: 'GET',
      path: '/api/v1/studio/training',
      title: 'What trains here, and what waits',
      answer: { TrainingQueue: trainingQueueSchema },
      says: 'The trainer and its queue.',
      isTagged: true,
    },
    getTrainingBases: {
      method: 'GET',
      path: '/api/v1/studio/training/bases',
      title: 'Which models can be trained here, and their form',
      answer: { TrainingBases: trainingBasesSchema },
      says: 'Those with files here.',
      isTagged: true,
      load: 'page',
    },
    listLaunchers: {
      method: 'GET',
      path: '/api/v1/studio/launchers',
      title: 'Which clusters runs can be given to',
      about: 'As the operator has configured them.',
      answer: { Launchers: launchersSchema },
      says: 'The launchers.',
      isTagged: true,
    },
    getTrainingObjectives: {
      method: 'GET',
      path: '/api/v1/studio/snapshots/{snapshotId}/objectives',
      title: 'What a training of a snapshot may learn from: answers, pairs, labels, rewards',
      answer: { TrainingObjectives: trainingObjectivesSchema },
      says: 'Each objective, and why it can not be chosen. The first rows of the snapshot are looked at.',
    },
    orderTrainingQueue: {
      method: 'PUT',
      path: '/api/v1/studio/training/queue',
      title: 'Put experiments first',
      about: 'Those that are not named come after them.',
      body: { TrainingOrder: queueOrderSchema },
      bodyBytes: SMALL_BYTES,
      answer: { TrainingQueue: trainingQueueSchema },
      says: 'The queue.',
      failures: [409],
    },
    cancelExperiment: {
      method: 'POST',
      path: '/api/v1/studio/experiments/{experimentId}/cancel',
      title: 'Cancel an experiment',
      about: 'Nothing of it is kept.',
      ...asItIs,
      failures: [409],
    },
    stopExperiment: {
      method: 'POST',
      path: '/api/v1/studio/experiments/{experimentId}/stop',
      title: 'Stop an experiment and keep its checkpoint',
      about: 'The trainer saves a checkpoint first.',
      ...asItIs,
      failures: [409],
    },
    resumeExperiment: {
      method: 'POST',
      path: '/api/v1/studio/experiments/{experimentId}/resume',
      title: 'Go on from the last checkpoint',
      about: 'Of an experiment that was stopped or has failed.',
      ...asItIs,
      failures: [409, 429],
    },
    getTrainingProgress: {
      method: 'GET',
      path: '/api/v1/studio/experiments/{experimentId}/progress',
      title: 'How far a training is',
      about: `Curves of all metrics: \`POST /api/v1/studio/curves\`.`,
      query: progressQuerySchema,
      answer: { TrainingProgress: progressSchema },
      isNullable: true,
      says: 'Its state and steps; null of an experiment that was trained elsewhere, such as one of the sample.',
      isTagged: true,
      load: 'page',
    },
    getTrainingLog: {
      method: 'GET',
      path: '/api/v1/studio/experiments/{experimentId}/log',
      title: 'What the trainer wrote',
      about: 'The last 4 million characters are kept.',
      query: logQuerySchema,
      answer: { TrainingLog: trainingLogSchema },
      says: 'A part of it.',
      isTagged: true,
      load: 'page',
    },
    getTrainingCommand: {
      method: 'GET',
      path: '/api/v1/studio/experiments/{experimentId}/command',
      title: 'What exactly runs: the command and its job file',
      answer: { TrainingCommand: trainingCommandSchema },
      says: 'To copy.',
    },
    previewJob: {
      method: 'POST',
      path: '/api/v1/studio/training/preview',
      title: 'What exactly would run: the command and the job file of each experiment of a job that is not started',
      about: 'Nothing is stored or started.',
      changesNothing: true,
      body: { NewJob: createJobSchema },
      bodyBytes: REQUEST_LIMITS.bodyBytes,
      answer: { TrainingPreview: trainingPreviewSchema },
      says: 'To copy.',
    },
    getTakeAway: {
      method: 'GET',
      path: '/api/v1/studio/experiments/{experimentId}/take-away',
      title: 'How to serve a finished model elsewhere: an Ollama Modelfile, and commands',
      answer: { TakeAway: takeAwaySchema },
      says: 'To copy.',
      load: 'render',
    },
    downloadModelFile: {
      method: 'GET',
      path: '/api/v1/studio/experiments/{experimentId}/files/{name}',
      title: 'Download a file of a finished model',
      about: 'A GGUF file, or the Modelfile for Ollama, which names the files as they are downloaded.',
      params: { name: anyNameSchema.check(z.describe('`name` of a file in `take-away`, or `Modelfile`.')) },
      file: 'application/octet-stream',
      says: 'The file. `Content-Length` says its size, `Content-Disposition` its name.',
      load: 'file',
    },
    isModelRunning: {
      method: 'GET',
      path: '/api/v1/models/running',
      tag: 'Chat',
      title: 'Is a model in memory?',
      source: SDK,
      query: modelNameSchema,
      answer: { ModelRunning: modelRunningSchema },
      says: 'true: it answers at once.',
      failures: [404],
    },
    loadModel: {
      method: 'POST',
      path: '/api/v1/models/up',
      tag: 'Chat',
      title: 'Load a model and keep it in memory',
      source: SDK,
      body: { ModelName: modelNameSchema },
      bodyBytes: NAME_BYTES,
      answer: { Message: messageSchema },
      says: 'It is in memory.',
      failures: [404],
    },
    unloadModel: {
      method: 'POST',
      path: '/api/v1/models/down',
      tag: 'Chat',
      title: 'Free the memory of a model',
      about: 'Running answers end first.',
      source: SDK,
      body: { ModelName: modelNameSchema },
      bodyBytes: NAME_BYTES,
      answer: { Message: messageSchema },
      says: 'It is freed.',
      failures: [404, 422],
    },
  },
);

declare module '#core/contract/endpoint.ts' {
  interface EndpointGroups {
    readonly training: typeof TRAINING;
  }
}
