// The fine-tuning jobs of the remote studio, as `GET /api/v1/public/finetuning/{jobId}` tells of them: hyperparameters,
// and of some experiments what came of them, with the irregularities of real services.
import { fineTunedModel, LARGE_STATES, REMOTE_IDS, remoteId } from './remoteTree.ts';

type Json = Record<string, unknown>;

/** A falling curve with a little of a wobble; the same for the same seed. */
function toLosses(steps: number, seed: number, rate: number): Json[] {
  const floor = 0.05 + Math.abs(Math.log10(rate) + 3.7) * 0.4;
  return Array.from({ length: 60 }, (_, index) => {
    const step = Math.round((index * (steps - 1)) / 59);
    const wobble = 0.06 * Math.sin(index * (1 + (seed % 7)) + seed);
    return { step, loss: Number((floor + 3 * Math.exp(-index / 9) + wobble * Math.exp(-index / 40)).toPrecision(4)) };
  });
}

/** What came of a run: only of one that trained. */
function toResults(status: string, seed: number, rate: number): Json {
  if (status === 'failed')
    return {
      failure: seed % 2 === 0 ? 'Out of memory on the second device at step 40.' : 'The loss is not finite at step 12.',
    };
  if (status !== 'succeeded' && status !== 'running') return {};
  const losses = toLosses(400, seed, rate);
  const ends = { first_loss: losses[0]?.['loss'], last_loss: losses.at(-1)?.['loss'], losses };
  return status === 'running'
    ? ends
    : {
        ...ends,
        steps: 400,
        seconds: 300 + (seed % 100),
        held_out: { exact_match: Number((0.6 + (seed % 39) / 100).toFixed(2)) },
      };
}

/** The small project's job. Its last experiments tell less and less. */
function toSmallJob(statuses: ReadonlyMap<string, string>): Json {
  const status = (id: string, usual: string): string => statuses.get(id) ?? usual;
  const succeeded = status(REMOTE_IDS.succeeded, 'succeeded');
  const running = status(REMOTE_IDS.running, 'running');
  const shared = { base_model_id: 'qwen3-0.6b', batch_size: 8, n_epochs: 3 };
  return {
    id: REMOTE_IDS.job,
    name: 'First round',
    snapshot_id: REMOTE_IDS.snapshot,
    status: status(REMOTE_IDS.job, 'processing'),
    experiments: [
      {
        id: REMOTE_IDS.succeeded,
        experiment_number: 1,
        ...shared,
        learning_rate_multiplier: 0.0002,
        lora: true,
        status: succeeded,
        model_id: fineTunedModel(REMOTE_IDS.succeeded),
        ...toResults(succeeded, 40, 0.0002),
      },
      {
        id: REMOTE_IDS.running,
        experiment_number: 2,
        ...shared,
        learning_rate_multiplier: 0.0004,
        training_type: 'qlora',
        status: running,
        ...toResults(running, 41, 0.0004),
      },
      {
        id: remoteId(42),
        experiment_number: 3,
        ...shared,
        batch_size: 64,
        learning_rate_multiplier: 0.002,
        lora: false,
        status: 'failed',
        failure: 'Out of memory on the second device at step 40.',
      },
      {
        id: remoteId(43),
        experiment_number: 4,
        base_model_id: 'qwen3-0.6b',
        learning_rate_multiplier: null,
        status: 'deleted',
        refinetune_from_experiment_id: REMOTE_IDS.succeeded,
      },
      {
        id: remoteId(44),
        status: 'paused-by-operator',
        figures: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`f${index}`, index])),
      },
    ],
  };
}

const WIDTH = 10;
const JOB = WIDTH + 1;
const SNAPSHOT = JOB * WIDTH + 1;
const DATASET = SNAPSHOT * WIDTH + 1;
const FIRST = 1_001;

/** A job of the large project by the place of its id among all (depth first, as toLargeProject gives them). */
function toLargeJob(number: number, nodes: number): Json | null {
  const place = (number - FIRST) % DATASET;
  const inSnapshot = (place - 1) % SNAPSHOT;
  if (number < FIRST || number > FIRST + nodes - 2 || place === 0 || inSnapshot === 0 || (inSnapshot - 1) % JOB !== 0)
    return null;
  const count = Math.min(WIDTH, FIRST + nodes - 2 - number);
  const experiments = Array.from({ length: count }, (_, index): Json => {
    const id = remoteId(number + index + 1);
    const seed = number + index * 7919;
    const status = LARGE_STATES[(index + 1) % LARGE_STATES.length] ?? 'succeeded';
    const rate = Number((10 ** (-5 + ((seed * 37) % 200) / 100)).toPrecision(3));
    const asked = {
      batch_size: 2 ** (seed % 6),
      n_epochs: 1 + (seed % 5),
      learning_rate_multiplier: rate,
      lora: seed % 3 !== 0,
    };
    const model = status === 'succeeded' ? { model_id: fineTunedModel(id) } : {};
    return {
      id,
      experiment_number: index + 1,
      base_model_id: 'qwen3-0.6b',
      ...asked,
      status,
      ...model,
      ...toResults(status, seed, rate),
    };
  });
  return {
    id: remoteId(number),
    name: `Job ${number}`,
    snapshot_id: remoteId(number - inSnapshot),
    status: 'completed',
    experiments,
  };
}

/** null: there is no such job. `nodes`: the size of the large project. */
export function findRemoteJob(
  id: string,
  studio: { readonly statuses: ReadonlyMap<string, string>; readonly nodes: number },
): Json | null {
  if (id === REMOTE_IDS.job) return toSmallJob(studio.statuses);
  const number = Number(/^00000000-0000-4000-8000-(\d{12})$/.exec(id)?.[1] ?? Number.NaN);
  return Number.isNaN(number) ? null : toLargeJob(number, studio.nodes);
}
