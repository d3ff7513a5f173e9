// The schemas of the OpenAPI document, made from those that validate (SPEC 2 to 8): those that the endpoints name, and those
// that are a part of several.
import * as z from 'zod/mini';
import {
  chatMessageSchema,
  responseFormatSchema,
  rowMessageSchema,
  toolCallSchema,
  toolChoiceSchema,
  toolSchema,
} from '#core/contract/chatMessage.ts';
import { chunkSchema, usageSchema } from '#core/contract/completion.ts';
import { newRowSchema } from '#features/datasets/shared/contract/newRow.ts';
import { rowMappingSchema } from '#features/datasets/shared/contract/rowMapping.ts';
import type { Endpoint, Named } from '#core/contract/endpoint.ts';
import { ENDPOINTS } from './endpoints.ts';
import { jobExperimentSchema, lossPointSchema } from '#core/contract/job.ts';
import type { Json } from './openapiOperation.ts';
import {
  experimentRecommendationSchema,
  hyperparametersSchema,
  modelRecommendationSchema,
} from '#core/contract/recommendation.ts';
import { SAMPLING_PARAMETERS } from '#core/contract/samplingParameters.ts';
import { textChunkSchema } from '#core/contract/textCompletion.ts';
import {
  datasetNodeSchema,
  experimentNodeSchema,
  jobNodeSchema,
  projectNodeSchema,
  snapshotNodeSchema,
} from '#core/contract/tree.ts';

const errorSchema = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.nullable(z.string()),
    code: z.nullable(z.string()),
    current: z
      .optional(z.unknown())
      .check(z.describe('Of 409: what stands now, of a record that was changed since it was read; null: it is gone.')),
  }),
});

const PARTS: Named = {
  Project: projectNodeSchema,
  Dataset: datasetNodeSchema,
  Snapshot: snapshotNodeSchema,
  FinetuningJob: jobNodeSchema,
  Experiment: experimentNodeSchema,
  JobExperiment: jobExperimentSchema,
  LossPoint: lossPointSchema,
  RowMessage: rowMessageSchema,
  NewRow: newRowSchema,
  RowMapping: rowMappingSchema,
  ModelRecommendation: modelRecommendationSchema,
  ExperimentRecommendation: experimentRecommendationSchema,
  Hyperparameters: hyperparametersSchema,
  ChatMessage: chatMessageSchema,
  ToolCall: toolCallSchema,
  Tool: toolSchema,
  ToolChoice: toolChoiceSchema,
  ResponseFormat: responseFormatSchema,
  Chunk: chunkSchema,
  TextChunk: textChunkSchema,
  Usage: usageSchema,
  Error: errorSchema,
};

/** What an endpoint sends and takes. */
const toNamed = ({ body, form, answer, events }: Endpoint): Named => ({
  ...body,
  ...form,
  ...answer,
  ...(typeof events === 'object' && events),
});

/** Adds descriptions, and the defaults of SPEC 4.3: the schema that validates leaves those to the engine. */
function addDefaults(components: Json): void {
  const request = components['ChatRequest'];
  const properties =
    typeof request === 'object' && request !== null && 'properties' in request ? request.properties : null;
  if (typeof properties !== 'object' || properties === null) return;
  for (const [name, schema] of Object.entries(properties as Json)) {
    if (typeof schema !== 'object' || schema === null) continue;
    const parameter = Object.entries(SAMPLING_PARAMETERS).find(([key]) => key === name)?.[1];
    // Of ours the default is the engine's own.
    if (parameter)
      Object.assign(schema, {
        description: parameter.about,
        ...('isOwn' in parameter ? {} : { default: parameter.fallback }),
      });
    if (name === 'stream') Object.assign(schema, { default: false });
    if (name === 'max_completion_tokens') Object.assign(schema, { default: null });
  }
}

/** All schemas by name, with the descriptions and defaults of SPEC 4.3. */
export function toComponents(): Json {
  const registry = z.registry<{ id: string }>();
  const named: Named = Object.assign({}, PARTS, ...ENDPOINTS.map(toNamed));
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    io: 'input',
    unrepresentable: 'any',
  });
  const components: Json = Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const { $schema: _dialect, $id: _id, ...rest } = schema;
      return [id, rest];
    }),
  );
  addDefaults(components);
  return components;
}
