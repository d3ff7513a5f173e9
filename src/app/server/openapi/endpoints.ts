// All endpoints of the API.
import type { Endpoint, EndpointGroups } from '#core/contract/endpoint.ts';
import { STUDIO } from '#core/contract/studioEndpoints.ts';
import { ACCESS } from '#features/access/shared/accessEndpoints.ts';
import { DATA, DATASET_ROWS, SNAPSHOT_ROWS } from '#features/datasets/shared/contract/dataEndpoints.ts';
import { EVALUATIONS } from '#features/evaluation/shared/contract/evaluationEndpoints.ts';
import { FUNCTIONS } from '#features/evaluation/shared/functionEndpoints.ts';
import { NOTES } from '#features/notes/shared/noteEndpoints.ts';
import { LIBRARY } from '#features/playground/shared/libraryEndpoints.ts';
import { TRANSFER } from '#features/project-files/shared/transferEndpoints.ts';
import { RUNS } from '#features/runs/shared/runEndpoints.ts';
import { SERVING } from '#features/serving/shared/servingEndpoints.ts';
import { TRACES } from '#features/traces/shared/traceEndpoints.ts';
import { TRAINING } from '#features/training/shared/trainingEndpoints.ts';
import { WORKERS } from '#features/training/shared/workerEndpoints.ts';

const GROUPS: EndpointGroups = {
  studio: STUDIO,
  notes: NOTES,
  functions: FUNCTIONS,
  library: LIBRARY,
  runs: RUNS,
  serving: SERVING,
  access: ACCESS,
  data: DATA,
  datasetRows: DATASET_ROWS,
  snapshotRows: SNAPSHOT_ROWS,
  transfer: TRANSFER,
  traces: TRACES,
  training: TRAINING,
  workers: WORKERS,
  evaluations: EVALUATIONS,
};

export const ENDPOINTS: readonly Endpoint[] = Object.values(GROUPS).flatMap((group): readonly Endpoint[] =>
  Object.values(group),
);
