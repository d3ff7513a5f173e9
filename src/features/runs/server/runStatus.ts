// The status of a run, from the evidence that it left: what a trainer or tracker wrote down comes before what follows
// from its files. Pure: the clock and the look at processes come in.
import type { JoinedCurve } from './formatRun.ts';
import { perRun, type JoinedRun } from './joinedRun.ts';
import type { ExperimentStatus, StatusCause } from '#core/contract/statuses.ts';
import type { StatusSign, TrainingProcess } from './evidence.ts';

// Whether the weights of a run are lost: from a step on it logged no finite numbers any more. transformers writes a loss of exactly
// 0 then (`logging_nan_inf_filter`), so the loss alone doesn't say it. Pure.

export interface Divergence {
  /** The first step of the end that is not finite. */
  readonly step: number;
  /** `grad_norm is not finite`: as part of a sentence. */
  readonly words: string;
}

/** Two, so that a single value that was logged wrongly decides nothing: scaling of fp16 also makes single infinite norms. */
const DIVERGED_POINTS = 2;
const ENTROPY = /(?:^|\/)entropy$/;
const EVAL_LOSS = /^eval\/(?:.+_)?loss$/;

interface End {
  readonly step: number;
  readonly points: number;
}

/** The end of a curve without finite values; null: its last value is finite, or there is none. */
function toLostEnd(curve: JoinedCurve | undefined): End | null {
  if (!curve || Number.isFinite(curve.lastValue)) return null;
  const { steps, values, length } = curve.read();
  let at = length;
  while (at > 0 && !Number.isFinite(values[at - 1])) at -= 1;
  return { step: steps[at] ?? 0, points: length - at };
}

export const toDivergence = perRun((run): Divergence | null => {
  const curves = run.curves();
  const loss = curves.get('loss');
  const norms = curves.get('grad_norm');
  const say = (name: string, { step }: End): Divergence => ({ step, words: `${name} is not finite` });

  const lossEnd = toLostEnd(loss);
  if (lossEnd && lossEnd.points >= DIVERGED_POINTS) return say('loss', lossEnd);
  const normEnd = toLostEnd(norms);
  const isLossGone = loss !== undefined && (loss.lastValue === 0 || !Number.isFinite(loss.lastValue));
  if (normEnd && (normEnd.points >= DIVERGED_POINTS || isLossGone)) return say('grad_norm', normEnd);
  for (const [name, curve] of curves) {
    if (!EVAL_LOSS.test(name) && !ENTROPY.test(name)) continue;
    const end = toLostEnd(curve);
    // Weights that are lost never have a finite gradient again: then the rows of the evaluation had nothing to count.
    const wentOn = end && norms && Number.isFinite(norms.lastValue) && norms.lastStep > end.step;
    if (end && !wentOn) return say(name, end);
  }
  return null;
});

export interface RunStatus {
  readonly status: ExperimentStatus;
  /** null: the status says it. */
  readonly cause: StatusCause | null;
  /** One sentence. */
  readonly reason: string;
  /** false: concluded, not written down. */
  readonly isCertain: boolean;
}

/** `gone`: no such process here, though another machine may have the same name. `unknown`: another host, or no pid. */
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
/** After so long the process with the pid of a run is another one, or its trainer has ended without it, as in a notebook. */
const STALE_MS = 24 * 60 * MINUTE;
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

/** Trackers whose files never say that a run ended, unless a trainer wrote its settings and results into them too. */
const ENDLESS: Readonly<Record<string, string>> = { trackio: 'trackio', tensorboard: 'TensorBoard' };

/** Who wrote of the run, if none of them writes an end; null: one does. */
function toEndless(run: JoinedRun): string | null {
  const names = run.formats.flatMap((format) => (Object.hasOwn(ENDLESS, format) ? (ENDLESS[format] ?? []) : []));
  const isOfTrainer = run.formats.includes('tensorboard') && run.parameters().size > 0;
  return names.length === run.formats.length && !isOfTrainer ? names.join(' and ') : null;
}

/** What follows from silence: `signs` have no result. */
function toLiveStatus(run: JoinedRun, { now, findProcess, isRead = true }: StatusContext): RunStatus {
  const { process } = run;
  const liveness = process ? findProcess(process) : 'unknown';
  const silence = toSilence(run, now);
  const named = process?.pid ? `process ${process.pid} on ${process.host}` : null;
  const quiet = Math.max(QUIET_MS, QUIET_INTERVALS * (toLogInterval(run) ?? 0));
  const isQuiet = silence.ms === null || silence.ms > quiet;
  const toRunning = (reason: string, isCertain: boolean): RunStatus => {
    const lost = isRead ? toDivergence(run) : null;
    const words = lost ? `it diverged: ${lost.words} from step ${lost.step} on; ${reason}` : reason;
    return { status: 'running', cause: lost && 'diverged', reason: toSentence(words), isCertain };
  };
  // The process goes on after an error in a notebook, and after one that was caught.
  const traceback = isRead ? findSign(run.signs, 'traceback') : null;
  if (
    liveness === 'alive' &&
    named &&
    !(traceback && isQuiet) &&
    (silence.ms === null || silence.ms <= Math.max(STALE_MS, quiet))
  )
    return toRunning(`${named} is running; ${silence.words}`, !isQuiet);
  if (!isRead)
    return { status: 'pending', cause: 'reading', reason: 'Its files are still being read.', isCertain: false };
  if (traceback) {
    const isCertain = liveness === 'gone' || silence.ms === null || silence.ms > FRESH_MS;
    return toBroken(run, 'error', `the log ends with an error: ${traceback.reason}`, isCertain);
  }
  if (silence.ms !== null && silence.ms <= (liveness === 'gone' ? FRESH_MS : quiet))
    return toRunning(`its files change; ${silence.words}`, false);
  const open = findSign(run.signs, 'open');
  const endless = toEndless(run);
  const why = [
    endless === null ? 'stopped without a result' : `stopped; ${endless} never writes how a run ends`,
    silence.words,
    // Another machine may be called the same.
    ...(liveness === 'gone' && process
      ? [`no process ${process.pid} runs here, if this is the ${process.host} that trained it`]
      : []),
    ...(open ? ['its tracker still says that it runs, as it does after a crash'] : []),
  ];
  const cause = endless !== null ? 'unsaid' : liveness === 'gone' ? 'killed' : 'lost';
  return toBroken(run, cause, why.join('; '), false);
}

type BrokenCause = Extract<StatusCause, 'error' | 'ended_early' | 'interrupted' | 'killed' | 'lost' | 'unsaid'>;

/** A run without a result. If its weights are lost, nothing else matters, and it is a failure whatever ended it. */
function toBroken(run: JoinedRun, cause: BrokenCause, reason: string, isCertain: boolean): RunStatus {
  const lost = toDivergence(run);
  if (lost === null)
    return { status: cause === 'error' ? 'failed' : 'stopped', cause, reason: toSentence(reason), isCertain };
  return toDiverged(lost, reason, true);
}

const toDiverged = ({ step, words }: Divergence, reason: string, isCertain: boolean): RunStatus => ({
  status: 'failed',
  cause: 'diverged',
  reason: toSentence(`diverged: ${words} from step ${step} on; ${reason}`),
  isCertain,
});

/** A run that ended; one whose loss is lost has no model to use, whatever its trainer says. */
function toEnded(run: JoinedRun, reason: string, isCertain: boolean): RunStatus {
  const lost = toDivergence(run);
  if (lost) return toDiverged(lost, reason, isCertain);
  return { status: 'succeeded', cause: isCertain ? null : 'likely_finished', reason: toSentence(reason), isCertain };
}

/** A run that its tracker was told to close, which says nothing of how it ended: its steps do, as far as they are known. */
function toClosed(run: JoinedRun, { reason }: StatusSign, note: string): RunStatus {
  const { step, totalSteps } = run.progress;
  const complete = findSign(run.signs, 'complete');
  const isWhole = complete !== null || (step !== null && totalSteps !== null && step >= totalSteps);
  if (isWhole || step === null || totalSteps === null) return toEnded(run, `finished: ${reason}${note}`, isWhole);
  const why = `ended early: ${reason} at step ${step} of ${totalSteps}, and no end of the training was logged${note}`;
  return toBroken(run, 'ended_early', why, false);
}

/** Of the newest session. What failed has failed, whatever else was written of it: a weaker source doesn't overrule it. */
export function toRunStatus(run: JoinedRun, context: StatusContext): RunStatus {
  if (context.isRead === false) return toLiveStatus(run, context);
  const { signs } = run;
  const toNote = ({ at }: StatusSign): string =>
    at !== null && at - context.now > CLOCK_SLACK_MS
      ? `; that is dated ${toDuration(at - context.now)} in the future, so one of the clocks is wrong`
      : '';
  const failed = findSign(signs, 'failed');
  const finished = findSign(signs, 'finished');
  if (failed) {
    const other = finished ? `; its training had come to an end: ${finished.reason}` : '';
    return toBroken(run, 'error', `failed: ${failed.reason}${other}${toNote(failed)}`, true);
  }
  const written = findSign(signs, 'finished', 'interrupted');
  if (written?.kind === 'finished') return toEnded(run, `finished: ${written.reason}${toNote(written)}`, true);
  if (written) return toBroken(run, 'interrupted', `stopped: ${written.reason}${toNote(written)}`, true);
  const traceback = findSign(signs, 'traceback');
  const closed = traceback === null ? findSign(signs, 'closed') : null;
  if (closed) return toClosed(run, closed, toNote(closed));
  const complete = findSign(signs, 'complete');
  if (complete) return toEnded(run, `probably finished: ${complete.reason}`, false);
  return toLiveStatus(run, context);
}
