// The endpoints of machines that train for the studio. ASSUMED: not in SPEC. Only a local studio hands out runs.
import * as z from 'zod/mini';
import { defineEndpoints } from '#core/contract/endpoint.ts';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import {
  INPUTS,
  leaseSchema,
  linesReplySchema,
  outputNameSchema,
  outputQuerySchema,
  sentEndSchema,
  sentLinesSchema,
  claimSchema,
  wantedLeaseSchema,
} from './worker.ts';

const OURS = 'Not in SPEC: for `model-studio worker`, and programs of your own that train. A gateway answers 404.';
const LOST = 'A lease that has ended is 409: another machine may have the run. End the trainer.';

export const WORKERS = defineEndpoints(
  { tag: 'Workers', source: OURS },
  {
    leaseRun: {
      method: 'POST',
      path: '/api/v1/studio/workers/lease',
      title: 'Take the next run of the queue',
      about: 'Ask again some seconds after 204.',
      body: { WantedLease: wantedLeaseSchema },
      bodyBytes: 8 * 1024,
      answer: { Lease: leaseSchema },
      says: 'The run, with its job file.',
      others: { 204: { says: 'Nothing waits that this machine can train.' } },
      isQuiet: true,
      takesRunToken: true,
    },
    claimRun: {
      method: 'POST',
      path: '/api/v1/studio/workers/claim',
      title: 'Make a token of your own that of one run',
      about:
        'With the code that a launcher gave the job of this run: it is good once. The same two again are answered as before; 409: ' +
        'the code was used, or its run has ended.',
      body: { Claim: claimSchema },
      bodyBytes: 8 * 1024,
      says: 'The token may act on the run.',
      failures: [409],
      isOpen: true,
      isQuiet: true,
    },
    sendLines: {
      method: 'POST',
      path: '/api/v1/studio/workers/leases/{leaseId}/lines',
      title: 'Send lines of the trainer; without lines: keep the lease',
      about: `${LOST}`,
      body: { SentLines: sentLinesSchema },
      bodyBytes: REQUEST_LIMITS.bodyBytes,
      answer: { LinesReply: linesReplySchema },
      says: 'What a person wants of the run.',
      failures: [409],
      isQuiet: true,
      takesRunToken: true,
    },
    endLease: {
      method: 'POST',
      path: '/api/v1/studio/workers/leases/{leaseId}/end',
      title: 'Say how the trainer ended',
      about: `${LOST}`,
      body: { SentEnd: sentEndSchema },
      bodyBytes: REQUEST_LIMITS.bodyBytes,
      says: 'The lease has ended.',
      failures: [409],
      isQuiet: true,
      takesRunToken: true,
    },
    getInput: {
      method: 'GET',
      path: '/api/v1/studio/workers/leases/{leaseId}/input/{name}',
      title: 'Download rows, or weights to start from',
      about: `${LOST}`,
      params: { name: z.enum(INPUTS).check(z.describe('Which file.')) },
      file: 'application/octet-stream',
      says: 'The file.',
      failures: [409],
      takesRunToken: true,
    },
    getOutput: {
      method: 'GET',
      path: '/api/v1/studio/workers/leases/{leaseId}/output/{name}',
      title: 'Download a file of the last checkpoint',
      about: `${LOST}`,
      params: { name: outputNameSchema.check(z.describe('A name of `saved`.')) },
      file: 'application/octet-stream',
      says: 'The file.',
      failures: [409],
      takesRunToken: true,
    },
    putOutput: {
      method: 'PUT',
      path: '/api/v1/studio/workers/leases/{leaseId}/output/{name}',
      title: 'Upload a file of a checkpoint, or a trained model, before the line that names it',
      about:
        'A checkpoint takes the place of the one before. It is kept whole or not at all. 413: the disk, or the limit of one ' +
        `file or of all files of the run, has no room for it. ${LOST}`,
      params: { name: outputNameSchema.check(z.describe('Letters, digits and `._-`.')) },
      query: outputQuerySchema,
      upload: true,
      says: 'It is kept.',
      failures: [409],
      isQuiet: true,
      takesRunToken: true,
    },
  },
);

declare module '#core/contract/endpoint.ts' {
  interface EndpointGroups {
    readonly workers: typeof WORKERS;
  }
}
