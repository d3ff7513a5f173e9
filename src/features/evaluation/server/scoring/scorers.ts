// What judges the answers of a run. A scorer is asked after an answer is stored, and asked again for what has no verdict.
import type { EvaluationCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import type { PlacedEvaluationRow } from '#features/evaluation/shared/contract/evaluationRow.ts';
import type { WrittenCall } from '#features/evaluation/shared/toolCalls.ts';
import type { PlacedVerdict } from '#features/evaluation/server/verdicts.ts';
import type { FunctionRunner } from '#features/evaluation/server/functions/functionRunner.ts';
import { openCheckScorer, type CheckThreads } from './checkThread.ts';

/** An answer to judge. */
export interface ScoreOrder {
  readonly row: PlacedEvaluationRow;
  readonly repeat: number;
  readonly model: string;
  readonly text: string;
  readonly reasoning: string | null;
  readonly calls: readonly WrittenCall[];
  readonly finish_reason: string | null;
  readonly completion_tokens: number | null;
  readonly ms: number;
}

/** Verdicts by the id of the check; answers that have none are asked about again. */
type Scored = ReadonlyMap<string, readonly PlacedVerdict[]>;

export interface Scorer {
  /** The checks that it gives verdicts for. */
  readonly ids: readonly string[];
  /** How many answers it is asked about at a time. */
  readonly batch: number;
  /** Rejects where it can't judge now; the run then waits and asks again. */
  score(orders: readonly ScoreOrder[], signal: AbortSignal): Promise<Scored>;
  close(): Promise<void>;
}

/** What scorers judge with. */
export interface ScorerDeps {
  readonly threads: CheckThreads;
  readonly functions: Pick<FunctionRunner, 'run'>;
}

/** One for all checks that the thread can apply, and one for each other check. */
export function openScorers(checks: readonly EvaluationCheck[], deps: ScorerDeps): readonly Scorer[] {
  return checks.length === 0 ? [] : [openCheckScorer(checks, deps)];
}
