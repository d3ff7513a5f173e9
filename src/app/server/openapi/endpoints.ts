// All endpoints of the API.
import type * as z from 'zod/mini';
import { ACCESS } from '#features/access/shared/accessEndpoints.ts';
import { DATA, DATASET_ROWS, SNAPSHOT_ROWS } from '#features/datasets/shared/contract/dataEndpoints.ts';
import { RUNS } from '#features/runs/shared/runEndpoints.ts';
import { TRAINING } from '#features/training/shared/trainingEndpoints.ts';
import { WORKERS } from '#features/training/shared/workerEndpoints.ts';
import { TRANSFER } from '#features/project-files/shared/transferEndpoints.ts';
import type { Endpoint } from '#core/contract/endpoint.ts';
import { STUDIO } from '#core/contract/studioEndpoints.ts';

const GROUPS = [STUDIO, RUNS, ACCESS, DATA, DATASET_ROWS, SNAPSHOT_ROWS, TRANSFER, TRAINING, WORKERS] as const;

type ValueOf<Group> = Group extends unknown ? Group[keyof Group] : never;
export type AnyEndpoint = ValueOf<(typeof GROUPS)[number]>;

export const ENDPOINTS: readonly Endpoint[] = GROUPS.flatMap((group): readonly Endpoint[] => Object.values(group));

/** Such as `POST /api/v1/public/projects/create`. */
export type EndpointName = AnyEndpoint extends infer E
  ? E extends Endpoint
    ? `${E['method']} ${E['path']}`
    : never
  : never;

export type QueryNames<E> = E extends { readonly query: infer Schema extends z.ZodMiniType }
  ? keyof z.output<Schema> & string
  : never;
