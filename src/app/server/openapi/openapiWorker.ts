// The operations of the OpenAPI document on machines that train for the studio.
import * as z from 'zod/mini';
import type { Json } from './openapiComponents.ts';
import { answer, failures, json, params, pathParam } from './openapiParts.ts';
import { INPUTS, outputNameSchema, outputQuerySchema, WORKER_ROUTES } from '#features/training/shared/worker.ts';

const OURS = 'Not in SPEC: for `model-studio worker`, and programs of your own that train. A gateway answers 404.';
const LOST = 'A lease that has ended is 409: another machine may have the run. End the trainer.';
const leaseId = pathParam('leaseId', 'UUID of the lease.');
const bytes = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };

const post = (operationId: string, summary: string, body: 'SentLines' | 'SentEnd', good: Json): Json => ({
  post: {
    tags: ['Workers'],
    operationId,
    summary,
    description: `${LOST} ${OURS}`,
    parameters: [leaseId],
    requestBody: { required: true, content: json(body) },
    responses: { ...good, ...failures(400, 401, 404, 409, 413, 415) },
  },
});

export function toWorkerPaths(): Json {
  return {
    [WORKER_ROUTES.lease]: {
      post: {
        tags: ['Workers'],
        operationId: 'leaseRun',
        summary: 'Take the next run of the queue',
        description: `Ask again some seconds after 204. ${OURS}`,
        requestBody: { required: true, content: json('WantedLease') },
        responses: {
          '200': answer('The run, with its job file.', 'Lease'),
          '204': { description: 'Nothing waits that this machine can train.' },
          ...failures(400, 401, 413, 415),
        },
      },
    },
    [WORKER_ROUTES.lines]: post('sendLines', 'Send lines of the trainer; without lines: keep the lease', 'SentLines', {
      '200': answer('What a person wants of the run.', 'LinesReply'),
    }),
    [WORKER_ROUTES.end]: post('endLease', 'Say how the trainer ended', 'SentEnd', {
      '204': { description: 'The lease has ended.' },
    }),
    [WORKER_ROUTES.input]: {
      get: {
        tags: ['Workers'],
        operationId: 'getInput',
        summary: 'Download rows, or weights to start from',
        description: `${LOST} ${OURS}`,
        parameters: [leaseId, pathParam('name', 'Which file.', z.enum(INPUTS))],
        responses: { '200': { description: 'The file.', content: bytes }, ...failures(400, 401, 404, 409) },
      },
    },
    [WORKER_ROUTES.output]: {
      get: {
        tags: ['Workers'],
        operationId: 'getOutput',
        summary: 'Download a file of the last checkpoint',
        description: `${LOST} ${OURS}`,
        parameters: [leaseId, pathParam('name', 'A name of `saved`.', outputNameSchema)],
        responses: { '200': { description: 'The file.', content: bytes }, ...failures(400, 401, 404, 409) },
      },
      put: {
        tags: ['Workers'],
        operationId: 'putOutput',
        summary: 'Upload a file of a checkpoint, or a trained model, before the line that names it',
        description:
          'A checkpoint takes the place of the one before. It is kept whole or not at all. 413: the disk, or the limit of one ' +
          `file or of all files of the run, has no room for it. ${LOST} ${OURS}`,
        parameters: [
          leaseId,
          pathParam('name', 'Letters, digits and `._-`.', outputNameSchema),
          ...params('query', outputQuerySchema),
        ],
        requestBody: { required: true, content: bytes },
        responses: { '204': { description: 'It is kept.' }, ...failures(400, 401, 404, 409, 413, 415) },
      },
    },
  };
}
