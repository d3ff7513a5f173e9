// Chats with saved weights of runs.
import * as z from 'zod/mini';
import { defineEndpoints } from '#core/contract/endpoint.ts';
import { anyNameSchema } from '#core/contract/schemas.ts';
import {
  ggufQuerySchema,
  servedSchema,
  servingOfferSchema,
  servingQuerySchema,
  servingRequestSchema,
} from './serving.ts';

export const SERVING = defineEndpoints(
  { tag: 'Runs', source: 'Not in SPEC: only a local studio reads folders, and a gateway answers 404.' },
  {
    listServingWays: {
      method: 'GET',
      path: '/api/v1/studio/runs/{runId}/serving',
      title: 'List the ways to chat with saved weights of a run',
      about: `Asks the server of \`--engine\` what it is.`,
      query: servingQuerySchema,
      answer: { ServingOffer: servingOfferSchema },
      says: 'The ways, with reasons and commands.',
      load: 'folder',
    },
    serveCheckpoint: {
      method: 'POST',
      path: '/api/v1/studio/runs/{runId}/serving',
      title: 'Make a model of saved weights',
      about: `An adapter is converted for llama.cpp, or loaded by the server of \`--engine\`.`,
      body: { ServingRequest: servingRequestSchema },
      bodyBytes: 64 * 1024,
      answer: { Served: servedSchema },
      status: 201,
      says: 'The model to chat with.',
      failures: [422],
    },
    downloadGguf: {
      method: 'GET',
      path: '/api/v1/studio/runs/{runId}/gguf',
      title: 'Download saved weights of a run as a GGUF file',
      about:
        'A whole model, or an adapter for one of the models here. It is made while it is sent, and not kept. 422: it can’t be ' +
        'made exactly; the message says why.',
      query: ggufQuerySchema,
      file: 'application/octet-stream',
      says: 'The file. `Content-Length` says its size, `Content-Disposition` its name.',
      failures: [422],
      load: 'file',
    },
    stopServing: {
      method: 'DELETE',
      path: '/api/v1/studio/served-models/{modelId}',
      title: 'Stop serving saved weights of a run',
      about: 'The weights stay in their folder.',
      params: { modelId: anyNameSchema.check(z.describe('Id of the model.')) },
      says: 'Stopped.',
      failures: [404, 422],
    },
  },
);

declare module '#core/contract/endpoint.ts' {
  interface EndpointGroups {
    readonly serving: typeof SERVING;
  }
}
