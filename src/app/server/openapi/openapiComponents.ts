// The schemas of the OpenAPI document, made from those that validate (SPEC 2 to 8).
import * as z from 'zod/mini';
import { chatRequestSchema } from '#core/contract/chatRequest.ts';
import {
  chatMessageSchema,
  responseFormatSchema,
  rowMessageSchema,
  toolCallSchema,
  toolChoiceSchema,
  toolSchema,
} from '#core/contract/chatMessage.ts';
import {
  chatEventSchema,
  chunkSchema,
  completionSchema,
  modelListSchema,
  modelSchema,
  usageSchema,
} from '#core/contract/completion.ts';
import { responsesAnswerSchema, responsesRequestSchema } from '#core/contract/responses.ts';
import { textChunkSchema, textCompletionSchema, textRequestSchema } from '#core/contract/textCompletion.ts';
import { servedSchema, servingOfferSchema, servingRequestSchema } from '#features/serving/shared/serving.ts';
import { noteChangeSchema, noteListSchema, noteSchema } from '#features/notes/shared/notes.ts';
import { jobExperimentSchema, jobSchema, lossPointSchema, mainMeasureSchema } from '#core/contract/job.ts';
import { SAMPLING_PARAMETERS } from '#core/contract/samplingParameters.ts';
import {
  experimentRecommendationSchema,
  hyperparametersSchema,
  modelRecommendationSchema,
  recommendationSchema,
} from '#core/contract/recommendation.ts';
import {
  curveListSchema,
  curveRequestSchema,
  newRunRootSchema,
  runRootChangeSchema,
  runRootListSchema,
  runRootSchema,
  runSchema,
} from '#features/runs/shared/runs.ts';
import { completionListSchema } from '#features/runs/shared/completions.ts';
import {
  datapointMadeSchema,
  datasetMadeSchema,
  datasetSchema,
  deletedListSchema,
  newDatapointSchema,
  newDatasetFormSchema,
  newProjectSchema,
  newSnapshotSchema,
  projectMadeSchema,
  snapshotComparisonSchema,
  snapshotMadeSchema,
  splitSchema,
} from '#features/datasets/shared/contract/datasets.ts';
import {
  findingListSchema,
  fitListSchema,
  marksMadeSchema,
  marksRequestSchema,
  rowPageSchema,
  statisticsSchema,
  wholeRowSchema,
} from '#features/datasets/shared/contract/rows.ts';
import { newRowSchema } from '#features/datasets/shared/contract/newRow.ts';
import { rowMappingSchema } from '#features/datasets/shared/contract/rowMapping.ts';
import { rowViewSchema } from '#features/datasets/shared/contract/rowView.ts';
import {
  importFormSchema,
  importPreviewSchema,
  projectImportedSchema,
} from '#features/project-files/shared/transfer.ts';
import {
  createdJobSchema,
  createJobSchema,
  generateRecommendationSchema,
} from '#features/training/shared/createJob.ts';
import {
  modelNameSchema,
  modelRunningSchema,
  progressSchema,
  queueOrderSchema,
  takeAwaySchema,
  trainingCommandSchema,
  trainingPreviewSchema,
  trainingLogSchema,
  trainingBasesSchema,
  trainingQueueSchema,
} from '#features/training/shared/trainingRecords.ts';
import {
  leaseSchema,
  sentEndSchema,
  sentLinesSchema,
  linesReplySchema,
  wantedLeaseSchema,
} from '#features/training/shared/worker.ts';
import {
  datasetNodeSchema,
  experimentNodeSchema,
  jobNodeSchema,
  projectListSchema,
  projectNodeSchema,
  projectResponseSchema,
  snapshotNodeSchema,
} from '#core/contract/tree.ts';

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
const messageSchema = z.strictObject({ message: z.string() });
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
  NewJob: createJobSchema,
  JobMade: createdJobSchema,
  SnapshotName: generateRecommendationSchema,
  WantedLease: wantedLeaseSchema,
  Lease: leaseSchema,
  SentLines: sentLinesSchema,
  LinesReply: linesReplySchema,
  SentEnd: sentEndSchema,
  TrainingBases: trainingBasesSchema,
  TrainingQueue: trainingQueueSchema,
  TrainingOrder: queueOrderSchema,
  TrainingProgress: progressSchema,
  TrainingLog: trainingLogSchema,
  TakeAway: takeAwaySchema,
  TrainingCommand: trainingCommandSchema,
  TrainingPreview: trainingPreviewSchema,
  ModelName: modelNameSchema,
  ModelRunning: modelRunningSchema,
  MainMeasure: mainMeasureSchema,
  Note: noteSchema,
  NoteChange: noteChangeSchema,
  NoteList: noteListSchema,
  ServingOffer: servingOfferSchema,
  ServingRequest: servingRequestSchema,
  Served: servedSchema,
  LossPoint: lossPointSchema,
  RunRoot: runRootSchema,
  RunRootList: runRootListSchema,
  NewRunRoot: newRunRootSchema,
  RunRootChange: runRootChangeSchema,
  Run: runSchema,
  CompletionList: completionListSchema,
  CurveRequest: curveRequestSchema,
  CurveList: curveListSchema,
  NewProject: newProjectSchema,
  ProjectMade: projectMadeSchema,
  NewDataset: newDatasetFormSchema,
  ImportForm: importFormSchema,
  ProjectImported: projectImportedSchema,
  ImportPreview: importPreviewSchema,
  DatasetMade: datasetMadeSchema,
  DatasetRecord: datasetSchema,
  RowMessage: rowMessageSchema,
  NewRow: newRowSchema,
  RowMapping: rowMappingSchema,
  NewDatapoint: newDatapointSchema,
  DatapointMade: datapointMadeSchema,
  NewSnapshot: newSnapshotSchema,
  SnapshotMade: snapshotMadeSchema,
  Split: splitSchema,
  SnapshotComparison: snapshotComparisonSchema,
  RowPage: rowPageSchema,
  WholeRow: wholeRowSchema,
  RowView: rowViewSchema,
  MarksRequest: marksRequestSchema,
  MarksMade: marksMadeSchema,
  RowStatistics: statisticsSchema,
  FindingList: findingListSchema,
  FitList: fitListSchema,
  DeletedList: deletedListSchema,
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
  ChatEvent: chatEventSchema,
  TextRequest: textRequestSchema,
  TextCompletion: textCompletionSchema,
  TextChunk: textChunkSchema,
  ResponsesRequest: responsesRequestSchema,
  Response: responsesAnswerSchema,
  Usage: usageSchema,
  Model: modelSchema,
  ModelList: modelListSchema,
  Session: sessionSchema,
  SignIn: signInSchema,
  Examples: examplesSchema,
  Health: healthSchema,
  Ready: readySchema,
  Message: messageSchema,
  Error: errorSchema,
} as const;

export type SchemaName = keyof typeof SCHEMAS;
export type Json = Record<string, unknown>;

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

/** All schemas by name, with the descriptions and defaults of SPEC 4.3. */
export function toComponents(): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id });
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
