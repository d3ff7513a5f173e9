// The interface of trainings for the service.
import type { Job } from '#core/contract/job.ts';
import type { CurveRequest } from '#features/runs/shared/runs.ts';
import type { CreateJob } from '#features/training/shared/createJob.ts';
import type {
  TrainingBases,
  TrainingLog,
  TrainingProgress,
  TrainingQueue,
} from '#features/training/shared/trainingRecords.ts';
import type { TakeAway } from '#features/training/shared/takeAwayFiles.ts';
import type { FoundCurves } from './curves.ts';
import type { TakenContent } from './takeAway.ts';
import type { Workers } from './workers.ts';

/** What changes something throws TrainingProblem; null: there is no such job or experiment. */
export interface Training {
  /**
   * Resolves to the job's id. The same key and request give the same job again. `askedBy`: the name of the token; null or
   * missing: the studio's own.
   */
  createJob(request: CreateJob, key: string | null, askedBy?: string | null): Promise<string>;
  /** What its experiments would run. Nothing is stored. */
  previewJob(request: CreateJob): Promise<{ command: string[]; job: string }[]>;
  /** The same runs once more, as a new job. */
  duplicateJob(jobId: string, key: string | null, askedBy?: string | null): Promise<string | null>;
  /** Ends all of its runs that have not ended. */
  cancelJob(jobId: string): Promise<true | null>;
  /** `stop` keeps the last checkpoint, `cancel` nothing. */
  endRun(experimentId: string, wish: 'cancel' | 'stop'): Promise<true | null>;
  resumeRun(experimentId: string): Promise<true | null>;
  readQueue(): Promise<TrainingQueue>;
  /** The models with files here, as a training would start from them. */
  listBases(): Promise<TrainingBases>;
  /** Puts these first. */
  reorder(experimentIds: readonly string[]): Promise<void>;
  /** What came after step `since`. */
  findProgress(experimentId: string, since: number): Promise<TrainingProgress | null>;
  findLog(experimentId: string, from: number): Promise<TrainingLog | null>;
  /** The command and the job file of a run. */
  findCommand(experimentId: string): Promise<{ command: string[]; job: string } | null>;
  /** How to serve a run's model elsewhere; null: there is no such run, or its model is no file here. */
  findTakeAway(experimentId: string): Promise<TakeAway | null>;
  /** One of its files by its name; null: there is none. */
  findTakenFile(experimentId: string, name: string): Promise<TakenContent | null>;
  /** Machines elsewhere that train for this studio. */
  readonly workers: Workers;
  /** Adds to a job what is known of its trainings. */
  describeJob(job: Job): Promise<Job>;
  /** The curves of those runs that this studio trains or trained. */
  findCurves(request: CurveRequest): Promise<FoundCurves>;
  /** Ends the running trainer; its run goes on when the studio starts again. */
  close(): Promise<void>;
}
