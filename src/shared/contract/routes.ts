// Every path that the service serves and the dashboard asks for (SPEC 4, 9).
import type { JsonObject } from './reading.ts';

export const API_PREFIX = '/api/v1';

export const ROUTES = {
  project: `${API_PREFIX}/public/projects/{projectId}`,
  projects: `${API_PREFIX}/public/projects`,
  recommendation: `${API_PREFIX}/public/recommendations/{snapshotId}`,
  // ASSUMED: not in SPEC; the path is that of the hosted studio's SDK.
  job: `${API_PREFIX}/public/finetuning/{jobId}`,
  chat: `${API_PREFIX}/chat/completions`,
  models: `${API_PREFIX}/models`,
  openapi: `${API_PREFIX}/openapi.json`,
  session: '/api/session',
  examples: '/api/examples/{modelId}',
  health: '/healthz',
  ready: '/readyz',
  reference: '/reference',
} as const;

export const projectPath = (id: string): string => `${ROUTES.projects}/${encodeURIComponent(id)}`;

export const recommendationPath = (snapshotId: string): string =>
  `${API_PREFIX}/public/recommendations/${encodeURIComponent(snapshotId)}`;

export const jobPath = (jobId: string): string => `${API_PREFIX}/public/finetuning/${encodeURIComponent(jobId)}`;

/** `GET /api/session`: what the dashboard has to know about the studio that serves it. Never holds a secret. */
export interface SessionInfo {
  /** `local`: this service is the studio. `gateway`: it passes requests on to a remote studio. */
  readonly mode: 'local' | 'gateway';
  /** The remote studio's origin in gateway mode. */
  readonly remote: string | null;
  /**
   * ASSUMED: `learning_rate_multiplier` is the peak learning rate itself, as it is in the local studio.
   * False: it is a factor. null: nothing is known of the remote studio, and services differ.
   */
  readonly learning_rate_is_absolute: boolean | null;
}

export const examplesPath = (modelId: string): string => `/api/examples/${encodeURIComponent(modelId)}`;

/** `GET /api/examples/{modelId}`: prompts of the kind the model was trained for; null where there are none. */
export interface Examples {
  readonly model: string;
  /** One sentence on what the model can and can't do. */
  readonly about: string;
  readonly system_prompt: string;
  /** Function tools that go with the prompts; empty: the model was trained without. */
  readonly tools: readonly JsonObject[];
  /** User messages from rows that were held out of training. */
  readonly prompts: readonly string[];
}
