// What judges the answers of a run. A scorer is asked after an answer is stored, and asked again for what has no verdict.
import type { Engine } from '#engine/engine.ts';
import { isHttp, isJudge, isRule } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import type { PlacedEvaluationRow } from '#features/evaluation/shared/contract/evaluationRow.ts';
import type { WrittenCall } from '#features/evaluation/shared/toolCalls.ts';
import type { PlacedBlock, PlacedVerdict } from '#features/evaluation/server/verdicts.ts';
import type { FunctionRunner } from '#features/evaluation/server/functions/functionRunner.ts';
import { toRowMessages } from '#features/evaluation/server/answerRequest.ts';
import type { WholeRun } from '#features/evaluation/server/runRecords.ts';
import { openCheckScorer, type CheckThreads } from './checkThread.ts';
import type { AnswerBlock } from './keptAnswers.ts';
import { openJudge } from './judge.ts';
import { openOwnEvaluator, type EvaluatorAccess } from './ownEvaluator.ts';

/** An answer to judge. */
export interface ScoreOrder {
  /** Its place in its block. */
  readonly at: number;
  readonly row: PlacedEvaluationRow;
  readonly repeat: number;
  readonly model: string;
  readonly text: string;
  readonly reasoning: string | null;
  readonly calls: readonly WrittenCall[];
  readonly finish_reason: string | null;
  readonly completion_tokens: number | null;
  readonly ms: number | null;
  /** The baseline's answer; null: there is none, or it says the same. */
  readonly against: Pick<ScoreOrder, 'model' | 'text' | 'calls'> | null;
}

/** Verdicts by the id of the check; answers that have none are asked about again. */
type Scored = ReadonlyMap<string, readonly PlacedVerdict[]>;

/** A run whose answers may be kept. */
interface KeptRun {
  readonly run: string;
  /** How many answers each model has. */
  readonly answers: ReadonlyMap<number, number>;
  /** The checks that are asked. */
  readonly ids: readonly string[];
  /** Answers of a whole block. */
  readonly size: number;
}

export interface Scorer {
  /** The checks that it gives verdicts for. */
  readonly ids: readonly string[];
  /** How many answers it is asked about at a time. */
  readonly batch: number;
  /** It compares with the baseline, and is asked only about answers that have one to compare with. */
  readonly isPairs?: boolean;
  /** `block`: where they stand. Rejects where it can't judge now; the run then waits and asks again. */
  score(orders: readonly ScoreOrder[], signal: AbortSignal, block?: AnswerBlock): Promise<Scored>;
  /** Judges all answers of a run that it still has from before; null: it has not all of them, or can't. */
  scoreKept?(order: KeptRun): Promise<readonly PlacedBlock[] | null>;
  close(): Promise<void>;
}

/** What scorers judge with. */
export interface ScorerDeps {
  readonly threads: CheckThreads;
  readonly functions: Pick<FunctionRunner, 'run'>;
  readonly engine: Pick<Engine, 'load' | 'findModel'>;
  readonly evaluators: EvaluatorAccess;
  /** How long a judge that can't answer is waited for. */
  readonly patienceMs: number;
}

/** One for all checks that a program applies, and one for each judge. */
export function openScorers(
  { checks, content }: Pick<WholeRun, 'checks' | 'content'>,
  deps: ScorerDeps,
): readonly Scorer[] {
  const rules = checks.filter(isRule);
  const toMessages = (row: ScoreOrder['row']) => {
    const messages = toRowMessages(content, row);
    return messages.ok ? messages.value : [];
  };
  return [
    ...(rules.length === 0 ? [] : [openCheckScorer(rules, deps)]),
    ...checks.filter(isHttp).map((check) => openOwnEvaluator(check, { access: deps.evaluators, toMessages })),
    ...checks.filter(isJudge).map((check) => openJudge(check, { ...deps, toMessages })),
  ];
}
