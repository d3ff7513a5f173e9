// What becomes of a run whose trainer has ended. Pure.
import { EXIT_RESUMABLE, type TrainerResult } from '#trainer/protocol/trainerProtocol.ts';
import type { Recorder } from './recorder.ts';
import type { TrainerEnd } from './trainerProcess.ts';
import type { Cause } from './watchTrainer.ts';

export const GOES_ON = 'It goes on from its last checkpoint.';
export const PAUSED = 'Paused until all candidates of its job have come as far.';

export type RunEnding =
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'succeeded'; readonly result: TrainerResult }
  | { readonly kind: 'stopped'; readonly cause: 'cancel' | 'stop' }
  /** The service ends; `leave`: the worker trains on for the next one. */
  | { readonly kind: 'put back' | 'leave' }
  /** It waits for the other candidates of its job. */
  | { readonly kind: 'paused' }
  /** It waits for its next attempt. `note`: for its log. */
  | { readonly kind: 'again'; readonly note: string | null };

export interface EndFacts {
  /** null: the trainer ended by itself. */
  readonly cause: Exclude<Cause, 'lost'> | null;
  readonly end: TrainerEnd;
  readonly isRemote: boolean;
  /** There is a checkpoint of the step at which it pauses. */
  readonly isAtRung: boolean;
  /** There is a checkpoint. */
  readonly isSaved: boolean;
  readonly said: Pick<Recorder, 'result' | 'failure' | 'hopeless' | 'lastLines'>;
}

/** What others say, which may end as a sentence does. */
export const toSentence = (words: string): string => (/[.!?…]$/.test(words) ? words : `${words}.`);

/** Why a trainer that nobody asked to end has failed. */
function toFailure({ code, signal, problem, isGone }: TrainerEnd, { said, isRemote }: EndFacts): string {
  const { failure, lastLines } = said;
  if (failure !== null && isGone !== true) return [failure.reason, failure.what_to_do].filter((text) => text).join(' ');
  // Another machine says by itself what was wrong there.
  if (problem !== null && isRemote) return problem;
  if (problem !== null) return `The trainer could not be started: ${problem}. Check the command of --trainer.`;
  const line = lastLines.at(-1);
  const last = line === undefined ? ' It wrote no line.' : ` Its last line: ${toSentence(line)}`;
  if (signal !== null)
    return `The trainer was ended by the signal ${signal}${signal === 'SIGKILL' ? ', often because memory ran out' : ''}.${last}`;
  if (code === 0) return `The trainer ended without a result: it named no model.${last}`;
  return `The trainer ended with the exit code ${code}.${last}`;
}

export function toRunEnding(facts: EndFacts): RunEnding {
  const { cause, end, isRemote, isSaved, said } = facts;
  const isOwn = cause === null || typeof cause === 'object';
  const reason = said.hopeless ?? (isOwn ? cause?.failed : null) ?? null;
  if (isOwn && reason !== null) return { kind: 'failed', reason };
  // A result that came before the wish to end it counts.
  if (said.result !== null && end.code === 0 && cause !== 'cancel') return { kind: 'succeeded', result: said.result };
  if (cause === 'cancel' || cause === 'stop') return { kind: 'stopped', cause };
  if (cause === 'closing') return { kind: isRemote ? 'leave' : 'put back' };
  // Nobody here sent it: memory ran out, or an administrator ended it. What was saved is not lost.
  const isKilled = end.signal === 'SIGKILL' || end.signal === 'SIGTERM';
  if (end.isGone === true || (isKilled && said.failure === null && isSaved))
    return { kind: 'again', note: `${toFailure(end, facts)} ${isSaved ? GOES_ON : 'It begins again.'}` };
  if (end.code === EXIT_RESUMABLE && facts.isAtRung) return { kind: 'paused' };
  if (end.code === EXIT_RESUMABLE) return { kind: 'again', note: null };
  return { kind: 'failed', reason: toFailure(end, facts) };
}

/** Why a run was stopped. */
export function toStopReason(cause: 'cancel' | 'stop', step: number, isDeleted: boolean, canResume: boolean): string {
  if (cause === 'cancel') return isDeleted ? 'It was deleted while it was trained.' : 'Cancelled by a person.';
  return canResume
    ? `Stopped by a person at step ${step}. Its last checkpoint is kept.`
    : 'Stopped by a person before its first checkpoint.';
}
