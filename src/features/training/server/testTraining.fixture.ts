// For tests: trainings on the sample project, with a trainer that learns nothing.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CreateJob } from '#features/training/shared/createJob.ts';
import type { TrainingProgress } from '#features/training/shared/trainingRecords.ts';
import { openChatTemplate } from '#engine/chatTemplate.ts';
import type { Engine } from '#engine/engine.ts';
import type { OpenedStudio } from '#app/server/openStudio.ts';
import { openTestStudio } from '#service/database/testDatabase.fixture.ts';
import type { LaunchersOptions } from './launchers/openLaunchers.ts';
import { TIMES, type TrainingTimes } from './oneTraining.ts';
import { openTraining } from './openTraining.ts';
import type { WebhookOptions } from './webhook.ts';
import type { DescribeModel } from './serveElsewhere.ts';
import type { Trainer } from './trainer.ts';
import type { Training } from './openTraining.ts';

const SCRIPT = fileURLToPath(new URL('./testTrainer.fixture.mjs', import.meta.url));

export const toTestTrainer = (mode = 'train', delayMs = 0): Trainer => ({
  name: 'the test trainer',
  command: [process.execPath, SCRIPT, mode, String(delayMs)],
});

/** A process that has ended may wait for somebody to read its exit code. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !text.slice(text.lastIndexOf(')')).startsWith(') Z');
  } catch {
    return false;
  }
}

/** Any model as one of the sample: without a look at its file. */
export const describeSample: DescribeModel = async (_, chats) => {
  const template = openChatTemplate(null, { bosText: '', eosText: '<|im_end|>', markTexts: [] });
  const texts = chats.map((chat) => template.render([...chat], []).join(''));
  return { context: 512, type: 7, beginText: '', endText: '<|im_end|>', rendered: { texts } };
};

/** Quick, but not so quick that a busy machine makes a difference, or that questions to the database take most time. */
export const QUICK: TrainingTimes = { ...TIMES, tickMs: 150, graceMs: 5_000 };

export interface TestTraining {
  readonly training: Training;
  readonly studio: OpenedStudio;
  readonly snapshotId: string;
  readonly log: string[];
  /** A job of runs on the sample's first snapshot. */
  create(
    more?: Partial<CreateJob['experiments'][number]>[],
    key?: string,
    studio?: CreateJob['studio'],
  ): Promise<string>;
  /** The ids of its experiments. */
  runsOf(jobId: string): Promise<string[]>;
  /** Waits until the progress of a run is as wanted. */
  until(id: string, isWanted: (progress: TrainingProgress) => boolean): Promise<TrainingProgress>;
  /** Ends the training alone: the studio stays open. */
  close(): Promise<void>;
}

export interface TestTrainingOptions {
  readonly dataDir: string;
  readonly trainer: Trainer | null;
  readonly times?: TrainingTimes;
  readonly engine?: Pick<Engine, 'load'>;
  readonly now?: () => Date;
  /** One that is open already. */
  readonly studio?: OpenedStudio;
  readonly launchers?: LaunchersOptions;
  readonly webhook?: WebhookOptions | null;
}

/** Loads any model at once. */
export const LOADS: Pick<Engine, 'load'> = {
  load: async (id) => ({ id, fingerprint: null, generate: () => ({ async *[Symbol.asyncIterator]() {} }) }),
};

export const RUN: CreateJob['experiments'][number] = {
  base_model_id: 'support-base',
  batch_size: 8,
  n_epochs: 1,
  learning_rate_multiplier: 0.006,
  lora: true,
};

/** The models that a run has made. */
export const modelsOf = async ({ studio }: TestTraining, id: string): Promise<string[]> =>
  (await studio.listModelFiles()).map((file) => file.id).filter((model) => model.includes(id.slice(0, 8)));

const hasEnded = ({ status }: TrainingProgress): boolean => ['succeeded', 'failed', 'stopped'].includes(status);

export async function openTestTraining({
  dataDir,
  trainer,
  times = QUICK,
  engine = LOADS,
  now = () => new Date(),
  studio: opened,
  launchers,
  webhook,
}: TestTrainingOptions): Promise<TestTraining> {
  const studio = opened ?? (await openTestStudio({ dataDir, sample: true }));
  const log: string[] = [];
  const training = await openTraining({
    database: studio.database,
    dataDir,
    trainer,
    studio,
    listFiles: () => studio.listModelFiles(),
    engine,
    describeModel: describeSample,
    now,
    report: (line) => void log.push(line),
    times,
    ...(launchers && { launchers }),
    webhook,
  });
  const [project] = await studio.listProjects();
  const tree = project && (await studio.findProject(project.id));
  const snapshotId = tree?.children[0]?.children[0]?.id ?? '';
  return {
    training,
    studio,
    snapshotId,
    log,
    create: (more = [{}], key, wanted) =>
      training.createJob(
        {
          snapshot_id: snapshotId,
          name: 'Test',
          experiments: more.map((fields) => ({ ...RUN, ...fields })),
          ...(wanted && { studio: wanted }),
        },
        key ?? null,
      ),
    runsOf: async (jobId) => (await studio.findJob(jobId))?.experiments.map(({ id }) => id) ?? [],
    async until(id, isWanted) {
      for (;;) {
        const progress = await training.findProgress(id, -1);
        if (progress && isWanted(progress)) return progress;
        if (progress && hasEnded(progress))
          throw new Error(`It is ${progress.status}: ${progress.reason}. ${(await training.findLog(id, 0))?.text}`);
        await new Promise((resolve) => {
          setTimeout(resolve, 150);
        });
      }
    },
    close: () => training.close(),
  };
}
