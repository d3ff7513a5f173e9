// The projects and recommendations of the remote studio: what real services send, with their irregularities
// (null lists, missing children, unknown states and types, extra fields). Fixed ids, so that links can be written down.

/** `00000000-0000-4000-8000-` and twelve digits: readable, and a UUID. */
export const remoteId = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

export const REMOTE_IDS = {
  project: remoteId(1),
  largeProject: remoteId(2),
  brokenProject: remoteId(3),
  dataset: remoteId(10),
  snapshot: remoteId(20),
  failedSnapshot: remoteId(21),
  errorSnapshot: remoteId(22),
  endlessSnapshot: remoteId(23),
  job: remoteId(30),
  succeeded: remoteId(40),
  running: remoteId(41),
} as const;

type Json = Record<string, unknown>;

export const fineTunedModel = (experimentId: string): string => `ft-qwen3-0.6b-${experimentId.slice(-8)}`;

function experiment(id: string, number: number, status: string, model: string | null): Json {
  const metadata: Json = { id, experiment_number: number, base_model_id: 'qwen3-0.6b' };
  if (model !== null) metadata['model_id'] = model;
  // No `children`: SPEC 2.1 shows none beneath an experiment, and real services leave the field out.
  return { id, type: 'experiment', label: `Experiment ${number}`, status, metadata };
}

const snapshot = (id: string, label: string, children: Json[]): Json => ({
  id,
  type: 'snapshot',
  label,
  children,
  metadata: { id, training_count: 1200, validation_count: 150, created_at: '2026-11-02T09:30:00.000Z' },
});

function prune(node: Json, removed: ReadonlySet<string>): Json {
  const { children } = node;
  if (!Array.isArray(children)) return node;
  return {
    ...node,
    children: (children as Json[]).filter(({ id }) => !removed.has(String(id))).map((child) => prune(child, removed)),
  };
}

/** The small project. `statuses` overrides the status of nodes by id; `removed` nodes are gone. */
export function toSmallProject(statuses: ReadonlyMap<string, string>, removed: ReadonlySet<string> = new Set()): Json {
  const status = (id: string, usual: string): string => statuses.get(id) ?? usual;
  const model = (id: string, usual: string): string | null =>
    status(id, usual) === 'succeeded' ? fineTunedModel(id) : null;
  const experiments = [
    experiment(
      REMOTE_IDS.succeeded,
      1,
      status(REMOTE_IDS.succeeded, 'succeeded'),
      model(REMOTE_IDS.succeeded, 'succeeded'),
    ),
    experiment(REMOTE_IDS.running, 2, status(REMOTE_IDS.running, 'running'), model(REMOTE_IDS.running, 'running')),
    experiment(remoteId(42), 3, 'failed', null),
    experiment(remoteId(43), 4, 'deleted', null),
    experiment(remoteId(44), 5, 'paused-by-operator', null),
  ];
  const job: Json = {
    id: REMOTE_IDS.job,
    type: 'finetuning-job',
    label: 'First round',
    status: status(REMOTE_IDS.job, 'processing'),
    children: experiments,
    metadata: { id: REMOTE_IDS.job, reasoning: true },
  };
  const longLabel =
    'Escalations of enterprise customers, cleaned, deduplicated and translated, third export of the quarter';
  const project = {
    id: REMOTE_IDS.project,
    type: 'project',
    name: 'Remote desk',
    owner: { team: 'assist', region: 'eu' },
    children: [
      {
        id: REMOTE_IDS.dataset,
        type: 'dataset',
        label: 'Assist tickets',
        status: 'completed',
        metadata: { id: REMOTE_IDS.dataset, datapoints_count: 1350, source: 'import' },
        children: [
          snapshot(REMOTE_IDS.snapshot, 'Snapshot 1', [job]),
          snapshot(REMOTE_IDS.failedSnapshot, 'Snapshot 2', []),
          snapshot(REMOTE_IDS.errorSnapshot, 'Snapshot 3', []),
          snapshot(REMOTE_IDS.endlessSnapshot, 'Snapshot 4', []),
        ],
      },
      // Still importing: no children, no metadata.
      { id: remoteId(11), type: 'dataset', label: longLabel, status: 'processing' },
      { id: remoteId(12), type: 'evaluation-suite', label: 'Nightly evaluation', status: 'completed', children: null },
    ],
  };
  return prune(project, removed);
}

/** An experiment's status in the large project, by its number in its job. */
export const LARGE_STATES = ['succeeded', 'failed', 'running', 'queued', 'deleted', 'pending', 'deploying'];

/**
 * A project of about `nodes` nodes on five levels: 10 experiments a job, 10 jobs a snapshot, 10 snapshots a dataset.
 */
export function toLargeProject(nodes: number): Json {
  let next = 1_000;
  let left = Math.max(0, nodes - 1);
  const take = (): string | null => (left > 0 ? ((left -= 1), remoteId((next += 1))) : null);
  const fill = (make: (id: string, number: number) => Json, width: number): Json[] => {
    const made: Json[] = [];
    for (let number = 1; number <= width; number += 1) {
      const id = take();
      if (id === null) break;
      made.push(make(id, number));
    }
    return made;
  };
  const toExperiment = (id: string, number: number): Json => {
    const status = LARGE_STATES[number % LARGE_STATES.length] ?? 'succeeded';
    return experiment(id, number, status, status === 'succeeded' ? fineTunedModel(id) : null);
  };
  const toJob = (id: string, number: number): Json => ({
    id,
    type: 'finetuning-job',
    label: `Job ${number}`,
    status: 'completed',
    metadata: { id, reasoning: number % 3 === 0 },
    children: fill(toExperiment, 10),
  });
  const toSnapshot = (id: string, number: number): Json => snapshot(id, `Snapshot ${number}`, fill(toJob, 10));
  const toDataset = (id: string, number: number): Json => ({
    id,
    type: 'dataset',
    label: `Dataset ${number}`,
    status: 'completed',
    metadata: { id, datapoints_count: 1350 },
    children: fill(toSnapshot, 10),
  });
  return {
    id: REMOTE_IDS.largeProject,
    type: 'project',
    name: 'Large project',
    children: fill(toDataset, Number.MAX_SAFE_INTEGER),
  };
}

const hyperparameters = (rate: number): Json => ({ n_epochs: 3, batch_size: 8, learning_rate_multiplier: rate });

/**
 * The finished recommendation, in the origin's later form: `training_type` in some rows, null where there is no LoRA.
 */
export function toRecommendation(snapshotId: string): Json {
  return {
    snapshot_id: snapshotId,
    status: 'completed',
    recommended_models: [
      {
        base_model_id: 'qwen3-0.6b',
        recommended: true,
        full_hyperparameters: hyperparameters(0.00002),
        lora_hyperparameters: hyperparameters(0.0002),
        reason_for_recommendation: 'Short answers from a fixed set.',
      },
      {
        base_model_id: 'smollm-135m',
        recommended: false,
        full_hyperparameters: hyperparameters(0.00005),
        lora_hyperparameters: null,
        reason_for_recommendation: null,
      },
    ],
    recommended_experiments: [
      {
        base_model_id: 'qwen3-0.6b',
        batch_size: 8,
        learning_rate_multiplier: 0.0002,
        n_epochs: 3,
        lora: true,
        recommended: true,
        reason_for_recommendation: 'The usual start.',
      },
      {
        base_model_id: 'qwen3-0.6b',
        batch_size: 4,
        learning_rate_multiplier: 0.00002,
        n_epochs: 5,
        training_type: 'qlora',
        recommended: false,
        reason_for_recommendation: null,
      },
      {
        base_model_id: 'smollm-135m',
        batch_size: 16,
        learning_rate_multiplier: 0.00005,
        n_epochs: 2,
        lora: false,
        recommended: false,
        reason_for_recommendation: 'A small model as a check.',
      },
    ],
  };
}
