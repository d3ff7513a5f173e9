// The OpenAPI 3.1 document of the service, made from the same schemas that validate (SPEC 2 to 8).
// Only the service loads it: the schema converter is large, and the browser doesn't need it.
import * as z from 'zod/mini';
import { chatRequestSchema } from './chatRequest.ts';
import {
  chatMessageSchema,
  responseFormatSchema,
  toolCallSchema,
  toolChoiceSchema,
  toolSchema,
} from './chatMessage.ts';
import { chunkSchema, completionSchema, modelListSchema, usageSchema } from './completion.ts';
import { jobExperimentSchema, jobSchema, lossPointSchema } from './job.ts';
import { SAMPLING_PARAMETERS } from './samplingParameters.ts';
import {
  experimentRecommendationSchema,
  hyperparametersSchema,
  modelRecommendationSchema,
  recommendationSchema,
} from './recommendation.ts';
import { ROUTES } from './routes.ts';
import {
  datasetNodeSchema,
  experimentNodeSchema,
  jobNodeSchema,
  projectListSchema,
  projectNodeSchema,
  projectResponseSchema,
  snapshotNodeSchema,
} from './tree.ts';

const errorSchema = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.nullable(z.string()),
    code: z.nullable(z.string()),
  }),
});

const sessionSchema = z.object({
  mode: z.enum(['local', 'gateway']),
  remote: z.nullable(z.string()),
  learning_rate_is_absolute: z.nullable(z.boolean()),
});
const signInSchema = z.object({ token: z.string() });
const examplesSchema = z.nullable(
  z.object({
    model: z.string(),
    about: z.string(),
    system_prompt: z.string(),
    tools: z.array(toolSchema),
    prompts: z.array(z.string()),
  }),
);
const checkSchema = z.enum(['ok', 'failed', 'unused', 'unknown']);
const readySchema = z.object({
  status: z.enum(['ready', 'not_ready', 'starting']),
  checks: z.object({ database: checkSchema, engine: checkSchema }),
});
const healthSchema = z.object({ status: z.literal('ok'), version: z.string() });

const SCHEMAS = {
  ProjectResponse: projectResponseSchema,
  Project: projectNodeSchema,
  Dataset: datasetNodeSchema,
  Snapshot: snapshotNodeSchema,
  FinetuningJob: jobNodeSchema,
  Experiment: experimentNodeSchema,
  ProjectList: projectListSchema,
  Job: jobSchema,
  JobExperiment: jobExperimentSchema,
  LossPoint: lossPointSchema,
  Recommendation: recommendationSchema,
  ModelRecommendation: modelRecommendationSchema,
  ExperimentRecommendation: experimentRecommendationSchema,
  Hyperparameters: hyperparametersSchema,
  ChatRequest: chatRequestSchema,
  ChatMessage: chatMessageSchema,
  ToolCall: toolCallSchema,
  Tool: toolSchema,
  ToolChoice: toolChoiceSchema,
  ResponseFormat: responseFormatSchema,
  Completion: completionSchema,
  Chunk: chunkSchema,
  Usage: usageSchema,
  ModelList: modelListSchema,
  Session: sessionSchema,
  SignIn: signInSchema,
  Examples: examplesSchema,
  Health: healthSchema,
  Ready: readySchema,
  Error: errorSchema,
} as const;

type SchemaName = keyof typeof SCHEMAS;
type Json = Record<string, unknown>;

/** False for bounds that only mean "a number that JSON carries exactly": readers would take them for limits. */
function isPublished(name: string, value: unknown): boolean {
  return !(
    (name === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
    (name === 'minimum' && value === Number.MIN_SAFE_INTEGER)
  );
}

function toPublished(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toPublished);
  if (typeof schema !== 'object' || schema === null) return schema;
  const fields = Object.entries(schema).filter(([name, value]) => isPublished(name, value));
  return Object.fromEntries(fields.map(([name, value]) => [name, toPublished(value)]));
}

function toComponents(): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    io: 'input',
    unrepresentable: 'any',
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const { $schema: _dialect, $id: _id, ...rest } = schema;
      return [id, toPublished(rest)];
    }),
  );
}

/** Adds descriptions, and the defaults of SPEC 4.3: the schema that validates leaves those to the engine. */
function addDefaults(components: Json): void {
  const request = components['ChatRequest'];
  const properties =
    typeof request === 'object' && request !== null && 'properties' in request ? request.properties : null;
  if (typeof properties !== 'object' || properties === null) return;
  for (const [name, schema] of Object.entries(properties as Json)) {
    if (typeof schema !== 'object' || schema === null) continue;
    const parameter = Object.entries(SAMPLING_PARAMETERS).find(([key]) => key === name)?.[1];
    if (parameter) Object.assign(schema, { description: parameter.about, default: parameter.fallback });
    if (name === 'stream') Object.assign(schema, { default: false });
    if (name === 'max_completion_tokens') Object.assign(schema, { default: null });
  }
}

const ref = (name: SchemaName): Json => ({ $ref: `#/components/schemas/${name}` });
const json = (name: SchemaName): Json => ({ 'application/json': { schema: ref(name) } });
const answer = (description: string, name: SchemaName): Json => ({ description, content: json(name) });

const REASONS: Readonly<Record<number, string>> = {
  400: 'The request is not valid; `param` names the field.',
  401: 'No token, or a wrong one.',
  404: 'There is nothing of this id.',
  413: 'The body is too large.',
  415: 'The body is not declared as JSON.',
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
  const components = toComponents();
  addDefaults(components);
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
      { name: 'Chat' },
      { name: 'Session' },
      { name: 'Service' },
    ],
    security: [{ bearer: [] }, { cookie: [] }],
    paths: toPaths(),
    components: {
      schemas: components,
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
