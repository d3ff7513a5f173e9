// A run of an evaluation as JSON lines: what was asked, its scores, and each row with all answers. Pure.
import type { AnswerPage, EvaluationRun, Scores } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';

export const STUDIO_FORM = 'model-studio-evaluation';
export const STUDIO_VERSION = 1;

export interface ExportedRun {
  /** As it was when the run was started. */
  readonly evaluation: Evaluation;
  readonly run: EvaluationRun;
  readonly scores: Scores;
}

export type ExportedRow = AnswerPage['rows'][number];

/** The first line. */
export function toHeadLine({ evaluation, run, scores }: ExportedRun): string {
  const { name, prompt, system, checks, settings } = evaluation;
  const head = { name, prompt, system, checks, settings };
  return JSON.stringify({ form: STUDIO_FORM, version: STUDIO_VERSION, evaluation: head, run, scores });
}

export const toRowLine = (row: ExportedRow): string => JSON.stringify(row);
