// What the service and the thread that applies checks say to each other.
import type { CheckResult } from '#features/evaluation/shared/checkResult.ts';
import type { AnswerFacts, CheckSpec } from '#features/evaluation/shared/checks.ts';
import type { WrittenCall } from '#features/evaluation/shared/toolCalls.ts';
import type { BlockVerdict, VerdictBlock } from '#features/evaluation/server/verdictBlocks.ts';

export interface CheckBatch {
  readonly specs: readonly CheckSpec[];
  readonly answers: readonly {
    readonly answer: string;
    readonly expected: string | null;
    readonly calls: readonly WrittenCall[];
    readonly facts: AnswerFacts;
  }[];
  /** Which check on which answer. */
  readonly jobs: readonly (readonly [check: number, answer: number])[];
  /** The thread keeps the answers for the next change of a check; null: it forgets them. */
  readonly keep: { readonly run: string; readonly block: string; readonly places: readonly number[] } | null;
}

/** Judges blocks of answers that the thread has kept. */
export interface KeptOrder {
  readonly specs: readonly CheckSpec[];
  readonly blocks: readonly string[];
  /** Places of a block. */
  readonly size: number;
}

export type CheckOrder = CheckBatch | KeptOrder;

export interface CheckReply {
  readonly results: readonly CheckResult[];
  /** Of each block and check of a `KeptOrder`. */
  readonly judged?: readonly (readonly VerdictBlock[])[];
  readonly isLast: boolean;
}

export function toVerdict(result: CheckResult): Omit<BlockVerdict, 'at'> {
  if (result.state === 'no-check') return { outcome: 'not_checked', score: null, reason: result.reason };
  return result.state === 'pass'
    ? { outcome: 'pass', score: result.score ?? 1, reason: result.note ?? null }
    : { outcome: 'fail', score: result.score ?? 0, reason: result.reason };
}
