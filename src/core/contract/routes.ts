// The paths that the service serves and the dashboard requests (SPEC 4, 9).
import type { JsonObject } from './reading.ts';
import type { RowBucket } from './rowsFile.ts';

export const API_PREFIX = '/api/v1';

export const ROUTES = {
  project: `${API_PREFIX}/public/projects/{projectId}`,
  projects: `${API_PREFIX}/public/projects`,
  recommendation: `${API_PREFIX}/public/recommendations/{snapshotId}`,
  // ASSUMED: not in SPEC. The path is that of the hosted studio's SDK.
  job: `${API_PREFIX}/public/finetuning/{jobId}`,
  // ASSUMED: not in SPEC. Only a local studio has the rows.
  rows: `${API_PREFIX}/studio/snapshots/{snapshotId}/rows`,
  // ASSUMED: not in SPEC. Only a local studio keeps the choice.
  mainMeasure: `${API_PREFIX}/studio/datasets/{datasetId}/main-measure`,
  // ASSUMED: not in SPEC. Only a local studio reads folders.
  runRoots: `${API_PREFIX}/studio/run-roots`,
  runRoot: `${API_PREFIX}/studio/run-roots/{rootId}`,
  run: `${API_PREFIX}/studio/runs/{runId}`,
  completions: `${API_PREFIX}/studio/runs/{runId}/completions`,
  curves: `${API_PREFIX}/studio/curves`,
  // ASSUMED: not in SPEC. Only a local studio serves weights from folders.
  serving: `${API_PREFIX}/studio/runs/{runId}/serving`,
  served: `${API_PREFIX}/studio/served-models/{modelId}`,
  gguf: `${API_PREFIX}/studio/runs/{runId}/gguf`,
  // ASSUMED: not in SPEC. Only a local studio keeps notes.
  notes: `${API_PREFIX}/studio/notes`,
  note: `${API_PREFIX}/studio/notes/{nodeId}`,
  chat: `${API_PREFIX}/chat/completions`,
  // ASSUMED: not in SPEC. As in OpenAI's API.
  text: `${API_PREFIX}/completions`,
  responses: `${API_PREFIX}/responses`,
  models: `${API_PREFIX}/models`,
  // ASSUMED: not in SPEC. As in OpenAI's API.
  model: `${API_PREFIX}/models/{modelId}`,
  openapi: `${API_PREFIX}/openapi.json`,
  session: '/api/session',
  examples: '/api/examples/{modelId}',
  health: '/healthz',
  ready: '/readyz',
  reference: '/reference',
} as const;

export const modelPath = (id: string): string => `${ROUTES.models}/${encodeURIComponent(id)}`;

export const projectPath = (id: string): string => `${ROUTES.projects}/${encodeURIComponent(id)}`;

export const recommendationPath = (snapshotId: string): string =>
  `${API_PREFIX}/public/recommendations/${encodeURIComponent(snapshotId)}`;

export const jobPath = (jobId: string): string => `${API_PREFIX}/public/finetuning/${encodeURIComponent(jobId)}`;

/** `PUT`: the measure by which the runs of a dataset are compared. */
export const mainMeasurePath = (datasetId: string): string =>
  `${API_PREFIX}/studio/datasets/${encodeURIComponent(datasetId)}/main-measure`;

export const runRootPath = (rootId: string): string => `${ROUTES.runRoots}/${encodeURIComponent(rootId)}`;

/** `GET`: the ways to chat with saved weights of a run. `POST` to the same without the query takes one. */
export const servingPath = (runId: string, checkpoint?: string): string =>
  `${API_PREFIX}/studio/runs/${encodeURIComponent(runId)}/serving` +
  (checkpoint === undefined ? '' : `?checkpoint=${encodeURIComponent(checkpoint)}`);

/** Saved weights of a run as a GGUF file. `query`: as in the contract. */
export const ggufPath = (runId: string, query: Readonly<Record<string, string>>): string =>
  `${API_PREFIX}/studio/runs/${encodeURIComponent(runId)}/gguf?${new URLSearchParams(query).toString()}`;

export const servedPath = (modelId: string): string =>
  `${API_PREFIX}/studio/served-models/${encodeURIComponent(modelId)}`;

/** A run of a folder with its facts and their sources. */
export const runPath = (runId: string): string => `${API_PREFIX}/studio/runs/${encodeURIComponent(runId)}`;

/** `PUT`: what a person noted of a node. */
export const notePath = (nodeId: string): string => `${ROUTES.notes}/${encodeURIComponent(nodeId)}`;

/** The training or validation rows of a snapshot, one JSON chat row a line. */
export const rowsPath = (snapshotId: string, bucket: RowBucket): string =>
  `${API_PREFIX}/studio/snapshots/${encodeURIComponent(snapshotId)}/rows?bucket=${bucket}`;

/** `GET /api/session`: facts about the studio that serves the dashboard. Never holds a secret. */
export interface SessionInfo {
  /** `local`: this service is the studio. `gateway`: it passes requests on to a remote studio. */
  readonly mode: 'local' | 'gateway';
  /** The remote studio's origin in gateway mode. */
  readonly remote: string | null;
  /**
   * ASSUMED: true: `learning_rate_multiplier` is the peak learning rate itself, as in the local studio.
   * false: it is a factor. null: unknown, because services differ.
   */
  readonly learning_rate_is_absolute: boolean | null;
}

export const examplesPath = (modelId: string): string => `/api/examples/${encodeURIComponent(modelId)}`;

/** `response_format` of a request that holds answers to a JSON schema. */
export interface AnswerFormat {
  readonly type: 'json_schema';
  readonly json_schema: { readonly name: string; readonly schema: JsonObject; readonly strict: boolean };
}

/** `GET /api/examples/{modelId}`: prompts of the kind that the model was trained for; null if there are none. */
export interface Examples {
  readonly model: string;
  /** One sentence on what the model can and can't do. */
  readonly about: string;
  readonly system_prompt: string;
  /** Function tools for the prompts; empty if the model was trained without tools. */
  readonly tools: readonly JsonObject[];
  /** The form of the answers in the training rows; null: they have no common JSON form. */
  readonly response_format: AnswerFormat | null;
  /** Whether training rows have one message of a user or several; null: unknown. */
  readonly turns: 'single' | 'multi' | null;
  /** Whether training rows go on after the result of a tool call; null: unknown, or no row calls a tool. */
  readonly continues_after_tool: boolean | null;
  /** User messages from rows that were held out of training. */
  readonly prompts: readonly string[];
}
