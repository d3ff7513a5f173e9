// What becomes of a run whose job is at a launcher. Pure.
import { isActiveStatus, type ExperimentStatus } from '#core/contract/statuses.ts';
import { EXIT_RESUMABLE } from '#trainer/protocol/trainerProtocol.ts';
import { EXIT_UNREACHABLE } from '#features/training/shared/worker.ts';
import { GOES_ON, toSentence } from '#features/training/server/runEnding.ts';
import type { EndCause, LaunchStatus, Said } from './launcher.ts';

/** Of a shell that finds no program. */
const EXIT_NOT_FOUND = 127;
/** How often a run is placed again by itself. */
const MAX_RESUMES = 3;

export interface LaunchTimes {
  /** A worker that was asked to end by the studio does so by itself. */
  readonly leaveMs: number;
  /** How long a launcher may take to end a job. */
  readonly stopMs: number;
  /** How long a job may run before its worker takes the run. */
  readonly startMs: number;
  /** How long a launcher may not answer to a submission. */
  readonly placeMs: number;
  /** How long a launcher may not know of what it has taken. */
  readonly lostMs: number;
}

export const LAUNCH_TIMES: LaunchTimes = {
  leaveMs: 30_000,
  stopMs: 10 * 60_000,
  startMs: 15 * 60_000,
  placeMs: 10 * 60_000,
  lostMs: 20_000,
};

export interface LaunchFacts {
  readonly launcher: string;
  readonly job: string | null;
  /** Of the run; null: it was deleted. */
  readonly run: ExperimentStatus | null;
  readonly canResume: boolean;
  readonly resumes: number;
  readonly status: LaunchStatus;
  /** Whether it was known to be at the launcher. */
  readonly isPlaced: boolean;
  /** Milliseconds for which it has had a status of this kind. */
  readonly sinceMs: number;
  /** Since it is wanted to end; null: it is not. */
  readonly endingMs: number | null;
  /** The last line of its log; null: none. */
  readonly lastLine: string | null;
}

export type LaunchStep =
  | { readonly kind: 'wait' }
  /** The launcher does not have it, or gave it up: it is submitted once more. */
  | { readonly kind: 'submit' }
  /** Asks the launcher to end it. */
  | { readonly kind: 'stop' }
  /** Nothing of it is left. `note`: for the log of the run. */
  | { readonly kind: 'over'; readonly note: string | null }
  /** The run is placed again, and goes on from its last checkpoint. */
  | { readonly kind: 'again'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** `job 4711 at slurm`. */
export const toJobName = (launcher: string, job: string | null): string =>
  job === null ? `its job at ${launcher}` : `job ${job} at ${launcher}`;

/** The same at the begin of a sentence. */
function toSubject(launcher: string, job: string | null): string {
  const name = toJobName(launcher, job);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const CAUSES: Readonly<Record<EndCause, { readonly what: string; readonly todo: string }>> = {
  memory: { what: 'ran out of memory', todo: 'Ask for more memory in launchers.json, or take a smaller batch.' },
  time: { what: 'reached its time limit', todo: 'Give it more time in launchers.json.' },
  preempted: { what: 'was preempted', todo: 'Resume it when the cluster has more room.' },
  node: { what: 'lost its node', todo: 'Resume it, or start it again.' },
  cancelled: { what: 'was ended by somebody at the cluster', todo: 'Ask there, or start it again.' },
};

type Ended = Extract<LaunchStatus, { kind: 'ended' }>;

/** What happened to a job that ended by itself, in a sentence. */
function toEndText({ launcher, job, lastLine }: LaunchFacts, { code, cause, words }: Ended): string {
  const subject = toSubject(launcher, job);
  const what = cause === null ? (code === null ? 'ended' : `ended with the exit code ${code}`) : CAUSES[cause].what;
  const said = words === null ? '' : ` (${words})`;
  const last = lastLine === null || cause !== null ? '' : ` Its last line: ${toSentence(lastLine)}`;
  return `${subject} ${what}${said}.${last}`;
}

function toEndStep(facts: LaunchFacts, end: Ended): LaunchStep {
  const { canResume, resumes, lastLine } = facts;
  const { code, cause, words } = end;
  const text = toEndText(facts, end);
  // The worker says by itself what is to be done.
  if (code === EXIT_UNREACHABLE && lastLine !== null) return { kind: 'failed', reason: lastLine };
  const isInterrupted =
    cause === 'preempted' ||
    cause === 'node' ||
    (cause === 'time' && canResume) ||
    // 0: its worker lost the run, or came before the run was free.
    (cause === null && (code === EXIT_RESUMABLE || code === 0));
  // What could not begin has no log: the words of the launcher are all that there is.
  const first =
    code === EXIT_NOT_FOUND
      ? 'Check worker in launchers.json, which starts Model Studio on its machines'
      : lastLine === null && words !== null
        ? 'Mend that'
        : 'Look into its log';
  const todo = cause === null ? `${first}, and start it again.` : CAUSES[cause].todo;
  const kept = canResume ? ' Its last checkpoint is kept.' : '';
  if (!isInterrupted) return { kind: 'failed', reason: `${text} ${todo}${kept}` };
  if (resumes >= MAX_RESUMES)
    return { kind: 'failed', reason: `${text} It was placed again ${MAX_RESUMES} times already. ${todo}${kept}` };
  const next = canResume ? GOES_ON : 'It begins again.';
  return { kind: 'again', reason: `${text} ${next} Placed again ${resumes + 1} of ${MAX_RESUMES} times.` };
}

/** Of a run that has ended, or was deleted: what is left of its job. */
function toLeftStep({ launcher, job, status, isPlaced, endingMs, run }: LaunchFacts, times: LaunchTimes): LaunchStep {
  if (status.kind !== 'waiting' && status.kind !== 'running') return { kind: 'over', note: null };
  if (endingMs !== null && endingMs > times.stopMs)
    return {
      kind: 'over',
      note:
        `${launcher} was asked to end ${toJobName(launcher, job)} ${Math.round(times.stopMs / 60_000)} min ago, and still has ` +
        'it. End it there: it can not change the run any more.',
    };
  const mayLeave = isPlaced && status.kind === 'running' && run !== null;
  return mayLeave && (endingMs ?? 0) < times.leaveMs ? { kind: 'wait' } : { kind: 'stop' };
}

export function toLaunchStep(facts: LaunchFacts, times: LaunchTimes): LaunchStep {
  const { launcher, job, run, status, isPlaced, sinceMs, canResume } = facts;
  if (run === null || !isActiveStatus(run)) return toLeftStep(facts, times);
  // Its worker trains: what becomes of the run is heard of it.
  if (run !== 'queued') return { kind: 'wait' };
  switch (status.kind) {
    case 'waiting':
      if (status.mostMs === undefined || sinceMs < status.mostMs) return { kind: 'wait' };
      return {
        kind: 'failed',
        reason: `${toSubject(launcher, job)} can not begin: ${toSentence(status.reason)} Mend that, and start it again.`,
      };
    case 'running':
      if (sinceMs <= times.startMs) return { kind: 'wait' };
      return {
        kind: 'failed',
        reason:
          `${toSubject(launcher, job)} runs since ${Math.round(sinceMs / 60_000)} min, and its worker did not take the run. ` +
          `${facts.lastLine === null ? 'It wrote no line.' : `Its last line: ${toSentence(facts.lastLine)}`} ` +
          'Check that its machine reaches the studio, and start it again.',
      };
    case 'unplaced':
      return { kind: 'submit' };
    case 'lost':
      if (!isPlaced) return { kind: 'submit' };
      if (sinceMs < times.lostMs) return { kind: 'wait' };
      return {
        kind: 'failed',
        reason:
          `${launcher} does not know ${toJobName(launcher, job)} any more: it was lost there. ` +
          (canResume ? 'Its last checkpoint is kept: resume it.' : 'Start it again.'),
      };
    case 'ended':
      return toEndStep(facts, status);
  }
}

/** Why a run waits that a launcher has, for people. */
export function toWaitReason(launcher: string, job: string | null, { status, problem }: Said): string {
  const number = job === null ? '' : `, job ${job}`;
  const away = problem === null ? '' : ` ${launcher} does not answer now (${problem}); it is asked again and again.`;
  if (status?.kind === 'waiting') return `Waiting at ${launcher}: ${status.reason.replace(/\.$/, '')}${number}.${away}`;
  if (status?.kind === 'running')
    return `Starting at ${launcher}: the machine is there, and its worker begins${number}.${away}`;
  return `Given to ${launcher}${number}.${away}`;
}
