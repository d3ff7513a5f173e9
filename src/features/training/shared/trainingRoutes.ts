// The paths of jobs, trainings and models in memory.
// ASSUMED: not in SPEC. Those below /public and /models are of the hosted studio's SDK; only a local studio has the others.
import { API_PREFIX } from '#core/contract/routes.ts';

export const TRAINING_ROUTES = {
  createJob: `${API_PREFIX}/public/finetuning/create`,
  generateRecommendation: `${API_PREFIX}/public/recommendations/generate`,
  cancelJob: `${API_PREFIX}/studio/jobs/{jobId}/cancel`,
  duplicateJob: `${API_PREFIX}/studio/jobs/{jobId}/duplicate`,
  training: `${API_PREFIX}/studio/training`,
  queue: `${API_PREFIX}/studio/training/queue`,
  bases: `${API_PREFIX}/studio/training/bases`,
  preview: `${API_PREFIX}/studio/training/preview`,
  cancelExperiment: `${API_PREFIX}/studio/experiments/{experimentId}/cancel`,
  stopExperiment: `${API_PREFIX}/studio/experiments/{experimentId}/stop`,
  resumeExperiment: `${API_PREFIX}/studio/experiments/{experimentId}/resume`,
  progress: `${API_PREFIX}/studio/experiments/{experimentId}/progress`,
  log: `${API_PREFIX}/studio/experiments/{experimentId}/log`,
  command: `${API_PREFIX}/studio/experiments/{experimentId}/command`,
  takeAway: `${API_PREFIX}/studio/experiments/{experimentId}/take-away`,
  takenFile: `${API_PREFIX}/studio/experiments/{experimentId}/files/{name}`,
  modelRunning: `${API_PREFIX}/models/running`,
  modelUp: `${API_PREFIX}/models/up`,
  modelDown: `${API_PREFIX}/models/down`,
} as const;

/** `POST`: what a person does with a whole job. */
export const jobActionPath = (jobId: string, action: 'cancel' | 'duplicate'): string =>
  `${API_PREFIX}/studio/jobs/${encodeURIComponent(jobId)}/${action}`;

/** `POST`: `cancel` drops a run, `stop` ends it and keeps its weights, `resume` goes on from its last checkpoint. */
export const experimentActionPath = (experimentId: string, action: 'cancel' | 'stop' | 'resume'): string =>
  `${API_PREFIX}/studio/experiments/${encodeURIComponent(experimentId)}/${action}`;

/** `GET`: what came after step `since`. */
export const progressPath = (experimentId: string, since = -1): string =>
  `${API_PREFIX}/studio/experiments/${encodeURIComponent(experimentId)}/progress` +
  (since < 0 ? '' : `?since=${since}`);

/** `GET`: the log from a place on. */
export const logPath = (experimentId: string, from = 0): string =>
  `${API_PREFIX}/studio/experiments/${encodeURIComponent(experimentId)}/log` + (from === 0 ? '' : `?from=${from}`);

/** `GET`: the command and the job file of a run, to copy. */
export const commandPath = (experimentId: string): string =>
  `${API_PREFIX}/studio/experiments/${encodeURIComponent(experimentId)}/command`;

/** `GET`: whether a model is in memory. */
export const modelRunningPath = (model: string): string =>
  `${TRAINING_ROUTES.modelRunning}?model=${encodeURIComponent(model)}`;

/** `GET`: how a finished model is served elsewhere. */
export const takeAwayPath = (experimentId: string): string =>
  `${API_PREFIX}/studio/experiments/${encodeURIComponent(experimentId)}/take-away`;

/** `GET`: a file of a finished model, by the name that its record gives it, or `Modelfile`. */
export const takenFilePath = (experimentId: string, name: string): string =>
  `${API_PREFIX}/studio/experiments/${encodeURIComponent(experimentId)}/files/${encodeURIComponent(name)}`;

/** The header of a request that must make at most one job: the same key and body give the same job again. */
export const IDEMPOTENCY_HEADER = 'Idempotency-Key';
