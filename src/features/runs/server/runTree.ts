// A root as a project of the tree: datasets that were trained on, jobs, runs. Counts are absent: nobody wrote them down.
import { isSucceeded, toJobStatus } from '#core/contract/statuses.ts';
import {
  MAX_NODE_TEXT,
  type DatasetNode,
  type ExperimentNode,
  type JobNode,
  type ProjectNode,
} from '#core/contract/tree.ts';
import { toGroups } from '#features/experiments/shared/grouping.ts';
import { toUuid } from './runIdentity.ts';
import { NO_DATA, toModelName, type RunRecord } from './runRecords.ts';

export interface TreeRoot {
  readonly id: string;
  readonly name: string;
  readonly isScanning: boolean;
}

export interface JobPlace {
  readonly id: string;
  readonly label: string;
  readonly snapshotId: string;
  readonly records: readonly RunRecord[];
}

/** Models that answer with the weights of a run, by the path of the weights. */
export type ModelIds = ReadonlyMap<string, string>;

/** The model of a run: that of its newest weights. */
export function toModelId({ run }: RunRecord, models: ModelIds): string | undefined {
  const found = run.checkpoints.flatMap(({ path }) => models.get(path) ?? []);
  return found.at(-1);
}

const toSnapshotId = (rootId: string, datasetKey: string): string => toUuid(`${rootId} snapshot ${datasetKey}`);

/** The jobs of a root, in the order of their oldest runs. */
export function toJobPlaces(rootId: string, records: readonly RunRecord[]): readonly JobPlace[] {
  const groups = toGroups(records, ({ dataset, job }) => `${dataset.key}\0${job.key}`);
  return [...groups.values()].flatMap((group): JobPlace[] => {
    const [first] = group;
    if (!first) return [];
    const { dataset, job } = first;
    return [
      {
        id: toUuid(`${rootId} job ${dataset.key} ${job.key}`),
        label: job.label,
        snapshotId: toSnapshotId(rootId, dataset.key),
        records: group,
      },
    ];
  });
}

function toExperimentNode(record: RunRecord, number: number, models: ModelIds): ExperimentNode {
  const { id, run, label, status } = record;
  const base = run.settings().get('base_model')?.value;
  const model = toModelId(record, models);
  return {
    id,
    type: 'experiment',
    label,
    status: status.status,
    children: [],
    metadata: {
      id,
      experiment_number: number,
      ...(base === undefined ? {} : { base_model_id: toModelName(String(base)) }),
      ...(status.cause === null ? {} : { status_cause: status.cause }),
      // Not of one that stopped: its reason says how long ago, and each answer would be another tree.
      ...(status.status === 'failed' ? { failure: status.reason.slice(0, MAX_NODE_TEXT) } : {}),
      ...(model === undefined || !isSucceeded(status.status) ? {} : { model_id: model }),
    },
  };
}

function toJobNode({ id, label, records }: JobPlace, models: ModelIds): JobNode {
  return {
    id,
    type: 'finetuning-job',
    label,
    status: toJobStatus(records.map(({ status }) => status.status)),
    children: records.map((record, at) => toExperimentNode(record, at + 1, models)),
    metadata: { id, reasoning: false },
  };
}

/** Named datasets by name, what nobody recorded last. */
const compareDatasets = (a: RunRecord['dataset'], b: RunRecord['dataset']): number =>
  Number(a.key === NO_DATA.key) - Number(b.key === NO_DATA.key) || (a.label < b.label ? -1 : 1);

/** `records`: oldest first. */
export function toProjectNode(root: TreeRoot, records: readonly RunRecord[], models: ModelIds): ProjectNode {
  const datasets = new Map(records.map(({ dataset }) => [dataset.key, dataset]));
  const jobs = toGroups(toJobPlaces(root.id, records), ({ snapshotId }) => snapshotId);
  const children = [...datasets.values()].toSorted(compareDatasets).map(({ key, label }): DatasetNode => {
    const id = toUuid(`${root.id} dataset ${key}`);
    const snapshotId = toSnapshotId(root.id, key);
    return {
      id,
      type: 'dataset',
      label,
      status: root.isScanning ? 'processing' : 'completed',
      metadata: { id, ...(key === NO_DATA.key ? { is_recorded: false } : {}) },
      children: [
        {
          id: snapshotId,
          type: 'snapshot',
          label: 'snapshot not recorded',
          children: (jobs.get(snapshotId) ?? []).map((job) => toJobNode(job, models)),
          metadata: { id: snapshotId },
        },
      ],
    };
  });
  return { id: root.id, type: 'project', name: root.name, children };
}
