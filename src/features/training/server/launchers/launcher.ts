// What places a run on other machines: a cluster's own queue. It starts a worker for one run; rows, progress and weights go
// between that worker and the studio.

/** Why a job ended, where the launcher knows. */
export const END_CAUSES = ['memory', 'time', 'preempted', 'node', 'cancelled'] as const;
export type EndCause = (typeof END_CAUSES)[number];

export type LaunchStatus =
  /** `job`: the launcher's own number, where it was not known. */
  | {
      readonly kind: 'waiting';
      readonly reason: string;
      readonly job?: string;
      /** Milliseconds after which it is given up, if it stays like that; missing: it waits as long as it takes. */
      readonly mostMs?: number;
    }
  | { readonly kind: 'running'; readonly job?: string }
  /** It gave the job up before it began, because it had no room: it has to be submitted once more. */
  | { readonly kind: 'unplaced' }
  | {
      readonly kind: 'ended';
      /** Of the worker, as the job itself wrote it or the launcher says; null: unknown. */
      readonly code: number | null;
      readonly cause: EndCause | null;
      /** The launcher's own words; null: none. */
      readonly words: string | null;
    }
  /** The launcher does not know the job. */
  | { readonly kind: 'lost' };

/** What is known of a job. Times are Unix milliseconds. */
export interface Said {
  /** null: nothing yet. */
  readonly status: LaunchStatus | null;
  /** Since when it has a status of this kind. */
  readonly since: number;
  /** Why the launcher does not answer now; null: it does. */
  readonly problem: string | null;
  readonly problem_since: number | null;
  /** The launcher's own mark of where its log was read last; null or missing: it gave none. */
  readonly log_mark?: string | null;
}

/** One job at a launcher. */
export interface LaunchedJob {
  /** Ours: letters, digits and `-`, at most 40. */
  readonly id: string;
  /** The launcher's; null: it has not said one. */
  readonly job: string | null;
}

export interface LaunchOrder extends LaunchedJob {
  readonly experimentId: string;
  /** For people, as they find it in the cluster. */
  readonly label: string;
  /** Where nodes reach the studio. */
  readonly studio: string;
  /** The worker's: it must not come into a command line, an environment, or what the cluster shows of its jobs. */
  readonly token: string;
  /** Instead of a token where the launcher has no secret place: worthless once it was used. */
  readonly claim: string;
}

interface LogPart {
  readonly text: string;
  readonly next: number;
  /** What it wants to be told with `next`. */
  readonly mark?: string;
}

/** The launcher refuses the job, and will refuse it again. */
export class LaunchRefused extends Error {
  override readonly name = 'LaunchRefused';
}

/** The launcher has no room for the job now, such as in a quota, and may take it later. Its message: why. */
export class LaunchDelayed extends Error {
  override readonly name = 'LaunchDelayed';
}

/** All but `submit` throw any other Error while the launcher does not answer as it should. */
export interface Launcher {
  readonly name: string;
  readonly kind: 'command' | 'slurm' | 'ray' | 'kubernetes';
  /** Jobs at a time. */
  readonly mostAtOnce: number;
  /** Whether it hands a token to the job where nobody else sees it. */
  readonly hasSecretPlace: boolean;
  /** Its jobs run on other machines for sure: to them a loopback address is their own. */
  readonly isElsewhere: boolean;
  /** Where its machines reach the studio, if the operator said so, such as the address of a tunnel; missing: at the public one. */
  readonly studio?: string;
  /** What a job asks for, for people. */
  readonly about: string;
  /** The same id again is the same job. Resolves to the launcher's own number. Throws LaunchRefused and LaunchDelayed too. */
  submit(order: LaunchOrder): Promise<string | null>;
  status(job: LaunchedJob): Promise<LaunchStatus>;
  /** Asks it to end: a signal, and some time to save. It may be asked again. */
  stop(job: LaunchedJob): Promise<void>;
  /** Its output from a place on, and the place that follows it: at most some 100 kB. `mark`: what came with `from`. */
  log(job: LaunchedJob, from: number, mark: string | null): Promise<LogPart>;
  /** Takes away the token, once the job is over. */
  tidy(job: LaunchedJob): Promise<void>;
}
