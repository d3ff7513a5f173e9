// The status of a run, from the evidence that it left: what a trainer or tracker wrote down comes before what follows
// from its files. Pure: the clock and the look at processes come in.
import type { ExperimentStatus, JobStatus } from '#shared/contract/statuses.ts';
import type { StatusSign, TrainingProcess } from './evidence.ts';
import { perRun, type JoinedRun } from './joinedRun.ts';

export interface RunStatus {
  readonly status: ExperimentStatus;
  /** One sentence. */
  readonly reason: string;
  /** false: concluded, not written down. */
  readonly isCertain: boolean;
}

/** `unknown`: another host or container, or no pid. */
export type Liveness = 'alive' | 'gone' | 'unknown';

/** `startedAt`: when the run began. A process that started later is another one with the same pid. */
export type FindProcess = (process: TrainingProcess & { readonly startedAt: number | null }) => Liveness;

export interface StatusContext {
  /** Unix milliseconds. */
  readonly now: number;
  readonly findProcess: FindProcess;
  /** false: its files were not read to their ends yet, where the result stands. */
  readonly isRead?: boolean;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Evaluation, saving and the first compilation are quiet. */
const QUIET_MS = 10 * MINUTE;
/** Files that grew this recently speak against a process that can't be found: containers have pids of their own. */
const FRESH_MS = 2 * MINUTE;
const QUIET_INTERVALS = 3;
/** Clocks of machines and file servers differ a little. */
const CLOCK_SLACK_MS = 5 * MINUTE;

const UNITS: readonly (readonly [ms: number, word: string])[] = [
  [24 * 60 * MINUTE, 'd'],
  [60 * MINUTE, 'h'],
  [MINUTE, 'min'],
];

/** `3 h`. In whole units, so that the sentence rarely changes. */
export function toDuration(ms: number): string {
  const [unit, word] = UNITS.find(([each]) => ms >= each) ?? [MINUTE, 'min'];
  return ms < MINUTE ? 'less than 1 min' : `${Math.floor(ms / unit)} ${word}`;
}

const toSentence = (text: string): string => {
  const trimmed = text.trim().replace(/\.+$/, '');
  return `${trimmed.charAt(0).toUpperCase()}${trimmed.slice(1)}.`;
};

/** Points of the loss whose times say how often a run logs. */
const LOGGED = 50;

/** The time between two points of the loss, in milliseconds; null: no times. */
const toLogInterval = perRun((run): number | null => {
  const loss = run.curves().get('loss');
  const { times, length } = loss?.read(loss.length - LOGGED) ?? { times: null, length: 0 };
  if (!times) return null;
  const gaps: number[] = [];
  for (let at = 1; at < length; at += 1) {
    const gap = (times[at] ?? Number.NaN) - (times[at - 1] ?? Number.NaN);
    if (gap > 0) gaps.push(gap);
  }
  gaps.sort((a, b) => a - b);
  return gaps[Math.floor(gaps.length / 2)] ?? null;
});

/** The sign that was given last; of several at one time the first. */
function findSign(signs: readonly StatusSign[], ...kinds: readonly StatusSign['kind'][]): StatusSign | null {
  let last: StatusSign | null = null;
  for (const sign of signs)
    if (kinds.includes(sign.kind) && (last === null || (sign.at ?? 0) > (last.at ?? 0))) last = sign;
  return last;
}

/** How long ago the last sign was, and whether its clock can be believed. */
function toSilence(run: JoinedRun, now: number): { ms: number | null; words: string; isFuture: boolean } {
  const at = run.lastSignAt;
  if (at === null) return { ms: null, words: 'when it last wrote is not known', isFuture: false };
  const ms = now - at;
  if (ms < -CLOCK_SLACK_MS) {
    const words = `its last sign is dated ${toDuration(-ms)} in the future, so one of the clocks is wrong`;
    return { ms: null, words, isFuture: true };
  }
  return { ms: Math.max(0, ms), words: `last sign ${toDuration(Math.max(0, ms))} ago`, isFuture: false };
}

/** What follows from silence: `signs` have no result. */
function toLiveStatus(run: JoinedRun, { now, findProcess, isRead = true }: StatusContext): RunStatus {
  const { process } = run;
  const liveness = process ? findProcess(process) : 'unknown';
  const silence = toSilence(run, now);
  const named = process?.pid ? `process ${process.pid} on ${process.host}` : null;
  if (liveness === 'alive' && named) {
    return { status: 'running', reason: toSentence(`${named} is running; ${silence.words}`), isCertain: true };
  }
  if (!isRead) return { status: 'pending', reason: 'Its files are still being read.', isCertain: false };
  const traceback = findSign(run.signs, 'traceback');
  if (traceback) {
    const isCertain = liveness === 'gone' || silence.ms === null || silence.ms > FRESH_MS;
    return { status: 'failed', reason: toSentence(`the log ends with an error: ${traceback.reason}`), isCertain };
  }
  const quiet = Math.max(QUIET_MS, QUIET_INTERVALS * (toLogInterval(run) ?? 0));
  if (silence.ms !== null && silence.ms <= (liveness === 'gone' ? FRESH_MS : quiet))
    return { status: 'running', reason: toSentence(`its files change; ${silence.words}`), isCertain: false };
  const open = findSign(run.signs, 'open');
  const why = [
    'stopped without a result',
    silence.words,
    ...(liveness === 'gone' && named ? [`${named} is gone`] : []),
    ...(open ? ['its tracker still says that it runs, as it does after a crash'] : []),
  ];
  return { status: 'stopped', reason: toSentence(why.join('; ')), isCertain: liveness === 'gone' };
}

/** Two, so that a single value that was logged wrongly decides nothing. */
const DIVERGED_POINTS = 2;

/** The step from which on no training loss is a finite number, to the end of the run; null: the loss ends finite. */
function toDivergence(run: JoinedRun): number | null {
  const loss = run.curves().get('loss');
  if (!loss || Number.isFinite(loss.lastValue)) return null;
  const points = loss.read();
  let at = points.length;
  while (at > 0 && !Number.isFinite(points.values[at - 1])) at -= 1;
  return points.length - at < DIVERGED_POINTS ? null : (points.steps[at] ?? null);
}

/** A run that ended; one whose loss is lost has no model to use, whatever its trainer says. */
function toEnded(run: JoinedRun, reason: string, isCertain: boolean): RunStatus {
  const step = toDivergence(run);
  if (step === null) return { status: 'succeeded', reason: toSentence(reason), isCertain };
  return {
    status: 'failed',
    reason: toSentence(`diverged: loss is not finite from step ${step} on; ${reason}`),
    isCertain,
  };
}

export function toRunStatus(run: JoinedRun, context: StatusContext): RunStatus {
  if (context.isRead === false) return toLiveStatus(run, context);
  const { signs } = run;
  const written = findSign(signs, 'finished', 'failed', 'interrupted');
  const note =
    written?.at != null && written.at - context.now > CLOCK_SLACK_MS
      ? `; that is dated ${toDuration(written.at - context.now)} in the future, so one of the clocks is wrong`
      : '';
  if (written?.kind === 'finished') return toEnded(run, `finished: ${written.reason}${note}`, true);
  if (written?.kind === 'failed')
    return { status: 'failed', reason: toSentence(`failed: ${written.reason}${note}`), isCertain: true };
  if (written) return { status: 'stopped', reason: toSentence(`stopped: ${written.reason}${note}`), isCertain: true };
  const complete = findSign(signs, 'complete');
  if (complete) return toEnded(run, `probably finished: ${complete.reason}`, false);
  return toLiveStatus(run, context);
}

/** The status of a job from its runs: it goes on while one does or may, and is complete once each has a result. */
export function toJobStatus(statuses: readonly ExperimentStatus[]): JobStatus {
  if (statuses.some((status) => status === 'running' || status === 'pending')) return 'processing';
  if (statuses.length === 0 || !statuses.every((status) => status === 'succeeded' || status === 'failed'))
    return 'stopped';
  return statuses.includes('succeeded') ? 'completed' : 'failed';
}
