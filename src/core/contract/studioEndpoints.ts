// The endpoints of SPEC 4, and what goes with them: projects, recommendations, jobs, chat, models, the session.
import * as z from 'zod/mini';
import { toolSchema } from './chatMessage.ts';
import { chatRequestSchema } from './chatRequest.ts';
import { chatEventSchema, completionSchema, modelListSchema, modelSchema } from './completion.ts';
import { defineEndpoints } from './endpoint.ts';
import { jobSchema, mainMeasureSchema } from './job.ts';
import { recommendationSchema } from './recommendation.ts';
import { anyNameSchema, uuidSchema } from './schemas.ts';
import { projectListSchema, projectResponseSchema } from './tree.ts';
import { rowErrorsSchema } from './rowErrors.ts';
import { ROW_BUCKETS } from './rowsFile.ts';
import { responsesAnswerSchema, responsesRequestSchema } from './responses.ts';
import { textCompletionSchema, textRequestSchema } from './textCompletion.ts';

const sessionSchema = z.object({
  mode: z
    .enum(['local', 'gateway'])
    .check(z.describe('local: this service is the studio. gateway: it passes requests on to a remote studio.')),
  remote: z.nullable(z.string().check(z.describe("The remote studio's origin, in gateway mode."))),
  learning_rate_is_absolute: z.nullable(
    z
      .boolean()
      .check(
        z.describe(
          'true: `learning_rate_multiplier` is the peak learning rate itself. false: a factor. null: unknown, because ' +
            'services differ.',
        ),
      ),
  ),
  who: z
    .nullable(z.string())
    .check(z.describe("The name of the token of this request; null: the studio's own, which is the owner's.")),
  rights: z
    .enum(['read', 'write', 'own'])
    .check(
      z.describe(
        'read: requests that change what the studio keeps are answered 403. write: they are not. own: the token is the ' +
          "studio's own.",
      ),
    ),
});
const signInSchema = z.object({ token: z.string() });
const examplesSchema = z.nullable(
  z.object({
    model: z.string(),
    about: z.string(),
    system_prompt: z.string(),
    tools: z.array(toolSchema),
    response_format: z.nullable(
      z.object({
        type: z.literal('json_schema'),
        json_schema: z.object({ name: z.string(), schema: z.record(z.string(), z.unknown()), strict: z.boolean() }),
      }),
    ),
    turns: z.nullable(z.enum(['single', 'multi'])),
    continues_after_tool: z.nullable(z.boolean()),
    prompts: z.array(z.string()),
  }),
);
const checkSchema = z.enum(['ok', 'failed', 'unused', 'unknown']);
const readySchema = z.object({
  status: z.enum(['ready', 'not_ready', 'starting']),
  checks: z.object({ database: checkSchema, engine: checkSchema }),
});
const healthSchema = z.object({ status: z.literal('ok'), version: z.string() });

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
const CHAT_FAILURES = [404, 429, 502, 504];
const ofModel = { modelId: anyNameSchema.check(z.describe('Id or alias of the model.')) };

export const STUDIO = {
  ...defineEndpoints(
    { tag: 'Projects' },
    {
      listProjects: {
        method: 'GET',
        path: '/api/v1/public/projects',
        title: 'List projects',
        answer: { ProjectList: projectListSchema },
        says: 'All projects.',
        failures: [502],
      },
      getProject: {
        method: 'GET',
        path: '/api/v1/public/projects/{projectId}',
        title: 'Get a project as a tree',
        about: 'Datasets, snapshots, fine-tuning jobs and experiments. SPEC 4.1.',
        answer: { ProjectResponse: projectResponseSchema },
        says: 'The whole tree.',
        isTagged: true,
        failures: [502],
      },
      // ASSUMED: not in SPEC. The path is that of the hosted studio's SDK.
      getJob: {
        method: 'GET',
        path: '/api/v1/public/finetuning/{jobId}',
        title: 'Get a fine-tuning job with its hyperparameters and losses',
        about: 'What each experiment was asked to do and what came of it. Not in SPEC; other studios may not have it.',
        params: { jobId: 'UUID of the fine-tuning job.' },
        answer: { Job: jobSchema },
        says: 'The job.',
        isTagged: true,
        failures: [502],
      },
      // ASSUMED: not in SPEC. Only a local studio has the rows.
      getRows: {
        method: 'GET',
        path: '/api/v1/studio/snapshots/{snapshotId}/rows',
        title: 'Download the rows of a snapshot',
        about:
          'Training or validation rows as they were imported, one JSON object a line, in stored order. Not in SPEC: only ' +
          'a local studio has the rows, and a gateway answers 404.',
        query: z.object({
          bucket: z.enum(ROW_BUCKETS).check(z.describe('Rows to train on, or rows to evaluate on.')),
        }),
        file: 'application/x-ndjson',
        says: 'The rows. `Content-Disposition` has a name for the file.',
        load: 'file',
      },
      // ASSUMED: not in SPEC. Only a local studio has the rows.
      getRowErrors: {
        method: 'GET',
        path: '/api/v1/studio/snapshots/{snapshotId}/row-errors',
        title: 'Get where the errors of a run are',
        about:
          'Labels that hold most of the validation rows that a run answers wrong, and errors that the other runs of the ' +
          'snapshot make as well; null where errors are spread, or too few to say. A label is a field of a JSON answer or a ' +
          "short answer; Fisher's exact test, adjusted for all labels, tells it from chance. Not in SPEC: a gateway answers 404.",
        query: z.object({ experiment: uuidSchema.check(z.describe('An experiment of the snapshot.')) }),
        answer: { RowErrors: rowErrorsSchema },
        says: 'What is known of its errors.',
        load: 'whole',
      },
      // ASSUMED: not in SPEC. Only a local studio keeps the choice.
      chooseMainMeasure: {
        method: 'PUT',
        path: '/api/v1/studio/datasets/{datasetId}/main-measure',
        title: 'Choose the measure by which the runs of a dataset are compared',
        about:
          'The recommendations of its snapshots are computed again. `null`: the measure that fits the answers. Not in SPEC: ' +
          'a gateway answers 404.',
        body: { MainMeasure: mainMeasureSchema },
        bodyBytes: 4096,
        answer: { MainMeasure: mainMeasureSchema },
        says: 'Chosen.',
      },
    },
  ),
  ...defineEndpoints(
    { tag: 'Recommendations' },
    {
      getRecommendation: {
        method: 'GET',
        path: '/api/v1/public/recommendations/{snapshotId}',
        title: 'Get the recommendation for a snapshot',
        about: 'Poll while `status` is `processing`. SPEC 4.2.',
        answer: { Recommendation: recommendationSchema },
        says: 'The record.',
        isTagged: true,
        failures: [502],
      },
    },
  ),
  ...defineEndpoints(
    { tag: 'Chat' },
    {
      createChatCompletion: {
        method: 'POST',
        path: '/api/v1/chat/completions',
        title: 'Create a chat completion',
        about:
          'With `stream: true` the answer is a stream of server-sent events, each a `ChatEvent`, ended by `data: ' +
          '[DONE]`. Fields that are not listed are dropped. SPEC 4.3 and 6.',
        body: { ChatRequest: chatRequestSchema },
        bodyExamples: CHAT_EXAMPLES,
        answer: { Completion: completionSchema },
        events: { ChatEvent: chatEventSchema },
        says: 'A completion, or a stream of chunks.',
        failures: CHAT_FAILURES,
        changesNothing: true,
      },
      // ASSUMED: not in SPEC. As in OpenAI's API.
      createCompletion: {
        method: 'POST',
        path: '/api/v1/completions',
        title: 'Go on with a text',
        about:
          'Without a chat template. With `echo` and `logprobs` it says how likely the model finds a text, which tools that ' +
          'evaluate models ask for. With `stream: true` the events have a `TextChunk` each. Models of --engine answer 400. ' +
          'Not in SPEC: as in the older API of OpenAI.',
        body: { TextRequest: textRequestSchema },
        answer: { TextCompletion: textCompletionSchema },
        events: 'text',
        says: 'A completion, or a stream of chunks.',
        failures: CHAT_FAILURES,
        changesNothing: true,
      },
      createResponse: {
        method: 'POST',
        path: '/api/v1/responses',
        title: 'Create a response',
        about:
          'A chat with text and functions in the form of the Responses API of OpenAI. Nothing is kept: send the whole ' +
          'conversation as `input`, and no `previous_response_id`. With `stream: true` the answer is events such as ' +
          '`response.output_text.delta`, ended by `response.completed`, `response.incomplete` or `error`. Not in SPEC.',
        body: { ResponsesRequest: responsesRequestSchema },
        answer: { Response: responsesAnswerSchema },
        events: 'text',
        says: 'A response, or a stream of events.',
        failures: CHAT_FAILURES,
        changesNothing: true,
      },
      listModels: {
        method: 'GET',
        path: '/api/v1/models',
        title: 'List models',
        answer: { ModelList: modelListSchema },
        says: 'The models that can be asked now.',
        failures: [502],
      },
      // ASSUMED: not in SPEC. As in OpenAI's API.
      getModel: {
        method: 'GET',
        path: '/api/v1/models/{modelId}',
        title: 'Get a model',
        about: 'Not in SPEC: as in the API of OpenAI.',
        params: ofModel,
        answer: { Model: modelSchema },
        says: 'The model, by its id.',
        failures: [404, 502],
      },
      getExamples: {
        method: 'GET',
        path: '/api/examples/{modelId}',
        title: 'Get example prompts for a model',
        params: ofModel,
        answer: { Examples: examplesSchema },
        says: 'Prompts that were held out of training; null where there are none.',
        load: 'page',
      },
    },
  ),
  ...defineEndpoints(
    { tag: 'Session' },
    {
      getSession: {
        method: 'GET',
        path: '/api/session',
        title: 'See what serves this dashboard',
        answer: { Session: sessionSchema },
        says: 'Local studio or gateway.',
      },
      signIn: {
        method: 'POST',
        path: '/api/session',
        title: 'Sign in',
        body: { SignIn: signInSchema },
        says: 'Signed in; the answer sets a cookie.',
        failures: [401, 408, 429],
        isOpen: true,
      },
      signOut: {
        method: 'DELETE',
        path: '/api/session',
        title: 'Sign out',
        says: 'Signed out.',
        changesNothing: true,
      },
    },
  ),
  ...defineEndpoints(
    { tag: 'Service' },
    {
      getHealth: {
        method: 'GET',
        path: '/healthz',
        title: 'Is the service up?',
        answer: { Health: healthSchema },
        says: 'It is.',
        failures: [503],
        isOpen: true,
      },
      getReadiness: {
        method: 'GET',
        path: '/readyz',
        title: 'Can the service answer now?',
        about: 'Looks at the database and the engine, at most once a second. A gateway does not ask its remote studio.',
        answer: { Ready: readySchema },
        says: 'It can.',
        others: { 503: { says: 'It can not, or it is starting.', answer: { Ready: readySchema } } },
        isOpen: true,
      },
    },
  ),
};

declare module './endpoint.ts' {
  interface EndpointGroups {
    readonly studio: typeof STUDIO;
  }
}
