// The sample project as records: names and ids are made here, every figure comes from the real runs. Pure.
import { LOCAL_BASE_MODEL } from '#features/experiments/server/catalogue.ts';
import { formatShare } from '#core/contract/numberNotation.ts';
import type { SampleFiles, SampleRun } from './sampleFiles.ts';
import { EMPTY_TALLY, reduceTally, toRowFacts } from '#features/experiments/server/snapshotFacts.ts';
import type { datasets, experiments, jobs, models, projects, snapshots } from '#service/database/tables.ts';
import { toUuid } from '#service/database/uuid.ts';

/** `file`: name of the dataset's files. */
interface TrainedDataset {
  readonly file: string;
  readonly label: string;
  readonly job: string;
  readonly alias: string;
  /** What the models trained on it do. */
  readonly task: string;
  /** The validation measure that says most about the task, and its words. */
  readonly measure: { readonly key: string; readonly words: string };
}

const TRAINED: readonly TrainedDataset[] = [
  {
    file: 'triage',
    label: 'Ticket triage',
    job: 'First round',
    alias: 'triage',
    task: 'Sorts a support ticket by category, priority and sentiment, as JSON, and does nothing else',
    measure: { key: 'exact_match', words: 'of validation rows exactly right' },
  },
  {
    file: 'orders',
    label: 'Order tools',
    job: 'First round',
    alias: 'orders',
    task: 'Turns a request about an order into a call of one of four order tools, and does nothing else',
    measure: { key: 'exact_match', words: 'of validation rows exactly right' },
  },
  {
    file: 'replies',
    label: 'Polite replies',
    job: 'Full and LoRA',
    alias: 'replies',
    task: 'Writes a short, polite markdown reply to a support message that names an order, and does nothing else',
    measure: { key: 'id_copied', words: 'of order numbers in validation rows copied correctly' },
  },
];

/** In the order of the tree. The last one has pairs for DPO or KTO, and no run yet. */
export const SAMPLE_DATASETS: readonly (Pick<TrainedDataset, 'file' | 'label'> & { readonly job?: string })[] = [
  ...TRAINED,
  { file: 'preferences', label: 'Preferred replies' },
];

const PROJECT = 'Support desk';
export const SAMPLE_OWNER = 'model-studio';
export const SAMPLE_PROJECT_ID = toUuid('support-desk');

const BASE_ABOUT =
  'A 1.0M-parameter base model that was taught short support-desk phrases: it finds order numbers and products, ' +
  'repeats short texts, makes JSON and names a topic; on anything else it errs.';
const BASE_EXAMPLES = {
  system_prompt: 'You are a support assistant.',
  prompts: [
    'What is the order number in this text? Please cancel order SO482913.',
    'Which product is this about? My Nimbus headphones do not turn on. Can you help?',
    'Make JSON: Anna, Berlin, ORD-48213',
    'What is the topic? I was charged twice for the Luma desk lamp.',
    'Repeat this: Viktor, #830126, Oslo',
    'Hi, I am Grace.',
  ],
};

export interface SampleRecords {
  readonly project: typeof projects.$inferInsert;
  readonly datasets: readonly (typeof datasets.$inferInsert)[];
  readonly snapshots: readonly (typeof snapshots.$inferInsert)[];
  readonly jobs: readonly (typeof jobs.$inferInsert)[];
  readonly experiments: readonly (typeof experiments.$inferInsert)[];
  readonly models: readonly (typeof models.$inferInsert)[];
}

const experimentId = (run: SampleRun): string => toUuid(`support-desk/${run.dataset}/experiment-${run.experiment}`);

/** ASSUMED: ids of fine-tuned models as the hosted studio forms them (SPEC 2.1 shows none). */
const modelId = (run: SampleRun): string => `ft-${LOCAL_BASE_MODEL}-${experimentId(run).slice(0, 8)}`;

function toExperiment(run: SampleRun, created_at: Date): typeof experiments.$inferInsert {
  return {
    id: experimentId(run),
    job_id: toUuid(`support-desk/${run.dataset}/job-1`),
    experiment_number: run.experiment,
    label: `Experiment ${run.experiment} · ${run.mode === 'lora' ? 'LoRA' : 'full'}`,
    status: run.failed === null ? 'succeeded' : 'failed',
    base_model_id: LOCAL_BASE_MODEL,
    model_id: run.failed === null ? modelId(run) : null,
    lora: run.mode === 'lora',
    n_epochs: run.n_epochs,
    batch_size: Number.parseInt(run.batch, 10),
    learning_rate_multiplier: run.learning_rate,
    steps: run.steps,
    seconds: run.seconds,
    first_loss: run.first_loss,
    last_loss: run.last_loss_mean20,
    held_out: run.held_out ?? null,
    held_out_base: run.held_out_base ?? null,
    settings: run.settings ?? null,
    losses: run.losses ?? null,
    failure: run.failed,
    created_at,
  };
}

function toAbout({ task, measure }: TrainedDataset, { held_out }: SampleRun): string {
  const share = held_out?.[measure.key];
  return `${task}${share === undefined ? '' : `: ${formatShare(share)} ${measure.words}`}.`;
}

const BASE_FILE = `${LOCAL_BASE_MODEL}.Q8_0.gguf`;

type ModelFacts = Omit<typeof models.$inferInsert, 'position' | 'created_at' | 'owned_by'>;

function toTunedModel(dataset: TrainedDataset, run: SampleRun, file: string): ModelFacts {
  const isLora = run.mode === 'lora';
  return {
    id: modelId(run),
    experiment_id: experimentId(run),
    file: isLora ? BASE_FILE : file,
    adapter: isLora ? file : null,
    aliases: [`${dataset.alias}-${run.mode}`],
    about: toAbout(dataset, run),
  };
}

/** The base model, then the tuned ones in the order of the tree. */
function toModels(runs: readonly SampleRun[], created_at: Date): SampleRecords['models'] {
  const base: ModelFacts = {
    id: LOCAL_BASE_MODEL,
    file: BASE_FILE,
    aliases: [],
    about: BASE_ABOUT,
    examples: BASE_EXAMPLES,
  };
  const tuned = TRAINED.flatMap((dataset) =>
    runs
      .filter((run) => run.dataset === dataset.file)
      .flatMap((run) => (run.failed === null && run.file !== null ? [toTunedModel(dataset, run, run.file)] : [])),
  );
  return [base, ...tuned].map((facts, position) =>
    Object.assign(facts, { position, owned_by: SAMPLE_OWNER, created_at }),
  );
}

/** All records except the rows, as if everything had been imported at `created_at`. */
export function toSampleRecords(files: SampleFiles, created_at: Date): SampleRecords {
  const entries = SAMPLE_DATASETS.map((dataset, position) => {
    const rows = files.rows.get(dataset.file) ?? [];
    const { training_count, answer_shape } = toRowFacts(reduceTally(EMPTY_TALLY, rows));
    const path = `support-desk/${dataset.file}`;
    const ids = { id: toUuid(path), snapshotId: toUuid(`${path}/snapshot-1`), jobId: toUuid(`${path}/job-1`) };
    return { dataset, position, ids, count: rows.length, training_count, answer_shape };
  });
  return {
    project: { id: SAMPLE_PROJECT_ID, name: PROJECT, created_at },
    datasets: entries.map(({ ids: { id }, dataset: { label }, position, count }) => {
      return {
        id,
        project_id: SAMPLE_PROJECT_ID,
        position,
        label,
        status: 'completed',
        datapoints_count: count,
        created_at,
      };
    }),
    snapshots: entries.map(({ ids: { id, snapshotId }, count, training_count, answer_shape }) => {
      const validation_count = count - training_count;
      const label = 'Snapshot 1';
      return {
        id: snapshotId,
        dataset_id: id,
        position: 0,
        label,
        rows_end: count,
        training_count,
        validation_count,
        answer_shape,
        created_at,
      };
    }),
    jobs: entries.flatMap(({ ids: { jobId, snapshotId }, dataset: { job } }) =>
      job === undefined
        ? []
        : [
            {
              id: jobId,
              snapshot_id: snapshotId,
              position: 0,
              label: job,
              status: 'completed' as const,
              reasoning: false,
              created_at,
            },
          ],
    ),
    experiments: files.runs.map((run) => toExperiment(run, created_at)),
    models: toModels(files.runs, created_at),
  };
}
